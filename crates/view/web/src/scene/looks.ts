import { Group, Mesh } from "three";
import type { Body } from "../run/messages";
import { aircraft, underwater } from "./looks-winged";
import { car, cartPole, rover } from "./looks-wheeled";
import { multirotor } from "./looks-rotor";
import type { Look } from "./look";
import { Parts, SOLID } from "./parts";

const BUILDERS: Record<Body["kind"], (body: Body, paint: string) => Look> = {
  multirotor,
  aircraft,
  underwater,
  rover,
  car,
  "cart-pole": cartPole,
  object: simpleObject,
};

export function buildLook(body: Body, paint: string): Look {
  const build = BUILDERS[body.kind] ?? simpleObject;
  return build(body, paint);
}

/** A body that is known by its shapes only, or by its size. */
function simpleObject(body: Body, paint: string): Look {
  const parts = new Parts();
  if (body.shapes.length === 0) parts.box(body.size, [0, 0, 0], paint);
  for (const shape of body.shapes) parts.shape(shape, paint);
  const object = new Group();
  object.add(new Mesh(parts.build(), SOLID));
  return { object };
}
