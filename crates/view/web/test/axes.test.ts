import { Vector3 } from "three";
import { expect, test } from "vitest";
import { NED_TO_THREE, toNed, toThree } from "../src/scene/axes";
import { latitudeLongitude } from "../src/scene/geodesy";

test("north goes into the screen, east to the right, down to the bottom", () => {
  expect(toThree([1, 0, 0]).toArray()).toEqual([0, -0, -1]);
  expect(toThree([0, 1, 0]).toArray()).toEqual([1, -0, -0]);
  expect(toThree([0, 0, 1]).toArray()).toEqual([0, -1, -0]);
});

test("the turn of the group and the function for places are the same", () => {
  for (const place of [[1, 2, 3], [-4, 0.5, 9]] as [number, number, number][]) {
    const turned = new Vector3(...place).applyQuaternion(NED_TO_THREE);
    expect(turned.distanceTo(toThree(place))).toBeLessThan(1e-12);
    expect(toNed(toThree(place))).toEqual(place);
  }
});

test("the axes stay right-handed", () => {
  const north = toThree([1, 0, 0]);
  expect(north.cross(toThree([0, 1, 0])).distanceTo(toThree([0, 0, 1]))).toBeLessThan(1e-12);
});

test("a minute of arc on the meridian at 45 degrees is 1852 m", () => {
  const there = latitudeLongitude({ latitude: 45, longitude: 10 }, 1852.2, 0);
  expect((there.latitude - 45) * 60).toBeCloseTo(1, 3);
  expect(there.longitude).toBe(10);
});

test("a degree of longitude at the equator is 111320 m", () => {
  expect(latitudeLongitude({ latitude: 0, longitude: 0 }, 0, 111319.5).longitude).toBeCloseTo(1, 5);
});
