import type { Frame } from "./protocol";

export type AskWindow = (from: number, to: number, step: number) => Promise<Frame[]>;

const COARSE_FRAMES = 600;
const FINEST_STEP = 1 / 30;
const CHUNK_FRAMES = 90;
const AHEAD = 2;
const IN_FLIGHT = 2;

/** Frames of a recording near the play head. A coarse window of the whole run comes first, so that the slider answers at
 *  once; finer chunks follow in the direction of play. Chunks of level k have a step of 2^k / 30 s. */
export class PlaybackCache {
  coarse: Frame[] = [];
  private readonly chunks = new Map<string, Frame[]>();
  private readonly asked = new Set<string>();
  private readonly refused = new Set<string>();
  private frames = 0;

  constructor(
    private readonly ask: AskWindow,
    readonly duration: number,
    private readonly arrived: () => void,
    private readonly limit = 6000,
  ) {}

  private get coarseStep(): number {
    return this.duration / COARSE_FRAMES;
  }

  async begin(): Promise<void> {
    if (this.duration <= 0) return;
    this.coarse = await this.ask(0, this.duration, this.coarseStep);
    this.arrived();
  }

  /** What was on its way when the connection went will not come. */
  forgetRequests(): void {
    this.asked.clear();
    this.refused.clear();
  }

  /** Asks for what will soon be shown and is not here. */
  prepare(time: number, speed: number): void {
    const level = levelFor(speed);
    const step = FINEST_STEP * 2 ** level;
    if (this.coarse.length > 0 && step >= this.coarseStep) return;
    const length = step * CHUNK_FRAMES;
    const here = Math.floor(time / length);
    const direction = speed < 0 ? -1 : 1;
    for (let i = 0; i <= AHEAD; i++) {
      const number = here + i * direction;
      if (number < 0 || number * length > this.duration) continue;
      this.fetch(`${level}:${number}`, number * length, Math.min((number + 1) * length, this.duration), step);
    }
  }

  /** The frames on both sides of a time, and how far it is from the first to the second (0 to 1). */
  at(time: number, speed: number): { before: Frame; after: Frame; part: number } | null {
    const wanted = levelFor(speed);
    for (const level of [wanted, ...[0, 1, 2, 3, 4, 5, 6, 7].filter((k) => k !== wanted)]) {
      const number = Math.floor(time / (FINEST_STEP * 2 ** level * CHUNK_FRAMES));
      const key = `${level}:${number}`;
      const chunk = this.chunks.get(key);
      if (chunk === undefined || chunk.length === 0) continue;
      this.chunks.delete(key);
      this.chunks.set(key, chunk);
      return between(chunk, time, this.chunks.get(`${level}:${number + 1}`)?.[0]);
    }
    return this.coarse.length > 0 ? between(this.coarse, time) : null;
  }

  get frameCount(): number {
    return this.frames;
  }

  private fetch(key: string, from: number, to: number, step: number): void {
    if (this.chunks.has(key) || this.asked.has(key) || this.refused.has(key) || this.asked.size >= IN_FLIGHT) return;
    this.asked.add(key);
    this.ask(from, to, step).then(
      (frames) => {
        this.asked.delete(key);
        this.chunks.set(key, frames);
        this.frames += frames.length;
        this.dropOldest();
        this.arrived();
      },
      () => {
        this.asked.delete(key);
        this.refused.add(key);
      },
    );
  }

  private dropOldest(): void {
    for (const [key, chunk] of this.chunks) {
      if (this.frames <= this.limit || this.chunks.size <= AHEAD + 1) return;
      this.chunks.delete(key);
      this.frames -= chunk.length;
    }
  }
}

function levelFor(speed: number): number {
  return Math.max(0, Math.min(7, Math.ceil(Math.log2(Math.max(Math.abs(speed), 1)))));
}

function between(frames: Frame[], time: number, next?: Frame): { before: Frame; after: Frame; part: number } {
  let low = 0;
  let high = frames.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (frames[middle]!.time <= time) low = middle;
    else high = middle;
  }
  let before = frames[low]!;
  let after = frames[high]!;
  if (time > after.time) {
    before = after;
    after = next !== undefined && next.time >= time ? next : after;
  }
  const span = after.time - before.time;
  const part = span > 0 ? Math.max(0, Math.min(1, (time - before.time) / span)) : 0;
  return { before, after, part };
}
