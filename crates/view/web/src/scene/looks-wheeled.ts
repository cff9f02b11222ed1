import { Group, Mesh } from "three";
import type { Body, Vector } from "../run/messages";
import { shared, valueOf, type Look } from "./look";
import { Parts, SOLID } from "./parts";

interface Wheel {
  group: Group;
  steer: number | null;
  radius: number;
}

/** Wheels at their places; four at the corners where the run names none. */
function wheels(object: Group, body: Body): Wheel[] {
  const [length, width, height] = body.size;
  const radius = Math.min(height * 0.3, length * 0.14);
  const corners: Body["wheels"] = [
    [1, 1],
    [1, -1],
    [-1, 1],
    [-1, -1],
  ].map(([x, y]) => ({
    position: [x! * length * 0.32, y! * width * 0.45, height / 2 - radius] as Vector,
    radius,
    steer: null,
  }));
  return (body.wheels.length > 0 ? body.wheels : corners).map((wheel) => {
    const r = wheel.radius;
    const wide = Math.min(r * 0.7, width * 0.2);
    const geometry = shared(`wheel ${r} ${wide}`, () =>
      new Parts()
        .tube(r, r, wide, [0, 0, 0], "#23282d", [Math.PI / 2, 0, 0], 20)
        .tube(r * 0.55, r * 0.55, wide * 1.06, [0, 0, 0], "#b9bfc5", [Math.PI / 2, 0, 0], 8)
        .box([r * 1.5, wide * 1.1, r * 0.12], [0, 0, 0], "#6b7278")
        .build(),
    );
    const group = new Group();
    group.rotation.order = "ZYX";
    group.position.set(...wheel.position);
    group.add(new Mesh(geometry, SOLID));
    object.add(group);
    return { group, steer: wheel.steer, radius: r };
  });
}

/** Wheels steer by their signal, and roll as far as the body went along its own front. */
function rolling(object: Group, all: Wheel[]): NonNullable<Look["animate"]> {
  let last: [number, number, number] | null = null;
  return (values) => {
    const parent = object.parent;
    if (parent === null) return;
    const { x, y, z } = parent.position;
    const q = parent.quaternion;
    // The body's front in the scene: first column of the rotation matrix.
    const front = [1 - 2 * (q.y * q.y + q.z * q.z), 2 * (q.x * q.y + q.w * q.z), 2 * (q.x * q.z - q.w * q.y)] as const;
    const way = last ? (x - last[0]) * front[0] + (y - last[1]) * front[1] + (z - last[2]) * front[2] : 0;
    last = [x, y, z];
    for (const { group, steer, radius } of all) {
      group.rotation.z = valueOf(values, steer, 0);
      if (Math.abs(way) < 5) group.rotation.y -= way / radius;
    }
  };
}

export function car(body: Body, paint: string): Look {
  const [length, width, height] = body.size;
  const object = new Group();
  const all = wheels(object, body);
  const hull = shared(`car ${JSON.stringify([body.size, body.shapes, paint])}`, () => {
    const parts = new Parts();
    for (const shape of body.shapes) parts.shape(shape, paint);
    if (body.shapes.length === 0) {
      parts.box([length, width * 0.86, height * 0.36], [0, 0, height * 0.12], paint);
      parts.box([length * 0.5, width * 0.76, height * 0.36], [-length * 0.06, 0, -height * 0.22], "#26323c");
      parts.box([length * 0.44, width * 0.78, height * 0.06], [-length * 0.06, 0, -height * 0.42], paint);
      for (const side of [-1, 1]) {
        parts.box([length * 0.02, width * 0.2, height * 0.1], [length * 0.5, side * width * 0.28, height * 0.05], "#fff6c8");
        parts.box([length * 0.02, width * 0.2, height * 0.1], [-length * 0.5, side * width * 0.28, height * 0.05], "#a02020");
      }
    }
    return parts.build();
  });
  object.add(new Mesh(hull, SOLID));
  return { object, animate: rolling(object, all) };
}

export function rover(body: Body, paint: string): Look {
  const [length, width, height] = body.size;
  const object = new Group();
  const all = wheels(object, body);
  const hull = shared(`rover ${JSON.stringify([body.size, body.shapes, paint])}`, () => {
    const parts = new Parts();
    for (const shape of body.shapes) parts.shape(shape, paint);
    if (body.shapes.length === 0) {
      parts.box([length * 0.85, width * 0.62, height * 0.3], [0, 0, 0], "#d9dde1");
      parts.box([length * 0.75, width * 0.58, height * 0.06], [-length * 0.03, 0, -height * 0.19], paint);
      parts.tube(width * 0.035, width * 0.035, height * 0.4, [length * 0.28, 0, -height * 0.36], "#3c434a");
      parts.box([length * 0.1, width * 0.28, height * 0.12], [length * 0.3, 0, -height * 0.56], "#3c434a");
      parts.box([length * 0.02, width * 0.2, height * 0.06], [length * 0.355, 0, -height * 0.56], "#56b4e9");
    }
    return parts.build();
  });
  object.add(new Mesh(hull, SOLID));
  return { object, animate: rolling(object, all) };
}

/** A cart on a rail; the pole is one of its links and has a pose of its own. */
export function cartPole(body: Body, paint: string): Look {
  const [length, width, height] = body.size;
  const parts = new Parts();
  if (body.shapes.length > 0) for (const shape of body.shapes) parts.shape(shape, paint);
  else {
    parts.box([length, width, height * 0.6], [0, 0, 0], paint);
    for (const x of [-0.33, 0.33]) {
      parts.tube(height * 0.25, height * 0.25, width * 1.05, [x * length, 0, height * 0.3], "#23282d", [Math.PI / 2, 0, 0]);
    }
  }
  const object = new Group();
  object.add(new Mesh(parts.build(), SOLID));
  return { object };
}
