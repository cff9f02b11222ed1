import {
  AmbientLight,
  Box3,
  BufferAttribute,
  BufferGeometry,
  Color,
  DirectionalLight,
  Group,
  LineBasicMaterial,
  LineSegments,
  Scene as ThreeScene,
  Vector3,
  WebGLRenderer,
  type Object3D,
} from "three";
import type { Vector } from "../run/messages";
import type { GroundGrid } from "../run/protocol";
import type { Run } from "../run/run";
import { h } from "../ui/dom";
import { NED_TO_THREE, toNed, toThree } from "./axes";
import { Beams } from "./beams";
import { Cameras, type CameraRig, type Subject } from "./camera-rig";
import { GroundView } from "./ground";
import { Labels, type Seen } from "./labels";
import { MapOverlay } from "./map-overlay";
import { markings } from "./markings";
import { vehicleColour, type SceneColours } from "./palette";
import { steerCamera } from "./pointer";
import { Trail } from "./trail";
import { place, Vehicle } from "./vehicle";
import { WindArrow } from "./wind";

const DETAIL_PIXELS = 14;

/** The 3D scene of one run. It draws only when something changed. */
export class SceneView {
  readonly element: HTMLElement;
  readonly vehicles: Vehicle[];
  selected: string | null = null;
  /** Scenes of other runs that the same camera sees. */
  beside: SceneView[] = [];
  private readonly canvas: HTMLCanvasElement;
  private readonly renderer: WebGLRenderer | null;
  private readonly scene = new ThreeScene();
  private readonly ned = new Group();
  private readonly cameras: Cameras;
  private readonly ground: GroundView;
  private fixed: Object3D;
  private readonly objects = new Map<number, Object3D>();
  private readonly trails: Trail[];
  private readonly winds: WindArrow[];
  private readonly beams = new Map<number, Beams>();
  private readonly drops: LineSegments;
  private readonly labels: Labels;
  private readonly map: MapOverlay;
  private dirty = true;
  private reach = 100;
  private lastTime = Number.NaN;
  private width = 1;
  private height = 1;
  private seen: Seen[] = [];

  constructor(
    private readonly run: Run,
    private readonly rig: CameraRig,
    private colours: SceneColours,
    onPick: (path: string) => void,
  ) {
    const { scene } = run.hello;
    this.canvas = h("canvas", {
      tabindex: 0,
      role: "img",
      "aria-label": "3D scene. Arrow keys turn the camera, plus and minus zoom. The table of vehicles has the places in words.",
      "data-test": `scene-${run.index}`,
    });
    this.renderer = rendererFor(this.canvas);
    this.ned.quaternion.copy(NED_TO_THREE);
    this.scene.add(this.ned, new AmbientLight(0xffffff, 1.5));
    const sun = new DirectionalLight(0xffffff, 1.9);
    sun.position.copy(toThree([0.4, -0.5, -1]));
    this.scene.add(sun);

    this.ground = new GroundView(scene, colours);
    this.fixed = markings(scene, colours, (n, e) => this.ground.downAt(n, e));
    this.ned.add(this.ground.group, this.fixed);
    this.vehicles = scene.bodies.map((body, i) => new Vehicle(body, vehicleColour(scene, i)));
    this.trails = this.vehicles.map((vehicle) => new Trail(vehicle.body.id, vehicle.colour, vehicle.extent * 0.1));
    this.winds = this.vehicles.filter((vehicle) => vehicle.body.wind).map((vehicle) => new WindArrow(vehicle, colours.wind));
    for (const vehicle of this.vehicles) {
      this.objects.set(vehicle.body.id, vehicle.group);
      this.ned.add(vehicle.group);
      for (const link of vehicle.links) {
        this.objects.set(link.body, link.group);
        this.ned.add(link.group);
      }
    }
    scene.sensors.forEach((sensor, i) => {
      const owner = this.objects.get(sensor.body);
      if (owner) this.beams.set(i, new Beams(sensor, owner as Group, colours.beam));
    });
    this.drops = dropLines(this.vehicles.length, colours.gridStrong);
    this.ned.add(this.drops, ...this.trails.map((trail) => trail.line), ...this.winds.map((wind) => wind.arrow));

    this.cameras = new Cameras(rig);
    this.labels = new Labels(this.vehicles);
    this.map = new MapOverlay(scene.origin);
    const flat = this.renderer === null && h("p", { class: "no-picture", "data-test": "no-picture" }, "This browser draws no 3D pictures (WebGL is off or missing). Everything else works.");
    this.element = h("div", { class: "scene" }, this.canvas, flat, this.map.element, this.labels.element);
    steerCamera(this.canvas, rig, (x, y) => {
      const path = this.pick(x, y);
      if (path) onPick(path);
    });
    this.scene.background = new Color(colours.sky);
    this.listen();
    if (run.ground) this.setTerrain(run.ground);
    for (const [sensor, distances] of run.distances) this.beams.get(sensor)?.measure(distances);
  }

  private listen(): void {
    this.rig.on("change", () => (this.dirty = true));
    this.run.on("shown", (frame) => {
      // A run that is paused is seen again and again, and looks the same.
      if (frame.time === this.lastTime) return;
      this.dirty = true;
      // Here and not where it is drawn: a tab in the background draws nothing, but its trails have no gaps.
      if (this.run.live) for (const trail of this.trails) trail.follow(frame);
    });
    this.run.on("ground", (grid) => this.setTerrain(grid));
    this.run.on("beams", ({ sensor, distances }) => {
      this.beams.get(sensor)?.measure(distances);
      this.dirty = true;
    });
    this.run.on("history", () => {
      const coarse = this.run.playback?.coarse;
      if (coarse && coarse.length > 0) for (const trail of this.trails) trail.fill(coarse);
      this.dirty = true;
    });
    this.canvas.addEventListener("webglcontextrestored", () => (this.dirty = true));
    new ResizeObserver(() => {
      this.width = Math.max(1, this.element.clientWidth);
      this.height = Math.max(1, this.element.clientHeight);
      this.renderer?.setSize(this.width, this.height, false);
      this.dirty = true;
    }).observe(this.element);
  }

  private setTerrain(grid: GroundGrid): void {
    this.ground.setTerrain(grid);
    this.paint(this.colours);
  }

  paint(colours: SceneColours): void {
    this.colours = colours;
    this.scene.background = new Color(colours.sky);
    this.ground.paint(colours);
    this.ned.remove(this.fixed);
    this.fixed = markings(this.run.hello.scene, colours, (n, e) => this.ground.downAt(n, e));
    this.ned.add(this.fixed);
    this.dirty = true;
  }

  select(path: string | null): void {
    this.selected = path;
    this.dirty = true;
  }

  /** Fits all bodies, and what they are to reach, into the picture. */
  fit(): void {
    this.rig.fit(this.boundsOfAll(), this.width, this.height);
  }

  /** Of two runs side by side, what either has. */
  private boundsOfAll(): Box3 {
    return this.beside.reduce((box, other) => box.union(other.bounds()), this.bounds());
  }

  private bounds(): Box3 {
    const points: Vector3[] = [];
    let extent = 0;
    for (const vehicle of this.vehicles) {
      if (!vehicle.group.visible) continue;
      points.push(vehicle.group.getWorldPosition(new Vector3()));
      extent = Math.max(extent, vehicle.extent);
    }
    if (points.length === 0) points.push(new Vector3());
    for (const path of this.run.hello.scene.paths) points.push(...path.points.map(toThree));
    // Where a recording goes is known: the whole of it is in the picture, and the camera need not follow.
    if (!this.run.live) for (const trail of this.trails) points.push(...trail.corners().map(toThree));
    return new Box3().setFromPoints(points).expandByScalar(Math.max(extent * 1.5, 0.3));
  }

  /** Draws, if anything changed since the last time. */
  draw(): void {
    if (!this.dirty) return;
    this.dirty = false;
    this.takeFrame();
    const subject = this.subject();
    this.cameras.update(this.width, this.height, subject, this.reach);
    const [north, east] = toNed(this.cameras.looksAt);
    const eyeHeight = this.rig.mode === "map" ? 0 : -toNed(this.cameras.perspective.position)[2];
    this.ground.follow(north, east, this.cameras.visible, eyeHeight);
    this.look();
    this.paintSky();
    this.renderer?.render(this.scene, this.cameras.current);
    this.labels.update(this.seen, this.selected);
    if (this.rig.mode === "map") {
      this.map.update(this.width, this.height, north, east, this.rig.mapMetresPerPixel, this.ground.gridStep);
    } else this.map.hide();
  }

  /** Vehicles as they are in the scene graph. */
  report(): { id: number; path: string; position: Vector; screen: [number, number] }[] {
    this.dirty = true;
    this.draw();
    return this.vehicles.map((vehicle, i) => ({
      id: vehicle.body.id,
      path: vehicle.body.path,
      position: toNed(vehicle.group.getWorldPosition(new Vector3())),
      screen: [this.seen[i]!.x, this.seen[i]!.y],
    }));
  }

  /** Under water there is no sky. */
  private paintSky(): void {
    const { sea } = this.run.hello.scene;
    const below = sea !== null && this.rig.mode !== "map" && toNed(this.cameras.perspective.position)[2] > sea.surface;
    (this.scene.background as Color).set(below ? this.colours.deep : this.colours.sky);
  }

  private subject(): Subject | null {
    const vehicle = this.vehicles.find((one) => one.body.path === this.selected) ?? this.vehicles[0];
    return vehicle ? { object: vehicle.group, body: vehicle.body, extent: vehicle.extent } : null;
  }

  private takeFrame(): void {
    const frame = this.run.shown;
    if (frame === null) return;
    place(frame, this.objects);
    const seconds = Math.abs(frame.time - this.lastTime) || 0;
    const drops = this.drops.geometry.getAttribute("position") as BufferAttribute;
    this.vehicles.forEach((vehicle, i) => {
      if (seconds > 0) vehicle.animate(this.run.values, seconds);
      const { x, y, z } = vehicle.group.position;
      if (!this.run.live) this.trails[i]!.showUntil(frame.time);
      drops.setXYZ(2 * i, x, y, z);
      drops.setXYZ(2 * i + 1, x, y, vehicle.group.visible ? this.ground.downAt(x, y) : z);
      this.reach = Math.max(this.reach, Math.abs(x), Math.abs(y), Math.abs(z));
    });
    drops.needsUpdate = true;
    for (const wind of this.winds) wind.update(this.run.values);
    this.lastTime = frame.time;
    this.scene.updateMatrixWorld();
    if (this.run.index === 0 && this.width > 1) this.rig.keep(this.boundsOfAll(), this.run.live ? 0.15 : 0, this.width, this.height);
  }

  /** Where each vehicle is on the screen, and how large. */
  private look(): void {
    const camera = this.cameras.current;
    const place = new Vector3();
    const perspective = camera === this.cameras.perspective;
    this.seen = this.vehicles.map((vehicle) => {
      vehicle.group.getWorldPosition(place);
      const away = perspective ? place.distanceTo(camera.position) : 1;
      const metres = perspective ? (2 * away * Math.tan((this.cameras.perspective.fov * Math.PI) / 360)) / this.height : this.rig.mapMetresPerPixel;
      place.project(camera);
      const pixels = vehicle.extent / Math.max(metres, 1e-9);
      vehicle.showDetails(pixels > DETAIL_PIXELS);
      return {
        x: ((place.x + 1) / 2) * this.width,
        y: ((1 - place.y) / 2) * this.height,
        ahead: place.z > -1 && place.z < 1,
        pixels,
      };
    });
  }

  private pick(x: number, y: number): string | null {
    let nearest = 28;
    let path: string | null = null;
    this.seen.forEach((seen, i) => {
      const gap = Math.max(0, Math.hypot(seen.x - x, seen.y - y) - seen.pixels / 2);
      if (seen.ahead && this.vehicles[i]!.group.visible && gap < nearest) {
        nearest = gap;
        path = this.vehicles[i]!.body.path;
      }
    });
    return path;
  }
}

/** None where the browser has no WebGL: vehicles still have their places, names and trails, but no picture. */
function rendererFor(canvas: HTMLCanvasElement): WebGLRenderer | null {
  const context = canvas.getContext("webgl2", { antialias: true, powerPreference: "low-power" });
  if (context === null) return null;
  const renderer = new WebGLRenderer({ canvas, context });
  renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
  return renderer;
}

/** Thin lines from each vehicle to the ground below it, which show how high it is. */
function dropLines(count: number, colour: number): LineSegments {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(count * 6), 3));
  const lines = new LineSegments(geometry, new LineBasicMaterial({ color: colour, transparent: true, opacity: 0.5 }));
  lines.frustumCulled = false;
  return lines;
}
