import { expect, test } from "vitest";
import { keysFor, moveByKeys, toAxis, withDeadZone } from "../src/panels/drive-axes";

const axis = (parameter: string, least = -1, most = 1, rest = 0) => ({ parameter, least, most, rest });

test("a stick at rest is at rest, and reaches its end without a step", () => {
  expect(withDeadZone(0.07)).toBe(0);
  expect(withDeadZone(0.081)).toBeCloseTo(0.001, 2);
  expect(withDeadZone(-1)).toBe(-1);
  expect(withDeadZone(1.2)).toBe(1);
});

test("deflection goes from rest to either end of the axis", () => {
  const throttle = axis("throttle", 0, 1, 0.2);
  expect([-1, -0.5, 0, 0.5, 1].map((part) => toAxis(part, throttle))).toEqual([0, 0.1, 0.2, expect.closeTo(0.6, 9), 1]);
});

test("a key moves to full and back to rest", () => {
  let part = 0;
  for (let i = 0; i < 6; i++) part = moveByKeys(part, true, false, 0.1);
  expect(part).toBe(1);
  for (let i = 0; i < 6; i++) part = moveByKeys(part, false, false, 0.1);
  expect(part).toBe(0);
});

test("keys go by the name of the axis, and no key has two", () => {
  const keys = keysFor([axis("roll"), axis("pitch"), axis("throttle"), axis("yaw"), axis("fifth")]);
  expect(keys.map((pair) => pair?.plus ?? null)).toEqual(["ArrowRight", "ArrowUp", "KeyW", "KeyD", null]);
});
