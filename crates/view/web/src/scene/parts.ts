import {
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  CapsuleGeometry,
  Color,
  CylinderGeometry,
  Euler,
  Matrix4,
  MeshLambertMaterial,
  Quaternion,
  SphereGeometry,
  Vector3,
} from "three";
import { mergeGeometries } from "three/addons/utils/BufferGeometryUtils.js";
import type { PlacedShape, Shape, Vector } from "../run/messages";

/** One material for all solid parts: the colour is in the vertices, so that a whole vehicle is one call to draw. */
export const SOLID = new MeshLambertMaterial({ vertexColors: true });

type Paint = string | number;

/** Collects primitives in the body's frame (front, right, down) and makes one geometry of them. */
export class Parts {
  private readonly pieces: BufferGeometry[] = [];

  box(size: Vector, at: Vector, paint: Paint, turn: Vector = [0, 0, 0]): this {
    return this.add(new BoxGeometry(...size), at, paint, turn);
  }

  /** A cylinder or cone with its axis along z before the turn; `front` is the radius at +z. */
  tube(front: number, back: number, length: number, at: Vector, paint: Paint, turn: Vector = [0, 0, 0], sides = 14): this {
    return this.add(new CylinderGeometry(front, back, length, sides).rotateX(Math.PI / 2), at, paint, turn);
  }

  ball(radius: number, at: Vector, paint: Paint, stretch: Vector = [1, 1, 1]): this {
    return this.add(new SphereGeometry(radius, 14, 10).scale(...stretch), at, paint, [0, 0, 0]);
  }

  shape(placed: PlacedShape, paint: Paint): this {
    const [w, x, y, z] = placed.attitude;
    const geometry = shapeGeometry(placed.shape);
    geometry.applyMatrix4(
      new Matrix4().compose(new Vector3(...placed.position), new Quaternion(x, y, z, w), new Vector3(1, 1, 1)),
    );
    return this.painted(geometry, paint);
  }

  build(): BufferGeometry {
    const merged = mergeGeometries(this.pieces);
    for (const piece of this.pieces) piece.dispose();
    merged.computeBoundingSphere();
    return merged;
  }

  private add(geometry: BufferGeometry, at: Vector, paint: Paint, turn: Vector): this {
    const rotation = new Quaternion().setFromEuler(new Euler(turn[0], turn[1], turn[2], "ZYX"));
    geometry.applyMatrix4(new Matrix4().compose(new Vector3(...at), rotation, new Vector3(1, 1, 1)));
    return this.painted(geometry, paint);
  }

  private painted(geometry: BufferGeometry, paint: Paint): this {
    const plain = geometry.index ? geometry.toNonIndexed() : geometry;
    plain.deleteAttribute("uv");
    const colour = new Color(paint);
    const count = plain.getAttribute("position").count;
    const colours = new Float32Array(count * 3);
    for (let i = 0; i < count; i++) colour.toArray(colours, 3 * i);
    plain.setAttribute("color", new BufferAttribute(colours, 3));
    this.pieces.push(plain);
    return this;
  }
}

export function shapeGeometry(shape: Shape): BufferGeometry {
  switch (shape.kind) {
    case "box":
      return new BoxGeometry(...shape.size);
    case "sphere":
      return new SphereGeometry(shape.radius, 20, 14);
    case "cylinder":
      return new CylinderGeometry(shape.radius, shape.radius, shape.length, 24).rotateX(Math.PI / 2);
    case "capsule":
      return new CapsuleGeometry(shape.radius, shape.length, 6, 16).rotateX(Math.PI / 2);
    case "mesh": {
      const geometry = new BufferGeometry();
      geometry.setAttribute("position", new BufferAttribute(new Float32Array(shape.points.flat()), 3));
      geometry.setIndex(shape.triangles.flat());
      const flat = geometry.toNonIndexed();
      flat.computeVertexNormals();
      return flat;
    }
  }
}
