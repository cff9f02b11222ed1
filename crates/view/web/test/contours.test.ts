import { expect, test } from "vitest";
import { contourLines, roundStep, thinGrid } from "../src/scene/contours";

const slope = { rows: 5, columns: 5, north: 0, east: 0, stepNorth: 1, stepEast: 1, down: Float32Array.from({ length: 25 }, (_, i) => Math.floor(i / 5)) };

test("lines of equal height on a slope run across it", () => {
  const lines = contourLines({ ...slope, down: slope.down.map((down) => down + 0.5) }, 1);
  for (let i = 0; i < lines.length; i += 3) expect(lines[i]! + 0.5).toBeCloseTo(lines[i + 2]!, 5);
  expect(new Set(lines.filter((_, i) => i % 3 === 2))).toEqual(new Set([1, 2, 3, 4]));
});

test("a grid that is too fine is thinned, and keeps its extent", () => {
  const thin = thinGrid({ ...slope, rows: 101, columns: 101, down: new Float32Array(101 * 101) }, 51);
  expect([thin.rows, thin.columns, thin.stepNorth]).toEqual([51, 51, 2]);
});

test("steps are round", () => {
  expect([0.7, 1, 1.1, 3, 7, 23, 0.03].map(roundStep)).toEqual([1, 1, 2, 5, 10, 50, 0.05]);
});
