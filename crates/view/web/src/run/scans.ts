/** What a sensor measured over time, bounded in all by so many distances. Windows of a recording overlap; each scan is
 *  kept once. */
export class ScanTrack {
  private times: number[] = [];
  private distances: Float32Array[] = [];

  constructor(private readonly limit = 4_000_000) {}

  get length(): number {
    return this.times.length;
  }

  /** Takes scans in the order of time. */
  take(times: readonly number[], distances: readonly Float32Array[]): void {
    const mergedTimes: number[] = [];
    const merged: Float32Array[] = [];
    let old = 0;
    const keepOld = (until: number) => {
      for (; old < this.times.length && this.times[old]! < until; old++) {
        mergedTimes.push(this.times[old]!);
        merged.push(this.distances[old]!);
      }
    };
    times.forEach((time, i) => {
      keepOld(time);
      if (this.times[old] === time) return;
      mergedTimes.push(time);
      merged.push(distances[i]!);
    });
    keepOld(Infinity);
    const every = Math.ceil(merged.reduce((sum, scan) => sum + scan.length, 0) / this.limit);
    this.times = mergedTimes.filter((_, i) => every <= 1 || i % every === 0);
    this.distances = merged.filter((_, i) => every <= 1 || i % every === 0);
  }

  /** The last scan at or before a time: it holds until the next. */
  at(time: number): Float32Array | undefined {
    let low = 0;
    let high = this.times.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.times[middle]! <= time) low = middle + 1;
      else high = middle;
    }
    return this.distances[low - 1];
  }
}
