import { HAS_ATTITUDE, NOT_THERE, POSE, type Frame } from "./protocol";

/** A frame between two: places linear, attitudes on the shortest arc. Values, lamps and links are those of the first,
 *  since a value between two of an enumeration means nothing. */
export function blend(before: Frame, after: Frame, part: number, time: number): Frame {
  if (part <= 0 || !sameBodies(before, after)) return { ...before, time };
  const poses = new Float64Array(before.poses);
  for (let i = 0; i < before.bodies.length; i++) {
    const at = i * POSE;
    const flags = before.poses[at + 7]!;
    if ((flags | after.poses[at + 7]!) & NOT_THERE) continue;
    for (let k = 0; k < 3; k++) poses[at + k] = before.poses[at + k]! * (1 - part) + after.poses[at + k]! * part;
    if (flags & HAS_ATTITUDE) slerp(before.poses, after.poses, at + 3, part, poses);
  }
  const latest = part >= 1 ? after : before;
  return { ...latest, time, poses };
}

function sameBodies(a: Frame, b: Frame): boolean {
  return a.bodies.length === b.bodies.length && a.bodies.every((body, i) => body === b.bodies[i]);
}

/** Shoemake's spherical interpolation of unit quaternions, on the shorter arc; linear where they nearly agree. */
export function slerp(a: Float64Array, b: Float64Array, at: number, part: number, out: Float64Array): void {
  let dot = 0;
  for (let k = 0; k < 4; k++) dot += a[at + k]! * b[at + k]!;
  const sign = dot < 0 ? -1 : 1;
  dot = Math.min(1, Math.abs(dot));
  let fromA = 1 - part;
  let fromB = part;
  if (dot < 0.9995) {
    const angle = Math.acos(dot);
    fromA = Math.sin((1 - part) * angle) / Math.sin(angle);
    fromB = Math.sin(part * angle) / Math.sin(angle);
  }
  let norm = 0;
  for (let k = 0; k < 4; k++) {
    out[at + k] = fromA * a[at + k]! + sign * fromB * b[at + k]!;
    norm += out[at + k]! ** 2;
  }
  norm = Math.sqrt(norm) || 1;
  for (let k = 0; k < 4; k++) out[at + k] = out[at + k]! / norm;
}
