// What all drawings of the page share: the instant that is looked at, and the span of time that is shown.

const shared = {
  /** Seconds, or null while nobody looks. */
  time: null,
  /** From and until in seconds, or null for all of it. */
  span: null,
  listeners: [],
  setTime(time) {
    if (time === this.time) return;
    this.time = time;
    for (const listener of this.listeners) listener("time");
  },
  setSpan(span) {
    this.span = span;
    for (const listener of this.listeners) listener("span");
  },
};

/** Numbers that are embedded as Base64 of 32-bit floats. */
function floats(text) {
  const letters = atob(text ?? "");
  const bytes = new Uint8Array(letters.length);
  for (let i = 0; i < letters.length; i++) bytes[i] = letters.charCodeAt(i);
  return new Float32Array(bytes.buffer);
}

function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

const clamp = (number, low, high) => Math.min(high, Math.max(low, number));

/** How many of `times`, which are sorted, are at or before `time`. */
function countUntil(times, time) {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle] <= time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A number for people: five digits that count, and a real minus sign. */
const shown = (number) => String(+number.toPrecision(5)).replace("-", "−");

/** What is said to those who do not see it. */
const voice = make("div", { class: "spoken", "aria-live": "polite", "data-test": "voice" });
document.body.append(voice);
