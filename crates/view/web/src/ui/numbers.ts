/** A number for people: four digits that matter, no noise. */
export function short(value: number): string {
  if (Number.isNaN(value)) return "–";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  if (value === 0) return "0";
  const size = Math.abs(value);
  const text = size >= 1e6 || size < 1e-4 ? Number(value.toPrecision(3)).toExponential().replace("e+", "e") : String(Number(value.toPrecision(4)));
  return text.replace("-", "−");
}

/** A simulated time: seconds below a minute, then minutes and seconds. */
export function clockText(seconds: number): string {
  const sign = seconds < 0 ? "−" : "";
  const tenths = Math.round(Math.abs(seconds) * 100);
  const minutes = Math.floor(tenths / 6000);
  const rest = ((tenths % 6000) / 100).toFixed(2);
  if (minutes === 0) return `${sign}${rest} s`;
  const hours = Math.floor(minutes / 60);
  const head = hours > 0 ? `${hours}:${String(minutes % 60).padStart(2, "0")}` : String(minutes);
  return `${sign}${head}:${rest.padStart(5, "0")}`;
}

/** Round steps of time, in seconds: of long runs in minutes, hours and days. */
export const TIME_STEPS = [
  ...Array.from({ length: 12 }, (_, i) => [1, 2, 5].map((factor) => Number(`${factor}e${i - 12}`))).flat(),
  ...[1, 2, 5, 10, 20, 30].flatMap((factor) => [factor, factor * 60]),
  ...[1, 2, 3, 6, 12].map((hours) => hours * 3600),
  ...Array.from({ length: 8 }, (_, i) => [1, 2, 5].map((factor) => factor * 10 ** i * 86_400)).flat(),
].sort((a, b) => a - b);

/** A time at an axis whose marks are so far apart. */
export function tickText(seconds: number, step: number): string {
  const [unit, size] = step >= 3600 ? ["h", 3600] : step >= 60 ? ["min", 60] : ["s", 1];
  return `${short(Number((seconds / size).toPrecision(9)))} ${unit}`;
}
