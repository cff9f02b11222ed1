/** Decodes the binary messages. Every length is checked before anything is read, so that a message that was cut short is
 *  an error with a sentence and never a picture of rubbish. */

export const RUNNING = 0;
export const PAUSED = 1;
export const ENDED = 2;

/** Numbers of each pose in `Frame.poses`: north, east, down, w, x, y, z, flags. */
export const POSE = 8;
export const HAS_ATTITUDE = 1;
export const NOT_THERE = 2;

export interface Lamp {
  requirement: number;
  /** 0 open, 1 holds so far, 2 violated. */
  state: number;
  margin: number;
}

export interface Frame {
  state: number;
  time: number;
  speed: number;
  bodies: Uint16Array;
  poses: Float64Array;
  signals: Uint32Array;
  values: Float64Array;
  active: Uint32Array;
  lamps: Lamp[];
}

export interface Series {
  replaces: boolean;
  signal: number;
  request: number;
  times: Float64Array;
  least: Float64Array;
  most: Float64Array;
}

export interface GroundGrid {
  rows: number;
  columns: number;
  north: number;
  east: number;
  stepNorth: number;
  stepEast: number;
  down: Float32Array;
}

export type BinaryMessage =
  | { kind: "frame"; frame: Frame }
  | { kind: "series"; series: Series }
  | { kind: "window"; request: number; frames: Frame[] }
  | { kind: "ground"; ground: GroundGrid }
  | { kind: "beams"; sensor: number; distances: Float32Array }
  | { kind: "scans"; sensor: number; times: number[]; distances: Float32Array[] }
  | { kind: "unknown"; number: number };

const FRAME_HEADER = 32;
const POSE_BYTES = 44;
const VALUE_BYTES = 12;
const LAMP_BYTES = 12;

function need(view: DataView, bytes: number, what: string): void {
  if (view.byteLength < bytes) {
    throw new RangeError(`${what} needs ${bytes} bytes, but the message has ${view.byteLength}`);
  }
}

export function decode(data: ArrayBuffer): BinaryMessage {
  const view = new DataView(data);
  need(view, 1, "a message");
  const kind = view.getUint8(0);
  switch (kind) {
    case 1:
      return { kind: "frame", frame: decodeFrame(view) };
    case 2:
      return { kind: "series", series: decodeSeries(view) };
    case 3:
      return decodeWindow(view);
    case 4:
      return { kind: "ground", ground: decodeGround(view) };
    case 5:
      return decodeBeams(view);
    case 6:
      return decodeScans(view);
    default:
      return { kind: "unknown", number: kind };
  }
}

export function decodeFrame(view: DataView): Frame {
  need(view, FRAME_HEADER, "a frame");
  if (view.getUint8(0) !== 1) throw new RangeError(`a frame begins with 1, not with ${view.getUint8(0)}`);
  const poseCount = view.getUint16(2, true);
  const valueCount = view.getUint32(4, true);
  const activeCount = view.getUint32(8, true);
  const lampCount = view.getUint32(12, true);
  const bytes = FRAME_HEADER + poseCount * POSE_BYTES + valueCount * VALUE_BYTES + activeCount * 4 + lampCount * LAMP_BYTES;
  need(view, bytes, "a frame with its contents");

  let at = FRAME_HEADER;
  const bodies = new Uint16Array(poseCount);
  const poses = new Float64Array(poseCount * POSE);
  for (let i = 0; i < poseCount; i++, at += POSE_BYTES) {
    bodies[i] = view.getUint16(at, true);
    const to = i * POSE;
    for (let k = 0; k < 3; k++) poses[to + k] = view.getFloat64(at + 4 + 8 * k, true);
    for (let k = 0; k < 4; k++) poses[to + 3 + k] = view.getFloat32(at + 28 + 4 * k, true);
    poses[to + 7] = view.getUint16(at + 2, true);
  }
  const signals = new Uint32Array(valueCount);
  const values = new Float64Array(valueCount);
  for (let i = 0; i < valueCount; i++, at += VALUE_BYTES) {
    signals[i] = view.getUint32(at, true);
    values[i] = view.getFloat64(at + 4, true);
  }
  const active = new Uint32Array(activeCount);
  for (let i = 0; i < activeCount; i++, at += 4) active[i] = view.getUint32(at, true);
  const lamps: Lamp[] = [];
  for (let i = 0; i < lampCount; i++, at += LAMP_BYTES) {
    lamps.push({
      requirement: view.getUint16(at, true),
      state: view.getUint8(at + 2),
      margin: view.getFloat64(at + 4, true),
    });
  }
  return {
    state: view.getUint8(1),
    time: view.getFloat64(16, true),
    speed: view.getFloat64(24, true),
    bodies,
    poses,
    signals,
    values,
    active,
    lamps,
  };
}

function decodeSeries(view: DataView): Series {
  need(view, 16, "a series");
  const count = view.getUint32(8, true);
  need(view, 16 + count * 24, "a series with its points");
  const times = new Float64Array(count);
  const least = new Float64Array(count);
  const most = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    const at = 16 + i * 24;
    times[i] = view.getFloat64(at, true);
    least[i] = view.getFloat64(at + 8, true);
    most[i] = view.getFloat64(at + 16, true);
  }
  const signal = view.getUint32(4, true);
  return { replaces: view.getUint8(1) === 1, signal, request: view.getUint32(12, true), times, least, most };
}

function decodeWindow(view: DataView): BinaryMessage {
  need(view, 12, "a window");
  const count = view.getUint32(8, true);
  const frames: Frame[] = [];
  let at = 12;
  for (let i = 0; i < count; i++) {
    need(view, at + 4, `a window with ${count} frames`);
    const length = view.getUint32(at, true);
    need(view, at + 4 + length, `frame ${i} of a window`);
    frames.push(decodeFrame(new DataView(view.buffer, view.byteOffset + at + 4, length)));
    at += 4 + length;
  }
  return { kind: "window", request: view.getUint32(4, true), frames };
}

function decodeGround(view: DataView): GroundGrid {
  need(view, 44, "the ground");
  const rows = view.getUint32(4, true);
  const columns = view.getUint32(8, true);
  need(view, 44 + rows * columns * 4, "the ground with its points");
  const down = new Float32Array(rows * columns);
  for (let i = 0; i < down.length; i++) down[i] = view.getFloat32(44 + 4 * i, true);
  const number = (i: number) => view.getFloat64(12 + 8 * i, true);
  return { rows, columns, north: number(0), east: number(1), stepNorth: number(2), stepEast: number(3), down };
}

function decodeBeams(view: DataView): BinaryMessage {
  need(view, 8, "beams");
  const distances = decodeDistances(view, 4, "beams with their distances");
  return { kind: "beams", sensor: view.getUint16(2, true), distances };
}

function decodeScans(view: DataView): BinaryMessage {
  need(view, 12, "scans");
  const count = view.getUint32(8, true);
  const times: number[] = [];
  const distances: Float32Array[] = [];
  let at = 12;
  for (let i = 0; i < count; i++) {
    need(view, at + 12, `scan ${i} of ${count}`);
    times.push(view.getFloat64(at, true));
    const scan = decodeDistances(view, at + 8, `scan ${i} with its distances`);
    distances.push(scan);
    at += 12 + 4 * scan.length;
  }
  return { kind: "scans", sensor: view.getUint16(2, true), times, distances };
}

/** A count, and so many numbers. */
function decodeDistances(view: DataView, at: number, what: string): Float32Array {
  const count = view.getUint32(at, true);
  need(view, at + 4 + 4 * count, what);
  const distances = new Float32Array(count);
  for (let i = 0; i < count; i++) distances[i] = view.getFloat32(at + 4 + 4 * i, true);
  return distances;
}
