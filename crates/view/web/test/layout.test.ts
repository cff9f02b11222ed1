import { expect, test } from "vitest";
import { arrange, HEIGHT } from "../src/panels/graph-drawing";
import { layered, withoutCircles } from "../src/panels/graph-layout";
import { ownerOf } from "../src/panels/graph-ports";

test("each node stands right of what it hears", () => {
  const edges = [{ from: 0, to: 1 }, { from: 1, to: 2 }, { from: 0, to: 2 }, { from: 3, to: 2 }];
  const { layer } = layered(4, edges);
  for (const { from, to } of edges) expect(layer[from]!).toBeLessThan(layer[to]!);
});

test("a circle is cut once and everything is placed", () => {
  const edges = [{ from: 0, to: 1 }, { from: 1, to: 2 }, { from: 2, to: 0 }];
  expect(withoutCircles(3, edges)).toEqual([{ from: 0, to: 1 }, { from: 1, to: 2 }, { from: 0, to: 2 }]);
  expect(layered(3, edges).layers).toEqual([[0], [1], [2]]);
});

test("a link to itself does no harm", () => {
  expect(layered(1, [{ from: 0, to: 0 }]).layers).toEqual([[0]]);
});

test("sorting takes crossings away", () => {
  const { order } = layered(4, [{ from: 0, to: 3 }, { from: 1, to: 2 }]);
  expect(Math.sign(order[0]! - order[1]!)).toBe(Math.sign(order[3]! - order[2]!));
});

test("no two nodes share a place", () => {
  const edges = Array.from({ length: 60 }, (_, i) => ({ from: (i * 7) % 30, to: (i * 11 + 3) % 30 }));
  const { layer, order } = layered(30, edges);
  expect(new Set(layer.map((column, i) => `${column}:${order[i]}`)).size).toBe(30);
});

test("a port belongs to the longest path that it begins with", () => {
  const components = ["world", "world.drone", "worldly"].map((path) => ({ path, type: "" }));
  expect(ownerOf("world.drone.motor_1", components)).toBe(1);
  expect(ownerOf("world.wind", components)).toBe(0);
  expect(ownerOf("worldly.x", components)).toBe(2);
  expect(ownerOf("other.x", components)).toBe(-1);
});

test("a long chain goes on in other rows", () => {
  const edges = Array.from({ length: 15 }, (_, i) => ({ from: i, to: i + 1 }));
  const { width, height, places } = arrange(layered(16, edges), edges, 700, 320);
  expect(new Set(places.map(({ y }) => y)).size).toBeGreaterThan(1);
  expect(Math.min(700 / width, 320 / height)).toBeGreaterThan(0.5);
  expect(new Set(places.map(({ x, y }) => `${x}:${y}`)).size).toBe(16);
});

test("a link back goes round the boxes", () => {
  const edges = [{ from: 0, to: 1 }, { from: 1, to: 0 }];
  const { height, places, paths } = arrange(layered(2, edges), edges, 700, 320);
  expect(places[0]!.y).toBe(places[1]!.y);
  const lane = Number(/L\S+ (\S+)C/.exec(paths[1]!)![1]);
  expect(lane).toBeGreaterThan(places[0]!.y + HEIGHT);
  expect(lane).toBeLessThan(height);
});
