import { expect, test } from "vitest";
import { ScanTrack } from "../src/run/scans";

const scan = (value: number) => new Float32Array([value]);
const valueAt = (track: ScanTrack, time: number) => track.at(time)?.[0];

test("a scan holds until the next", () => {
  const track = new ScanTrack();
  track.take([1, 2], [scan(10), scan(20)]);
  expect([0.9, 1, 1.99, 2, 99].map((time) => valueAt(track, time))).toEqual([undefined, 10, 10, 20, 20]);
});

test("windows that overlap leave each scan once, in the order of time", () => {
  const track = new ScanTrack();
  track.take([4, 6], [scan(4), scan(6)]);
  track.take([1, 4, 5], [scan(1), scan(4), scan(5)]);
  expect(track.length).toBe(4);
  expect([1, 4, 5, 6].map((time) => valueAt(track, time))).toEqual([1, 4, 5, 6]);
});

test("more scans than there is room for are thinned over the whole time", () => {
  const track = new ScanTrack(100);
  const times = Array.from({ length: 1000 }, (_, i) => i);
  track.take(times, times.map(scan));
  expect(track.length).toBeLessThanOrEqual(100);
  expect(Math.abs(valueAt(track, 500)! - 500)).toBeLessThanOrEqual(10);
});
