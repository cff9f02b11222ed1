import { Group, Mesh } from "three";
import type { Body, Vector } from "../run/messages";
import { shared, valueOf, type Look } from "./look";
import { Parts, SOLID } from "./parts";

type SurfaceName = Body["surfaces"][number]["name"];

interface Flap {
  group: Group;
  name: SurfaceName;
  axis: "x" | "y" | "z";
  sign: number;
}

/** A plate that turns about its front edge, which is at the group's place. */
function flap(object: Group, size: Vector, at: Vector, paint: string, name: SurfaceName, axis: Flap["axis"], sign: number): Flap {
  const group = new Group();
  group.position.set(...at);
  const key = `flap ${JSON.stringify([size, paint])}`;
  group.add(new Mesh(shared(key, () => new Parts().box(size, [-size[0] / 2, 0, 0], paint).build()), SOLID));
  object.add(group);
  return { group, name, axis, sign };
}

function moveFlaps(body: Body, flaps: Flap[], values: ReadonlyMap<number, number>): void {
  for (const { group, name, axis, sign } of flaps) {
    const surface = body.surfaces.find((one) => one.name === name);
    group.rotation[axis] = sign * valueOf(values, surface?.signal, 0);
  }
}

function propeller(object: Group, radius: number, at: Vector): Group {
  const group = new Group();
  group.position.set(...at);
  const geometry = shared(`propeller ${radius}`, () =>
    new Parts()
      .box([radius * 0.08, radius * 2, radius * 0.2], [0, 0, 0], "#20252a")
      .box([radius * 0.08, radius * 0.2, radius * 2], [0, 0, 0], "#20252a")
      .ball(radius * 0.2, [0, 0, 0], "#e69f00")
      .build(),
  );
  group.add(new Mesh(geometry, SOLID));
  object.add(group);
  return group;
}

function turnPropeller(group: Group, body: Body, values: ReadonlyMap<number, number>, seconds: number): void {
  const rotor = body.rotors[0];
  const speed = Math.abs(valueOf(values, rotor?.signal, 40));
  group.rotation.x += (rotor?.turns ?? 1) * Math.min(speed * 0.1, 12) * Math.min(seconds, 0.2);
}

/** An aeroplane: ailerons, elevator and rudder are plates of their own. A positive deflection puts the trailing edge
 *  down (elevator, right aileron) or to the left (rudder). */
export function aircraft(body: Body, paint: string): Look {
  const [length, span, height] = body.size;
  const chord = Math.min(length * 0.22, span * 0.16);
  const thick = chord * 0.12;
  const round = length * 0.055;
  const object = new Group();
  const tail = -length * 0.44;
  const tailSpan = span * 0.32;
  const fin = Math.max(height * 0.55, chord * 0.9);
  const hull = shared(`aircraft ${JSON.stringify([body.size, body.shapes, paint])}`, () => {
    const parts = new Parts();
    if (body.shapes.length > 0) for (const shape of body.shapes) parts.shape(shape, paint);
    parts.tube(round, round * 0.95, length * 0.42, [length * 0.2, 0, 0], "#eef1f3", [0, Math.PI / 2, 0]);
    parts.tube(round * 0.95, round * 0.35, length * 0.46, [-length * 0.24, 0, 0], "#eef1f3", [0, Math.PI / 2, 0]);
    parts.ball(round, [length * 0.41, 0, 0], paint, [1.4, 1, 1]);
    parts.ball(round * 0.75, [length * 0.15, 0, -round * 0.6], "#26323c", [2.2, 0.9, 0.8]);
    parts.box([chord * 0.75, span, thick], [length * 0.08, 0, -round * 0.5], paint);
    parts.box([chord * 0.24, span * 0.5, thick * 0.8], [length * 0.08 - chord * 0.49, 0, -round * 0.5], paint);
    for (const [side, tip] of [[-1, "#d55e00"], [1, "#009e73"]] as const) {
      parts.box([chord * 0.75, span * 0.04, thick * 1.3], [length * 0.08, side * span * 0.485, -round * 0.5], tip);
    }
    parts.box([chord * 0.4, tailSpan, thick * 0.7], [tail + chord * 0.2, 0, -round * 0.2], "#eef1f3");
    parts.box([chord * 0.45, thick * 0.7, fin], [tail + chord * 0.2, 0, -fin / 2], paint);
    return parts.build();
  });
  object.add(new Mesh(hull, SOLID));
  const back = length * 0.08 - chord * 0.37;
  const flaps = [
    flap(object, [chord * 0.25, span * 0.22, thick], [back, span * 0.37, -round * 0.5], "#f5f5f5", "aileron", "y", 1),
    flap(object, [chord * 0.25, span * 0.22, thick], [back, -span * 0.37, -round * 0.5], "#f5f5f5", "aileron", "y", -1),
    flap(object, [chord * 0.35, tailSpan, thick * 0.7], [tail, 0, -round * 0.2], paint, "elevator", "y", 1),
    flap(object, [chord * 0.35, thick * 0.7, fin * 0.95], [tail - thick, 0, -fin / 2], "#f5f5f5", "rudder", "z", 1),
  ];
  const prop = propeller(object, Math.max(round * 1.9, span * 0.06), [length * 0.49, 0, 0]);
  return {
    object,
    animate: (values, seconds) => {
      moveFlaps(body, flaps, values);
      turnPropeller(prop, body, values, seconds);
    },
  };
}

/** An underwater vehicle: a torpedo hull with four fins at the tail and a propeller. */
export function underwater(body: Body, paint: string): Look {
  const [length, width, height] = body.size;
  const round = Math.max(Math.min(width, height), length * 0.06) / 2;
  const object = new Group();
  const hull = shared(`underwater ${JSON.stringify([body.size, body.shapes, paint])}`, () => {
    const parts = new Parts();
    if (body.shapes.length > 0) for (const shape of body.shapes) parts.shape(shape, "#e9c400");
    else {
      parts.tube(round, round, length * 0.6, [length * 0.08, 0, 0], "#e9c400", [0, Math.PI / 2, 0], 18);
      parts.ball(round, [length * 0.38, 0, 0], "#e9c400", [1.3, 1, 1]);
      parts.tube(round, round * 0.3, length * 0.24, [-length * 0.34, 0, 0], "#e9c400", [0, Math.PI / 2, 0], 18);
    }
    parts.tube(round * 1.03, round * 1.03, length * 0.06, [length * 0.25, 0, 0], paint, [0, Math.PI / 2, 0], 18);
    parts.box([length * 0.1, round * 0.25, round * 1.1], [0, 0, -round * 1.3], "#30363c");
    return parts.build();
  });
  object.add(new Mesh(hull, SOLID));
  const reach = round * 1.5;
  const size = length * 0.09;
  const at = -length * 0.34;
  const names: SurfaceName[] = body.surfaces.some((one) => one.name === "fin") ? ["fin", "fin"] : ["elevator", "rudder"];
  const flaps = [
    flap(object, [size, reach, round * 0.12], [at, round + reach * 0.35, 0], paint, names[0]!, "y", 1),
    flap(object, [size, reach, round * 0.12], [at, -round - reach * 0.35, 0], paint, names[0]!, "y", 1),
    flap(object, [size, round * 0.12, reach], [at, 0, round + reach * 0.35], paint, names[1]!, "z", 1),
    flap(object, [size, round * 0.12, reach], [at, 0, -round - reach * 0.35], paint, names[1]!, "z", 1),
  ];
  const prop = propeller(object, round * 0.8, [-length * 0.48, 0, 0]);
  return {
    object,
    animate: (values, seconds) => {
      moveFlaps(body, flaps, values);
      turnPropeller(prop, body, values, seconds);
    },
  };
}
