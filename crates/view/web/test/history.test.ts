import { expect, test } from "vitest";
import { curveOf, differenceOf } from "../src/panels/curves";
import { History } from "../src/run/history";

test("thinning loses no extreme and bounds the memory", () => {
  const history = new History(100);
  for (let i = 0; i < 10_000; i++) history.add(i * 0.01, i === 4321 ? 50 : i === 7654 ? -50 : Math.sin(i));
  expect(history.length).toBeLessThanOrEqual(100);
  expect(Math.max(...history.most)).toBe(50);
  expect(Math.min(...history.least)).toBe(-50);
  const at = history.most.indexOf(50);
  expect(history.times[at]!).toBeLessThanOrEqual(43.21);
  expect(history.times[at + 1]!).toBeGreaterThan(43.21);
});

test("times stay in order through thinning", () => {
  const history = new History(64);
  for (let i = 0; i < 1000; i++) history.add(i, i);
  for (let i = 1; i < history.length; i++) expect(history.times[i]!).toBeGreaterThan(history.times[i - 1]!);
  expect(history.times[0]).toBe(0);
  expect(history.most.at(-1)).toBe(999);
});

test("a frame that is older than the newest point is known already", () => {
  const history = new History();
  history.take([0, 1, 2], [0, 0, 0], [1, 1, 1], true);
  history.add(1.5, 100);
  expect(history.times).toEqual([0, 1, 2]);
  history.add(3, 7);
  expect(history.times).toEqual([0, 1, 2, 3]);
});

test("a series that goes on takes the place of the frames it covers", () => {
  const history = new History();
  for (const time of [0, 1, 2, 3]) history.add(time, time);
  history.take([2, 2.5, 3], [10, 11, 12], [10, 11, 12], false);
  expect(history.times).toEqual([0, 1, 2, 2.5, 3]);
  expect(history.least).toEqual([0, 1, 10, 11, 12]);
});

test("a value between two points lies on the line between them", () => {
  const history = new History();
  history.take([0, 2], [0, 10], [0, 20], true);
  expect(history.at(1)).toBe(7.5);
  expect(history.at(-0.1)).toBeNaN();
  expect(history.at(2.1)).toBeNaN();
});

test("a value that changes in steps holds until the next point", () => {
  const history = new History();
  history.take([0, 2], [1, 3], [1, 3], true);
  expect(history.at(1.9, true)).toBe(1);
  expect(history.at(2, true)).toBe(3);
});

test("a curve goes through least and most, and reaches over both edges of the range", () => {
  const history = new History();
  history.take([0, 1, 2, 3, 4], [0, 1, 2, 3, 4], [0, 1, 6, 3, 4], true);
  expect(curveOf(history, 1.5, 2.2)).toEqual({ times: [1, 2, 2.5, 3], values: [1, 2, 6, 3] });
});

test("what is no number leaves a gap in the curve", () => {
  const history = new History();
  history.take([0, 1, 2], [0, Number.NaN, Infinity], [0, Number.NaN, Infinity], true);
  expect(curveOf(history, 0, 2).values.slice(0, 3)).toEqual([0, null, null]);
});

test("the difference is b less a at the times of a, where both are known", () => {
  const a = new History();
  const b = new History();
  a.take([0, 1, 2, 3], [1, 1, 1, 1], [1, 1, 1, 1], true);
  b.take([0.5, 2.5], [5, 9], [5, 9], true);
  expect(differenceOf(a, b, 0, 10)).toEqual({ times: [1, 2], values: [5, 7] });
});

test("a long live series keeps its beginning as fine as its end", () => {
  const history = new History(400);
  // Sixteen new points come with each frame, for ten minutes.
  for (let frame = 0; frame < 18_000; frame++) {
    const times = Array.from({ length: 16 }, (_, i) => (frame + i / 16) / 30);
    history.take(times, times, times, false);
  }
  expect(history.length).toBeLessThanOrEqual(400);
  const early = history.times.filter((time) => time < 300).length;
  const late = history.times.filter((time) => time >= 300).length;
  expect(early / late).toBeGreaterThan(0.5);
  expect(early / late).toBeLessThan(2);
});
