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
