import { expect, test } from "vitest";
import * as encode from "../mock/encode.mjs";
import { decode, HAS_ATTITUDE, NOT_THERE } from "../src/run/protocol";

function bytes(buffer: Uint8Array): ArrayBuffer {
  return new Uint8Array(buffer).buffer;
}

const FRAME = {
  state: 1,
  time: 12.5,
  speed: 0.5,
  poses: [
    { body: 3, position: [1, -2, 3.25], attitude: [0.5, 0.5, -0.5, 0.5] },
    { body: 700, position: [4, 5, 6], gone: true },
  ],
  values: [[9, -1.5], [70000, 1e300]],
  active: [2, 5],
  lamps: [{ requirement: 1, state: 2, margin: -0.25 }, { requirement: 2, state: 0, margin: Number.NaN }],
};

test("a frame has its poses, values, links and lamps", () => {
  const message = decode(bytes(encode.frame(FRAME)));
  if (message.kind !== "frame") throw new Error(message.kind);
  const { frame } = message;
  expect([frame.state, frame.time, frame.speed]).toEqual([1, 12.5, 0.5]);
  expect([...frame.bodies]).toEqual([3, 700]);
  expect([...frame.poses.slice(0, 8)]).toEqual([1, -2, 3.25, 0.5, 0.5, -0.5, 0.5, HAS_ATTITUDE]);
  expect(frame.poses[15]).toBe(NOT_THERE);
  expect([...frame.signals]).toEqual([9, 70000]);
  expect([...frame.values]).toEqual([-1.5, 1e300]);
  expect([...frame.active]).toEqual([2, 5]);
  expect(frame.lamps[0]).toEqual({ requirement: 1, state: 2, margin: -0.25 });
  expect(frame.lamps[1]!.margin).toBeNaN();
});

test("a series has its points and says whether it replaces", () => {
  const points = [[0, -1, 1], [0.5, 2, 3]];
  const message = decode(bytes(encode.series(4, points, 17, true)));
  if (message.kind !== "series") throw new Error(message.kind);
  expect(message.series.replaces).toBe(true);
  expect([message.series.signal, message.series.request]).toEqual([4, 17]);
  expect([...message.series.times]).toEqual([0, 0.5]);
  expect([...message.series.least]).toEqual([-1, 2]);
  expect([...message.series.most]).toEqual([1, 3]);
});

test("a window has its frames in order", () => {
  const frames = [0, 1, 2].map((time) => encode.frame({ ...FRAME, time }));
  const message = decode(bytes(encode.window(8, frames)));
  if (message.kind !== "window") throw new Error(message.kind);
  expect(message.request).toBe(8);
  expect(message.frames.map((frame) => frame.time)).toEqual([0, 1, 2]);
});

test("the ground has its rows and columns", () => {
  const message = decode(bytes(encode.ground({ rows: 2, columns: 3, north: -1, east: -2, stepNorth: 5, stepEast: 6, down: [1, 2, 3, 4, 5, 6] })));
  if (message.kind !== "ground") throw new Error(message.kind);
  expect(message.ground).toMatchObject({ rows: 2, columns: 3, north: -1, east: -2, stepNorth: 5, stepEast: 6 });
  expect([...message.ground.down]).toEqual([1, 2, 3, 4, 5, 6]);
});

test("beams that hit nothing are infinite", () => {
  const message = decode(bytes(encode.beams(2, [1.5, Infinity])));
  if (message.kind !== "beams") throw new Error(message.kind);
  expect(message.sensor).toBe(2);
  expect([...message.distances]).toEqual([1.5, Infinity]);
});

test("a message that was cut short anywhere is refused", () => {
  const whole = [
    encode.frame(FRAME),
    encode.series(1, [[0, 0, 0]], 0, false),
    encode.window(1, [encode.frame(FRAME)]),
    encode.ground({ rows: 1, columns: 1, north: 0, east: 0, stepNorth: 1, stepEast: 1, down: [0] }),
    encode.beams(0, [1]),
  ];
  for (const message of whole) {
    for (let length = 0; length < message.length; length++) {
      expect(() => decode(bytes(message.subarray(0, length))), `kind ${message[0]}, ${length} bytes`).toThrow(RangeError);
    }
    expect(() => decode(bytes(message))).not.toThrow();
  }
});

test("a window whose frame is not a frame is refused", () => {
  const frame = encode.frame(FRAME);
  frame[0] = 9;
  expect(() => decode(bytes(encode.window(1, [frame])))).toThrow("a frame begins with 1, not with 9");
});

test("what the page does not know it skips", () => {
  expect(decode(bytes(Uint8Array.of(77, 1, 2)))).toEqual({ kind: "unknown", number: 77 });
});

test("scans have their times and distances, and are an error when cut short", () => {
  const whole = bytes(encode.scans(3, 8, [[0.5, [1, Infinity]], [1.5, [2]]]));
  const message = decode(whole);
  if (message.kind !== "scans") throw new Error(message.kind);
  expect([message.sensor, message.times]).toEqual([3, [0.5, 1.5]]);
  expect(message.distances.map((scan) => [...scan])).toEqual([[1, Infinity], [2]]);
  expect(() => decode(whole.slice(0, whole.byteLength - 1))).toThrow("scan 1");
});
