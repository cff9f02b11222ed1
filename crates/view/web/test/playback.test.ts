import { expect, test } from "vitest";
import { blend } from "../src/run/blend";
import { PlaybackCache } from "../src/run/playback";
import { HAS_ATTITUDE, NOT_THERE, type Frame } from "../src/run/protocol";

function frame(time: number, pose: number[] = [time, 0, 0, 1, 0, 0, 0, HAS_ATTITUDE]): Frame {
  return {
    state: 1, time, speed: 0, bodies: Uint16Array.of(0), poses: Float64Array.from(pose),
    signals: new Uint32Array(), values: new Float64Array(), active: new Uint32Array(), lamps: [],
  };
}

/** A server that answers at once, and notes what it was asked. */
function server(duration: number, limit?: number) {
  const asked: [number, number, number][] = [];
  const ask = async (from: number, to: number, step: number) => {
    asked.push([from, to, step]);
    const frames: Frame[] = [];
    for (let i = 0; from + i * step <= to + 1e-9; i++) frames.push(frame(from + i * step));
    return frames;
  };
  return { asked, cache: new PlaybackCache(ask, duration, () => undefined, limit) };
}

const settle = () => new Promise((resolve) => setTimeout(resolve, 0));

test("the whole run comes first, in 600 steps", async () => {
  const { asked, cache } = server(60);
  await cache.begin();
  expect(asked).toEqual([[0, 60, 0.1]]);
  const { before, after, part } = cache.at(30.05, 1)!;
  expect([before.time, after.time]).toEqual([expect.closeTo(30, 6), expect.closeTo(30.1, 6)]);
  expect(part).toBeCloseTo(0.5, 6);
});

test("finer frames come ahead of the head, in the direction of play", async () => {
  const { asked, cache } = server(60);
  await cache.begin();
  for (let i = 0; i < 4; i++) {
    cache.prepare(30, 1);
    await settle();
  }
  expect(asked.slice(1).map(([from]) => from)).toEqual([30, 33, 36]);
  const backwards = server(60);
  await backwards.cache.begin();
  for (let i = 0; i < 4; i++) {
    backwards.cache.prepare(31, -1);
    await settle();
  }
  expect(backwards.asked.slice(1).map(([from]) => from)).toEqual([30, 27, 24]);
});

test("fine frames are used once they are here", async () => {
  const { cache } = server(60);
  await cache.begin();
  cache.prepare(30, 1);
  await settle();
  const { before, after } = cache.at(30.05, 1)!;
  expect(after.time - before.time).toBeCloseTo(1 / 30, 6);
});

test("fast play needs no more than the coarse frames", async () => {
  const { asked, cache } = server(60);
  await cache.begin();
  cache.prepare(10, 100);
  await settle();
  expect(asked).toHaveLength(1);
});

test("the cache stays bounded", async () => {
  const { cache } = server(6000, 1000);
  await cache.begin();
  for (let time = 0; time < 600; time += 3) {
    cache.prepare(time, 1);
    await settle();
  }
  expect(cache.frameCount).toBeLessThanOrEqual(1000);
  expect(cache.frameCount).toBeGreaterThan(500);
});

test("what is refused is not asked for again", async () => {
  let asked = 0;
  const cache = new PlaybackCache(() => (asked++, Promise.reject(new Error("no"))), 60, () => undefined);
  for (let i = 0; i < 5; i++) {
    cache.prepare(0, 1);
    await settle();
  }
  expect(asked).toBe(3);
});

test("between two frames a body turns by half of the angle", () => {
  const half = Math.SQRT1_2;
  const a = frame(0, [0, 0, 0, 1, 0, 0, 0, HAS_ATTITUDE]);
  const b = frame(1, [10, 20, -30, half, 0, 0, half, HAS_ATTITUDE]);
  const { poses } = blend(a, b, 0.5, 0.5);
  expect([...poses.slice(0, 3)]).toEqual([5, 10, -15]);
  expect(2 * Math.acos(poses[3]!)).toBeCloseTo(Math.PI / 4, 9);
});

test("the turn takes the shorter way where the signs differ", () => {
  const a = frame(0, [0, 0, 0, 1, 0, 0, 0, HAS_ATTITUDE]);
  const b = frame(1, [0, 0, 0, -1, 0, 0, 0, HAS_ATTITUDE]);
  expect(Math.abs(blend(a, b, 0.5, 0.5).poses[3]!)).toBeCloseTo(1, 9);
});

test("a body that is not there is not moved towards where it was", () => {
  const a = frame(0, [1, 2, 3, 1, 0, 0, 0, HAS_ATTITUDE]);
  const b = frame(1, [0, 0, 0, 1, 0, 0, 0, NOT_THERE]);
  expect([...blend(a, b, 0.5, 0.5).poses.slice(0, 3)]).toEqual([1, 2, 3]);
});
