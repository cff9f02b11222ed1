import {
  BufferAttribute,
  BufferGeometry,
  DoubleSide,
  Group,
  Line,
  LineBasicMaterial,
  LineLoop,
  Mesh,
  MeshBasicMaterial,
  Shape as FlatShape,
  ShapeGeometry,
  SphereGeometry,
  type Object3D,
} from "three";
import type { Scene, Vector } from "../run/messages";
import { Parts, SOLID } from "./parts";
import type { SceneColours } from "./palette";

/** What does not move: obstacles, waypoints with their radius, cells of a mission, edges of a road. */
export function markings(scene: Scene, colours: SceneColours, downAt: (north: number, east: number) => number): Object3D {
  const group = new Group();
  if (scene.fixed.length > 0) {
    const parts = new Parts();
    for (const shape of scene.fixed) parts.shape(shape, colours.fixed);
    group.add(new Mesh(parts.build(), SOLID));
  }
  const pathMaterial = new LineBasicMaterial({ color: colours.path });
  const reach = new MeshBasicMaterial({ color: colours.path, transparent: true, opacity: 0.13, depthWrite: false });
  const points = new MeshBasicMaterial({ color: colours.path });
  for (const path of scene.paths) {
    group.add(new Line(lineGeometry(path.points), pathMaterial));
    const around = new SphereGeometry(Math.max(path.radius, 0.01), 20, 14);
    const middle = new SphereGeometry(Math.max(Math.min(path.radius * 0.12, 1), 0.05), 10, 8);
    for (const point of path.points) {
      for (const mesh of [new Mesh(around, reach), new Mesh(middle, points)]) {
        mesh.position.set(...point);
        group.add(mesh);
      }
    }
  }
  const cellFill = new MeshBasicMaterial({ color: colours.path, transparent: true, opacity: 0.1, side: DoubleSide, depthWrite: false });
  for (const cell of scene.cells) {
    if (cell.corners.length < 3) continue;
    const down = Math.min(...cell.corners.map(([n, e]) => downAt(n, e))) - 0.05;
    const corners = cell.corners.map(([n, e]): Vector => [n, e, down]);
    group.add(new LineLoop(lineGeometry(corners), pathMaterial));
    const flat = new FlatShape();
    cell.corners.forEach(([n, e], i) => (i === 0 ? flat.moveTo(n, e) : flat.lineTo(n, e)));
    const fill = new Mesh(new ShapeGeometry(flat), cellFill);
    fill.position.z = down;
    group.add(fill);
  }
  if (scene.road) {
    const edge = new LineBasicMaterial({ color: colours.gridStrong });
    const lift = ([n, e]: [number, number]): Vector => [n, e, downAt(n, e) - 0.03];
    for (const side of [scene.road.left, scene.road.right]) group.add(new Line(lineGeometry(side.map(lift)), edge));
    group.add(roadSurface(scene.road.left.map(lift), scene.road.right.map(lift), colours));
  }
  return group;
}

function roadSurface(left: Vector[], right: Vector[], colours: SceneColours): Mesh {
  const count = Math.min(left.length, right.length);
  const places: number[] = [];
  const index: number[] = [];
  for (let i = 0; i < count; i++) {
    places.push(...left[i]!, ...right[i]!);
    if (i > 0) index.push(2 * i - 2, 2 * i - 1, 2 * i, 2 * i - 1, 2 * i + 1, 2 * i);
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(places), 3));
  geometry.setIndex(index);
  const material = new MeshBasicMaterial({ color: colours.gridStrong, transparent: true, opacity: 0.35, side: DoubleSide, depthWrite: false });
  return new Mesh(geometry, material);
}

function lineGeometry(points: Vector[]): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(points.flat()), 3));
  return geometry;
}
