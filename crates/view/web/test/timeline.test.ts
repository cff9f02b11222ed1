import { expect, test } from "vitest";
import { isBad, marksOf } from "../src/panels/timeline-marks";
import { stateAt } from "../src/panels/traces";
import type { Event } from "../src/run/messages";
import { clockText, short, tickText, TIME_STEPS } from "../src/ui/numbers";

const event = (time: number, kind: Event["kind"], name: string): Event => ({ time, kind, name, text: "" });

test("a fault lasts from its beginning to its end", () => {
  const marks = marksOf([event(2, "fault-begins", "a"), event(3, "fault-begins", "b"), event(5, "fault-ends", "a")], 0);
  expect(marks.map(({ from, to }) => [from, to])).toEqual([[2, 5], [3, Infinity]]);
});

test("a fault that comes twice has two bars", () => {
  const kinds = ["fault-begins", "fault-ends", "fault-begins", "fault-ends"] as const;
  const marks = marksOf(kinds.map((kind, i) => event(i, kind, "a")), 0);
  expect(marks.map(({ from, to }) => [from, to])).toEqual([[0, 1], [2, 3]]);
});

test("what failed stands out, what passed does not", () => {
  const verdict = (text: string): Event => ({ time: 1, kind: "requirement", name: "height", text });
  expect(["passed", "failed", "undecided", "ends the run"].map((text) => isBad(verdict(text)))).toEqual([false, true, true, true]);
});

test("the state at a time is the last one entered", () => {
  const trace: [number, string][] = [[0, "idle"], [1, "climb"], [10, "cruise"]];
  expect([0, 0.99, 1, 9.9, 10, 99].map((time) => stateAt(trace, time))).toEqual(["idle", "idle", "climb", "climb", "cruise", "cruise"]);
});

test("numbers and times read well", () => {
  expect([0, 1234.56, -0.5, 1e-9, Number.NaN, Infinity].map(short)).toEqual(["0", "1235", "−0.5", "1e−9", "–", "∞"]);
  expect([0, 59.999, 60, 3723.5].map(clockText)).toEqual(["0.00 s", "1:00.00", "1:00.00", "1:02:03.50"]);
});

test("axes of long runs are in minutes and hours", () => {
  expect(tickText(0.002, 0.001)).toBe("0.002 s");
  expect(tickText(90, 30)).toBe("90 s");
  expect(tickText(600, 120)).toBe("10 min");
  expect(tickText(43_200, 10_800)).toBe("12 h");
  expect([3, 25, 50, 4000].map((least) => TIME_STEPS.find((step) => step >= least))).toEqual([5, 30, 60, 7200]);
});
