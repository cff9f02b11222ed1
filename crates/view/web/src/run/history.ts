/** The values of a signal over time, bounded. Where there are too many points, neighbours become one with the least and
 *  the most of both, so that no extreme is lost. Points stay about equally dense over all of the time, however they came. */
export class History {
  times: number[] = [];
  least: number[] = [];
  most: number[] = [];
  /** Time that one point stands for; grows with each thinning, s. */
  private spacing = 0;

  constructor(private readonly limit = 4000) {}

  get length(): number {
    return this.times.length;
  }

  /** Takes a value of a frame; older ones than the newest known are already in the series. */
  add(time: number, value: number): void {
    const last = this.times.at(-1);
    if (last === undefined || time > last) this.put(time, value, value);
  }

  /** Takes a series: all there is, or what goes on from the first of its points. */
  take(times: ArrayLike<number>, least: ArrayLike<number>, most: ArrayLike<number>, replaces: boolean): void {
    if (replaces) this.clear();
    if (times.length === 0) return;
    let keep = this.times.length;
    while (keep > 0 && this.times[keep - 1]! >= times[0]!) keep--;
    this.times.length = this.least.length = this.most.length = keep;
    for (let i = 0; i < times.length; i++) this.put(times[i]!, least[i]!, most[i]!);
  }

  clear(): void {
    this.times = [];
    this.least = [];
    this.most = [];
    this.spacing = 0;
  }

  /** The value at a time, linear between points (the middle of least and most), or that of the last one if it `steps`;
   *  NaN outside. */
  at(time: number, steps = false): number {
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
    const part = span <= 0 || (steps && time < times[high]!) ? 0 : (time - times[low]!) / span;
    return middleOf(low) * (1 - part) + middleOf(high) * part;
  }

  private put(time: number, least: number, most: number): void {
    const last = this.times.length - 1;
    if (last >= 0 && time - this.times[last]! < this.spacing) {
      this.least[last] = Math.min(this.least[last]!, least);
      this.most[last] = Math.max(this.most[last]!, most);
      return;
    }
    this.times.push(time);
    this.least.push(least);
    this.most.push(most);
    if (this.times.length > this.limit) this.thin();
  }

  private thin(): void {
    const { times, least, most } = this;
    this.clear();
    this.spacing = (2 * (times.at(-1)! - times[0]!)) / this.limit;
    for (let i = 0; i < times.length; i++) this.put(times[i]!, least[i]!, most[i]!);
  }
}
