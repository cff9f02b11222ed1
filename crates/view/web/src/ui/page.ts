import type { Clock } from "../run/clock";
import { Emitter } from "../run/emitter";
import type { Run } from "../run/run";
import type { Announcer } from "./announce";

/** What the panels share: the runs, the clock, and what the person picked. */
export class Page extends Emitter<{ vehicle: string | null; component: string }> {
  vehicle: string | null = null;

  constructor(
    readonly runs: Run[],
    readonly clock: Clock,
    readonly announcer: Announcer,
  ) {
    super();
  }

  get first(): Run {
    return this.runs[0]!;
  }

  selectVehicle(path: string | null): void {
    this.vehicle = path;
    this.tell("vehicle", path);
  }

  /** Shows the signals of a component in the tree. */
  selectComponent(path: string): void {
    this.tell("component", path);
  }
}

/** Calls a function at most once in so many milliseconds, and once after the last wish. */
export function atMostEvery(milliseconds: number, action: () => void): () => void {
  let timer = 0;
  let last = 0;
  return () => {
    if (timer !== 0) return;
    const wait = Math.max(0, last + milliseconds - performance.now());
    timer = window.setTimeout(() => {
      timer = 0;
      last = performance.now();
      action();
    }, wait);
  };
}
