import type { History } from "../run/history";

export interface Curve {
  times: number[];
  /** Null where the value is no number that can be drawn. */
  values: (number | null)[];
}

const drawn = (value: number) => (Number.isFinite(value) ? value : null);

/** The points of a history that a range needs, one more on each side. A point whose least and most differ becomes two:
 *  the least at its time and the most half way to the next, so that the line goes through both. */
export function curveOf(history: History, from: number, to: number): Curve {
  const { times, least, most } = history;
  const curve: Curve = { times: [], values: [] };
  const first = Math.max(0, lowerBound(times, from) - 1);
  const last = Math.min(times.length - 1, lowerBound(times, to));
  for (let i = first; i <= last; i++) {
    curve.times.push(times[i]!);
    curve.values.push(drawn(least[i]!));
    if (least[i] === most[i]) continue;
    const next = times[i + 1] ?? times[i]! + (times[i]! - (times[i - 1] ?? times[i]! - 1));
    curve.times.push((times[i]! + next) / 2);
    curve.values.push(drawn(most[i]!));
  }
  return curve;
}

/** b − a at the times of a, where both are known. */
export function differenceOf(a: History, b: History, from: number, to: number, steps = false): Curve {
  const curve: Curve = { times: [], values: [] };
  for (let i = 0; i < a.times.length; i++) {
    const time = a.times[i]!;
    if (time < from || time > to) continue;
    const value = b.at(time, steps) - (a.least[i]! + a.most[i]!) / 2;
    if (!Number.isFinite(value)) continue;
    curve.times.push(time);
    curve.values.push(value);
  }
  return curve;
}

/** The first index whose value is not below `value`. */
export function lowerBound(list: ArrayLike<number>, value: number): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
