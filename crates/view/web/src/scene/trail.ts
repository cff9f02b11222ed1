import { BufferAttribute, BufferGeometry, Line, LineBasicMaterial } from "three";
import type { Vector } from "../run/messages";
import { NOT_THERE, POSE, type Frame } from "../run/protocol";

const CAPACITY = 2048;

/** Where a body was: one buffer of bounded length. When it is full, every second point goes. */
export class Trail {
  readonly line: Line;
  private readonly places = new Float32Array(CAPACITY * 3);
  private readonly times = new Float64Array(CAPACITY);
  private count = 0;
  private readonly attribute = new BufferAttribute(this.places, 3);

  constructor(
    private readonly body: number,
    colour: string,
    private readonly spacing: number,
  ) {
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", this.attribute);
    geometry.setDrawRange(0, 0);
    this.line = new Line(geometry, new LineBasicMaterial({ color: colour, transparent: true, opacity: 0.75 }));
    this.line.frustumCulled = false;
  }

  /** Live: the place in the newest frame, if it is far enough from the last one. */
  follow(frame: Frame): void {
    const at = frame.bodies.indexOf(this.body) * POSE;
    if (at < 0 || frame.poses[at + 7]! & NOT_THERE) return;
    this.add(frame.time, frame.poses[at]!, frame.poses[at + 1]!, frame.poses[at + 2]!);
  }

  private add(time: number, north: number, east: number, down: number): void {
    const last = 3 * (this.count - 1);
    if (this.count > 0) {
      if (time < this.times[this.count - 1]!) this.count = 0;
      else if (Math.hypot(north - this.places[last]!, east - this.places[last + 1]!, down - this.places[last + 2]!) < this.spacing) return;
    }
    if (this.count === CAPACITY) this.halve();
    this.places.set([north, east, down], 3 * this.count);
    this.times[this.count++] = time;
    this.attribute.needsUpdate = true;
    this.line.geometry.setDrawRange(0, this.count);
  }

  /** Recording: the whole way is known; `showUntil` says how much of it is past. */
  fill(frames: Frame[]): void {
    this.count = 0;
    for (const frame of frames) {
      const i = frame.bodies.indexOf(this.body);
      if (i < 0 || this.count === CAPACITY) continue;
      const at = i * POSE;
      if (frame.poses[at + 7]! & NOT_THERE) continue;
      this.places.set(frame.poses.subarray(at, at + 3), 3 * this.count);
      this.times[this.count++] = frame.time;
    }
    this.attribute.needsUpdate = true;
  }

  showUntil(time: number): void {
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.times[middle]! <= time) low = middle + 1;
      else high = middle;
    }
    this.line.geometry.setDrawRange(0, low);
  }

  /** Two opposite corners of the box around all of it; none where it is empty. */
  corners(): Vector[] {
    if (this.count === 0) return [];
    const least: Vector = [Infinity, Infinity, Infinity];
    const most: Vector = [-Infinity, -Infinity, -Infinity];
    for (let i = 0; i < 3 * this.count; i++) {
      least[i % 3] = Math.min(least[i % 3]!, this.places[i]!);
      most[i % 3] = Math.max(most[i % 3]!, this.places[i]!);
    }
    return [least, most];
  }

  private halve(): void {
    for (let i = 0; 2 * i < CAPACITY; i++) {
      this.places.copyWithin(3 * i, 6 * i, 6 * i + 3);
      this.times[i] = this.times[2 * i]!;
    }
    this.count = CAPACITY / 2;
  }
}
