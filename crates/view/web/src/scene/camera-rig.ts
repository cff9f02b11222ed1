import { Box3, OrthographicCamera, PerspectiveCamera, Quaternion, Vector3, type Object3D } from "three";
import { Emitter } from "../run/emitter";
import type { Body } from "../run/messages";
import { NED_TO_THREE } from "./axes";

export const CAMERAS = ["orbit", "follow", "board", "map"] as const;
export type CameraName = (typeof CAMERAS)[number];

const HEADING_KINDS: ReadonlySet<Body["kind"]> = new Set(["aircraft", "underwater", "rover", "car"]);
const FIELD_OF_VIEW = 50;
/** The part of the picture that is filled when all is to be seen: names and buttons need some room too. */
const FILLED = 0.8;

/** Where the eye is. One rig serves all scenes of the page, so that cameras side by side stay linked. */
export class CameraRig extends Emitter<{ change: CameraName }> {
  mode: CameraName = "orbit";
  /** What the orbit turns about, in the axes of three.js. */
  readonly target = new Vector3();
  distance = 20;
  azimuth = 0.7;
  elevation = 0.45;
  /** Distance in the camera that follows, as a multiple of the vehicle's extent. */
  followDistance = 4.5;
  mapMetresPerPixel = 0.1;
  readonly mapCentre = new Vector3();
  private readonly fitted = new Box3();
  private automatic = true;

  choose(mode: CameraName): void {
    if (mode === "map" && this.mode !== "map") this.mapCentre.copy(this.target);
    this.mode = mode;
    this.tell("change", mode);
  }

  /** Puts all of a box into the picture. */
  fit(box: Box3, width: number, height: number): void {
    this.fitted.copy(box);
    this.automatic = true;
    box.getCenter(this.target);
    this.mapCentre.copy(this.target);
    this.distance = this.distanceFor(box, width / height);
    const size = box.getSize(new Vector3());
    this.mapMetresPerPixel = Math.max(size.x / width, size.z / height) / FILLED;
    this.tell("change", this.mode);
  }

  /** Fits again when what is to be seen leaves the picture, with room to spare (a part of its size); until the person
   *  moves the camera. */
  keep(box: Box3, room: number, width: number, height: number): void {
    if (!this.automatic || this.fitted.containsBox(box)) return;
    const wider = box.clone();
    if (!this.fitted.isEmpty()) wider.expandByVector(box.getSize(new Vector3()).multiplyScalar(room));
    this.fit(wider, width, height);
  }

  /** How far away the eye has to be for all corners to be in the picture: each is d + (its depth) away along the view,
   *  where the picture reaches tan(angle) times that to each side. */
  private distanceFor(box: Box3, aspect: number): number {
    const up = Math.tan((FIELD_OF_VIEW * Math.PI) / 360) * FILLED;
    const [sin, cos] = [Math.sin(this.azimuth), Math.cos(this.azimuth)];
    const back = new Vector3(sin * Math.cos(this.elevation), Math.sin(this.elevation), cos * Math.cos(this.elevation));
    const right = new Vector3(cos, 0, -sin);
    const top = new Vector3().crossVectors(back, right);
    let distance = 0;
    for (let i = 0; i < 8; i++) {
      const corner = new Vector3(i & 1 ? box.max.x : box.min.x, i & 2 ? box.max.y : box.min.y, i & 4 ? box.max.z : box.min.z).sub(this.target);
      const sideways = Math.max(Math.abs(corner.dot(right)) / (up * aspect), Math.abs(corner.dot(top)) / up);
      distance = Math.max(distance, sideways + corner.dot(back));
    }
    return distance;
  }

  rotate(dx: number, dy: number): void {
    this.azimuth -= dx * 0.006;
    this.elevation = Math.max(-1.5, Math.min(1.55, this.elevation + dy * 0.006));
    this.tell("change", this.mode);
  }

  pan(dx: number, dy: number, height: number): void {
    this.automatic = false;
    if (this.mode === "map") {
      this.mapCentre.x -= dx * this.mapMetresPerPixel;
      this.mapCentre.z -= dy * this.mapMetresPerPixel;
    } else if (this.mode === "orbit") {
      const scale = (2 * this.distance * Math.tan((FIELD_OF_VIEW * Math.PI) / 360)) / Math.max(height, 1);
      const sin = Math.sin(this.azimuth);
      const cos = Math.cos(this.azimuth);
      this.target.x += (-dx * cos - dy * sin) * scale;
      this.target.z += (dx * sin - dy * cos) * scale;
    }
    this.tell("change", this.mode);
  }

  zoom(factor: number): void {
    if (this.mode !== "follow") this.automatic = false;
    if (this.mode === "map") this.mapMetresPerPixel = clamp(this.mapMetresPerPixel * factor, 1e-4, 1e3);
    else if (this.mode === "follow") this.followDistance = clamp(this.followDistance * factor, 1.5, 400);
    else this.distance = clamp(this.distance * factor, 0.2, 2e5);
    this.tell("change", this.mode);
  }
}

function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(most, value));
}

export interface Subject {
  object: Object3D;
  body: Body;
  extent: number;
}

/** The cameras of one scene, set from the rig. */
export class Cameras {
  readonly perspective = new PerspectiveCamera(FIELD_OF_VIEW, 1, 0.1, 1e5);
  readonly map = new OrthographicCamera(-1, 1, 1, -1, 0.1, 1e5);
  /** Metres that fit into the height of the picture where the eye looks. */
  visible = 20;
  readonly looksAt = new Vector3();
  private readonly front = new Vector3();
  private readonly turn = new Quaternion();

  constructor(private readonly rig: CameraRig) {}

  get current(): PerspectiveCamera | OrthographicCamera {
    return this.rig.mode === "map" ? this.map : this.perspective;
  }

  update(width: number, height: number, subject: Subject | null, reach: number): void {
    const { rig } = this;
    if (rig.mode === "map") {
      this.updateMap(width, height, reach);
      return;
    }
    const camera = this.perspective;
    camera.aspect = width / Math.max(height, 1);
    let { distance, azimuth, elevation } = rig;
    this.looksAt.copy(rig.target);
    if (subject && rig.mode !== "orbit") {
      subject.object.getWorldPosition(this.looksAt);
      this.front.set(1, 0, 0).applyQuaternion(subject.object.getWorldQuaternion(this.turn));
      distance = subject.extent * rig.followDistance;
      if (HEADING_KINDS.has(subject.body.kind)) {
        // Behind the vehicle, and turning with its heading.
        azimuth += Math.atan2(-this.front.x, -this.front.z) - 0.7;
      }
    }
    if (subject && rig.mode === "board") this.sitOnBoard(camera, subject);
    else {
      const flat = Math.cos(elevation) * distance;
      camera.position.set(Math.sin(azimuth) * flat, Math.sin(elevation) * distance, Math.cos(azimuth) * flat);
      camera.position.add(this.looksAt);
      camera.up.set(0, 1, 0);
      camera.lookAt(this.looksAt);
    }
    this.visible = 2 * distance * Math.tan((FIELD_OF_VIEW * Math.PI) / 360);
    camera.near = rig.mode === "board" ? Math.max(subject?.extent ?? 1, 0.1) * 0.05 : Math.max(distance * 0.02, 0.01);
    camera.far = Math.max(distance * 60, reach * 4, 2000);
    camera.updateProjectionMatrix();
    camera.updateMatrixWorld();
  }

  /** A little above the nose, looking to the front. */
  private sitOnBoard(camera: PerspectiveCamera, subject: Subject): void {
    const [length, , height] = subject.body.size;
    const seat = this.front.set(length * 0.52, 0, -height * 0.6);
    camera.position.copy(subject.object.localToWorld(seat));
    // A camera looks along -z with y up; the body looks along x with -z up.
    camera.quaternion.copy(this.turn).multiply(BODY_TO_CAMERA);
  }

  private updateMap(width: number, height: number, reach: number): void {
    const { map, rig } = this;
    const scale = rig.mapMetresPerPixel / 2;
    map.left = -width * scale;
    map.right = width * scale;
    map.top = height * scale;
    map.bottom = -height * scale;
    const above = Math.max(reach * 2, 1000);
    map.near = 1;
    map.far = 2 * above;
    this.looksAt.copy(rig.mapCentre);
    map.position.set(rig.mapCentre.x, rig.mapCentre.y + above, rig.mapCentre.z);
    map.up.set(0, 0, -1);
    map.lookAt(rig.mapCentre);
    map.updateProjectionMatrix();
    map.updateMatrixWorld();
    this.visible = height * rig.mapMetresPerPixel;
  }
}

/** The turn of a camera that looks to north with up as its top is the inverse of the scene's own turn, since a body that
 *  points north and stands level has no turn of its own. */
const BODY_TO_CAMERA = NED_TO_THREE.clone().invert();
