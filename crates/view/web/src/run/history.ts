/** The values of a signal over time, bounded. Where there are too many points, neighbours become one with the least and
 *  the most of both, so that no extreme is lost. */
export class History {
  times: number[] = [];
  least: number[] = [];
  most: number[] = [];
  /** Values that make one point of the newest; doubles with each thinning. */
  private perPoint = 1;
  private inLast = 0;

  constructor(private readonly limit = 4000) {}

  get length(): number {
    return this.times.length;
  }

  /** Takes a value of a frame; older ones than the newest known are already in the series. */
  add(time: number, value: number): void {
    const last = this.times.length - 1;
    if (last >= 0 && time <= this.times[last]!) return;
    if (last >= 0 && this.inLast < this.perPoint) {
      this.least[last] = Math.min(this.least[last]!, value);
      this.most[last] = Math.max(this.most[last]!, value);
      this.inLast++;
      return;
    }
    this.push(time, value, value);
    this.inLast = 1;
  }

  /** Takes a series: all there is, or what goes on from the first of its points. */
  take(times: ArrayLike<number>, least: ArrayLike<number>, most: ArrayLike<number>, replaces: boolean): void {
    if (replaces) this.clear();
    if (times.length === 0) return;
    let keep = this.times.length;
    while (keep > 0 && this.times[keep - 1]! >= times[0]!) keep--;
    this.times.length = this.least.length = this.most.length = keep;
    for (let i = 0; i < times.length; i++) this.push(times[i]!, least[i]!, most[i]!);
    this.inLast = this.perPoint;
  }

  clear(): void {
    this.times = [];
    this.least = [];
    this.most = [];
    this.perPoint = 1;
    this.inLast = 0;
  }

  /** The value at a time, linear between points (the middle of least and most); NaN outside. */
  at(time: number): number {
    const { times } = this;
    const count = times.length;
    if (count === 0 || time < times[0]! || time > times[count - 1]!) return Number.NaN;
    let low = 0;
    let high = count - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (times[middle]! <= time) low = middle;
      else high = middle;
    }
    const middleOf = (i: number) => (this.least[i]! + this.most[i]!) / 2;
    const span = times[high]! - times[low]!;
    const part = span > 0 ? (time - times[low]!) / span : 0;
    return middleOf(low) * (1 - part) + middleOf(high) * part;
  }

  private push(time: number, least: number, most: number): void {
    if (this.times.length >= this.limit) {
      this.times = everySecond(this.times);
      this.least = pairs(this.least, Math.min);
      this.most = pairs(this.most, Math.max);
      this.perPoint *= 2;
    }
    this.times.push(time);
    this.least.push(least);
    this.most.push(most);
  }
}

function everySecond(list: number[]): number[] {
  return list.filter((_, i) => i % 2 === 0);
}

function pairs(list: number[], of: (a: number, b: number) => number): number[] {
  const out: number[] = [];
  for (let i = 0; i < list.length; i += 2) out.push(i + 1 < list.length ? of(list[i]!, list[i + 1]!) : list[i]!);
  return out;
}
