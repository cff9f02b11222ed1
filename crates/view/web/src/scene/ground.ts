import {
  BufferAttribute,
  BufferGeometry,
  Color,
  DoubleSide,
  Group,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  PlaneGeometry,
} from "three";
import type { Scene } from "../run/messages";
import type { GroundGrid } from "../run/protocol";
import { contourLines, roundStep, thinGrid } from "./contours";
import type { SceneColours } from "./palette";

const MOST_POINTS = 200;
const GRID_LINES = 60;

/** Ground, sea and the grid of metres. Planes are large, and move with the eye. */
export class GroundView {
  readonly group = new Group();
  /** Distance between two lines of the grid, m. */
  gridStep = 10;
  private readonly planes: Mesh[] = [];
  private readonly fine: LineSegments | null = null;
  private readonly strong: LineSegments | null = null;
  private terrain: GroundGrid | null = null;
  private terrainGroup: Group | null = null;
  /** Where drops end, and where the grid lies: the same, but for a sea with a bed. */
  private readonly level: number;
  private readonly gridLevel: number;

  constructor(
    scene: Scene,
    private colours: SceneColours,
  ) {
    this.level = scene.sea ? scene.sea.surface : scene.ground.kind === "plane" ? scene.ground.down : 0;
    this.gridLevel = scene.sea?.bed ?? this.level;
    if (scene.sea) {
      if (scene.sea.bed !== null) this.plane(scene.sea.bed, new MeshBasicMaterial({ color: colours.bed }), "bed");
      else if (scene.ground.kind === "plane") this.plane(scene.ground.down, new MeshBasicMaterial({ color: colours.bed }), "bed");
      const water = new MeshBasicMaterial({ color: colours.sea, transparent: true, opacity: 0.28, side: DoubleSide, depthWrite: false });
      this.plane(scene.sea.surface, water, "sea");
    } else if (scene.ground.kind === "plane") {
      this.plane(scene.ground.down, new MeshBasicMaterial({ color: colours.ground }), "ground");
    } else if (scene.ground.kind === "none") {
      this.plane(this.level, new MeshBasicMaterial({ color: colours.paper }), "paper");
    }
    if (scene.ground.kind !== "grid") {
      this.fine = gridLines(colours.grid, 0.7);
      this.strong = gridLines(colours.gridStrong, 0.9);
      this.group.add(this.fine, this.strong);
    }
  }

  /** Height of the ground below a place, as down in m. */
  downAt(north: number, east: number): number {
    const grid = this.terrain;
    if (grid === null) return this.level;
    const r = Math.round((north - grid.north) / grid.stepNorth);
    const c = Math.round((east - grid.east) / grid.stepEast);
    if (r < 0 || c < 0 || r >= grid.rows || c >= grid.columns) return this.level;
    return grid.down[r * grid.columns + c]!;
  }

  /** Puts planes and lines where the camera looks; the step of the grid goes with what can be seen. From high above one
   *  sees far, and no edge should be seen there. */
  follow(north: number, east: number, visible: number, eyeHeight: number): void {
    const size = Math.max(visible * 30, Math.abs(eyeHeight) * 60, 200);
    for (const plane of this.planes) {
      plane.position.x = north;
      plane.position.y = east;
      plane.scale.setScalar(size);
    }
    this.gridStep = roundStep(visible / 12);
    const lift = visible * 0.0004;
    for (const [lines, step] of [[this.fine, this.gridStep], [this.strong, this.gridStep * 5]] as const) {
      if (lines === null) continue;
      lines.scale.set(step, step, 1);
      lines.position.set(Math.round(north / step) * step, Math.round(east / step) * step, this.gridLevel - lift);
    }
  }

  setTerrain(grid: GroundGrid): void {
    this.terrain = thinGrid(grid, MOST_POINTS);
    this.drawTerrain();
  }

  paint(colours: SceneColours): void {
    this.colours = colours;
    for (const plane of this.planes) {
      const material = plane.material as MeshBasicMaterial;
      material.color.set(colours[plane.name as "sea" | "bed" | "ground" | "paper"]);
    }
    (this.fine?.material as LineBasicMaterial | undefined)?.color.set(colours.grid);
    (this.strong?.material as LineBasicMaterial | undefined)?.color.set(colours.gridStrong);
    if (this.terrain) this.drawTerrain();
  }

  private plane(down: number, material: MeshBasicMaterial, name: string): void {
    // A plane faces +z, which is down here: turn it over.
    const mesh = new Mesh(new PlaneGeometry(1, 1).rotateX(Math.PI), material);
    mesh.name = name;
    mesh.position.z = down;
    // Drawn first and without depth: nothing that is to be seen lies below, and lines on it never flicker.
    material.depthWrite = false;
    mesh.renderOrder = name === "sea" ? 2 : -10;
    this.planes.push(mesh);
    this.group.add(mesh);
  }

  private drawTerrain(): void {
    const grid = this.terrain!;
    if (this.terrainGroup) this.group.remove(this.terrainGroup);
    let least = Infinity;
    let most = -Infinity;
    for (const down of grid.down) {
      least = Math.min(least, down);
      most = Math.max(most, down);
    }
    const places = new Float32Array(grid.down.length * 3);
    const colours = new Float32Array(grid.down.length * 3);
    const low = new Color(this.colours.low);
    const high = new Color(this.colours.high);
    const mixed = new Color();
    for (let r = 0, i = 0; r < grid.rows; r++) {
      for (let c = 0; c < grid.columns; c++, i++) {
        const down = grid.down[i]!;
        places.set([grid.north + r * grid.stepNorth, grid.east + c * grid.stepEast, down], 3 * i);
        mixed.lerpColors(low, high, most > least ? (most - down) / (most - least) : 0).toArray(colours, 3 * i);
      }
    }
    const index: number[] = [];
    for (let r = 0; r + 1 < grid.rows; r++) {
      for (let c = 0; c + 1 < grid.columns; c++) {
        const i = r * grid.columns + c;
        index.push(i, i + 1 + grid.columns, i + 1, i, i + grid.columns, i + 1 + grid.columns);
      }
    }
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(places, 3));
    geometry.setAttribute("color", new BufferAttribute(colours, 3));
    geometry.setIndex(index);
    geometry.computeVertexNormals();
    const material = new MeshLambertMaterial({ vertexColors: true, side: DoubleSide, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 });
    this.terrainGroup = new Group();
    this.terrainGroup.add(new Mesh(geometry, material));
    if (most - least > 0.01) {
      const lines = new BufferGeometry();
      const points = contourLines(grid, roundStep((most - least) / 12));
      lines.setAttribute("position", new BufferAttribute(new Float32Array(points), 3));
      this.terrainGroup.add(new LineSegments(lines, new LineBasicMaterial({ color: this.colours.contour, transparent: true, opacity: 0.6 })));
    }
    this.group.add(this.terrainGroup);
  }
}

/** Lines of one cell each, fading to the outside: no edge can be seen, and no line passes far behind the eye, where some
 *  drivers lose it. */
function gridLines(colour: number, opacity: number): LineSegments {
  const points: number[] = [];
  const colours: number[] = [];
  const half = GRID_LINES / 2;
  const corner = (x: number, y: number) => {
    points.push(x, y, 0);
    colours.push(1, 1, 1, Math.max(0, 1 - Math.hypot(x, y) / half) ** 0.7);
  };
  for (let i = -half; i <= half; i++) {
    for (let j = -half; j < half; j++) {
      if (Math.hypot(i, j) > half) continue;
      corner(i, j);
      corner(i, j + 1);
      corner(j, i);
      corner(j + 1, i);
    }
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(points), 3));
  geometry.setAttribute("color", new BufferAttribute(new Float32Array(colours), 4));
  const material = new LineBasicMaterial({ color: colour, vertexColors: true, transparent: true, opacity, depthWrite: false });
  return new LineSegments(geometry, material);
}
