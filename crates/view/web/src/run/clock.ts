import { Emitter } from "./emitter";
import type { Run } from "./run";

/** The one clock of the page. For a recording it is the play head; for a live run it is the time of the newest frame. */
export class Clock extends Emitter<{ change: number; play: boolean }> {
  time = 0;
  playing = false;
  /** Simulated seconds per second; negative plays backwards. */
  speed = 1;
  /** The head moved, or frames arrived: what is shown has to be looked up again. */
  private stale = true;

  constructor(private readonly runs: Run[]) {
    super();
    for (const run of runs) {
      run.on("history", () => (this.stale = true));
      run.on("shown", (frame) => {
        if (run.live) this.move(frame.time);
      });
    }
  }

  get live(): boolean {
    return this.runs[0]!.live;
  }

  get duration(): number {
    return Math.max(...this.runs.map((run) => run.duration));
  }

  seek(time: number): void {
    if (this.live) return;
    this.move(Math.max(0, Math.min(this.duration, time)));
  }

  play(direction: 1 | -1): void {
    this.speed = Math.abs(this.speed) * direction;
    if (direction > 0 && this.time >= this.duration) this.move(0);
    if (direction < 0 && this.time <= 0) this.move(this.duration);
    this.playing = true;
    this.tell("play", true);
  }

  stop(): void {
    this.playing = false;
    this.tell("play", false);
  }

  /** Called with the seconds since the last picture. */
  tick(seconds: number): void {
    if (this.live) return;
    if (this.playing) {
      // After a suspended tab the head does not leap.
      this.move(this.time + this.speed * Math.min(seconds, 0.25));
      if (this.time >= this.duration || this.time <= 0) {
        this.time = Math.max(0, Math.min(this.duration, this.time));
        this.stop();
      }
    }
    if (!this.stale) return;
    this.stale = false;
    for (const run of this.runs) run.showAt(Math.min(this.time, run.duration), this.playing ? this.speed : 1);
  }

  private move(time: number): void {
    if (time === this.time) return;
    this.time = time;
    this.stale = true;
    this.tell("change", time);
  }
}
