// Axes, as those that the page came with: round numbers at even distances.

function roundStep(rough) {
  if (!(Number.isFinite(rough) && rough > 0)) return 1;
  const magnitude = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].find((step) => step * magnitude >= rough * (1 - 1e-9));
  return (step ?? 10) * magnitude;
}

/** Zero where numbers read well as they are, else a multiple of three. */
function engineeringExponent(largest, step) {
  if (largest === 0 || (largest >= 1e-2 && largest < 1e5 && step >= 1e-3)) return 0;
  return Math.floor(Math.log10(largest) / 3 + 1e-9) * 3;
}

/** An axis with about `wanted` ticks; `scale` is how many of the numbers make one of what is written. */
function axis(min, max, wanted, scale = 1) {
  const [low, high] = [min / scale, max / scale];
  const step = roundStep((high - low) / wanted);
  const exponent = engineeringExponent(Math.max(Math.abs(low), Math.abs(high)), step);
  const unit = 10 ** exponent;
  let decimals = clamp(-Math.floor(Math.log10(step / unit) + 1e-9), 0, 9);
  const shifted = (step / unit) * 10 ** decimals;
  if (Math.abs(shifted - Math.round(shifted)) > 1e-6) decimals += 1;
  const ticks = [];
  for (let number = Math.ceil(low / step - 1e-9); number * step <= high + step * 1e-9 && ticks.length < 40; number++) {
    const text = ((number * step) / unit).toFixed(decimals);
    ticks.push([number * step * scale, /^-[0.]*$/.test(text) ? text.slice(1) : text.replace("-", "−")]);
  }
  return { min, max, ticks, exponent, fraction: (number) => (number - min) / (max - min) };
}

/** `10³ Pa`, `Pa`, `10³`, or nothing. */
function unitOf({ exponent }, unit) {
  if (exponent === 0) return unit;
  const raised = String(Math.abs(exponent)).replace(/\d/g, (digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit]);
  return `10${exponent < 0 ? "⁻" : ""}${raised} ${unit}`.trimEnd();
}
