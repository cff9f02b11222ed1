import { Matrix4, Quaternion, Vector3 } from "three";
import type { Vector } from "../run/messages";

/** The one place where north, east, down becomes the axes of three.js: x is east, y is up, z is south. Everything that
 *  has a place hangs below one group that has this turn, and is itself in north, east, down. */
export const NED_TO_THREE = new Quaternion().setFromRotationMatrix(
  new Matrix4().makeBasis(new Vector3(0, 0, -1), new Vector3(1, 0, 0), new Vector3(0, -1, 0)),
);

export function toThree(place: Vector): Vector3 {
  return new Vector3(place[1], -place[2], -place[0]);
}

export function toNed(place: Vector3): Vector {
  return [-place.z, place.x, -place.y];
}
