// Draws the plots of the page anew for another span of time, from the points that are embedded in it.

const happenings = JSON.parse(document.body.dataset.happened || "[]");
const rowsOfNotes = 3;

/** A plot of the page. */
class Plot {
  constructor(figure) {
    const { x0, x1, y0, y1, xs, xu, yu, happened, decides, decidesLabel } = figure.dataset;
    this.figure = figure;
    this.canvas = figure.querySelector(".canvas");
    this.svg = this.canvas.querySelector("svg");
    this.whole = [+x0, +x1];
    this.wholeHeight = [+y0, +y1];
    this.span = this.whole;
    this.height = this.wholeHeight;
    [this.timeScale, this.timeUnit, this.unit] = [+xs, xu, yu];
    this.followsOthers = !("ownTime" in figure.dataset);
    this.happened = happenings[+happened] ?? { marks: [], bands: [] };
    this.decisive = decides === undefined ? null : { time: +decides, label: decidesLabel };
    // What the page came with comes back when the zoom is reset.
    this.original = [".back", ".notes", ".y-unit", ".x-unit"]
      .map((place) => figure.querySelector(place))
      .map((element) => ({ element, contents: [...element.childNodes], style: element.getAttribute("style") }));
    this.ticks = [...this.canvas.querySelectorAll("span")];
    this.paths = [...this.svg.querySelectorAll("path[data-points]")];
    this.drawnPaths = this.paths.map((path) => path.getAttribute("d"));
    this.limits = [...this.svg.querySelectorAll(".limit")];
    this.drawnLimits = this.limits.map((limit) => limit.getAttribute("y1"));
  }

  /** The signals with their points, in the order of the legend; read when they are first needed. */
  get series() {
    this.read ??= this.paths.map((path) => {
      const numbers = floats(path.dataset.points);
      const count = numbers.length / 2;
      const times = Float64Array.from(numbers.subarray(0, count), (time) => time + this.whole[0]);
      return { path, name: path.dataset.name, drawing: path.dataset.drawing, times, values: numbers.subarray(count) };
    });
    return this.read.toReversed();
  }

  get isWhole() {
    return this.span[0] === this.whole[0] && this.span[1] === this.whole[1];
  }

  /** The value of a signal at an instant; undefined where it has none. */
  static value({ times, values, drawing }, time) {
    const count = countUntil(times, time);
    if (count === 0) return undefined;
    const [before, after] = [values[count - 1], values[count]];
    if (drawing !== "line" || count === times.length || !Number.isFinite(after)) return before;
    const share = (time - times[count - 1]) / (times[count] - times[count - 1]);
    return before + share * (after - before);
  }

  show(span) {
    const [from, until] = span ?? this.whole;
    if (from === this.span[0] && until === this.span[1]) return;
    this.span = [from, until];
    if (this.isWhole) this.restore();
    else this.draw();
  }

  restore() {
    this.height = this.wholeHeight;
    for (const { element, contents, style } of this.original) {
      element.replaceChildren(...contents);
      if (style) element.setAttribute("style", style);
    }
    this.paths.forEach((path, number) => path.setAttribute("d", this.drawnPaths[number]));
    this.limits.forEach((limit, number) => this.moveLimit(limit, this.drawnLimits[number]));
    this.putTicks(this.ticks);
  }

  draw() {
    const x = axis(this.span[0], this.span[1], 8, this.timeScale);
    this.height = this.visibleHeight();
    const y = axis(this.height[0], this.height[1], 5);
    const place = (time, value) => [
      clamp(x.fraction(time) * 1000, -4000, 5000).toFixed(1),
      clamp((1 - y.fraction(value)) * 1000, -4000, 5000).toFixed(1),
    ];
    for (const series of this.series) series.path.setAttribute("d", this.pathOf(series, place));
    for (const limit of this.limits) this.moveLimit(limit, place(0, +limit.dataset.value)[1]);
    this.drawBack(x, y, place);
    this.figure.querySelector(".y-unit").textContent = unitOf(y, this.unit);
    this.putTicks([
      ...x.ticks.map(([at, text], n) => this.tick(n % 2 ? "tick-x odd" : "tick-x", "left", x.fraction(at), text)),
      ...y.ticks.map(([at, text]) => this.tick("tick-y", "top", 1 - y.fraction(at), text)),
    ]);
    this.drawNotes(x);
  }

  moveLimit(limit, y) {
    limit.setAttribute("y1", y);
    limit.setAttribute("y2", y);
  }

  tick(classes, side, fraction, text) {
    const tick = make("span", { class: classes }, text);
    tick.style[side] = `${fraction * 100}%`;
    return tick;
  }

  putTicks(ticks) {
    for (const old of this.canvas.querySelectorAll("span")) old.remove();
    this.canvas.append(...ticks);
  }

  /** The range of what is seen, with the limits that are near it, and some room. */
  visibleHeight() {
    let [low, high] = [Infinity, -Infinity];
    const take = (value) => {
      if (Number.isFinite(value)) [low, high] = [Math.min(low, value), Math.max(high, value)];
    };
    for (const series of this.series) {
      const [first, last] = this.visible(series);
      for (let i = first; i < last; i++) take(series.values[i]);
      for (const end of this.span) if (series.drawing !== "points") take(Plot.value(series, end));
    }
    if (low > high) return this.wholeHeight;
    const reach = high - low;
    for (const limit of this.limits) {
      const value = +limit.dataset.value;
      if (value >= low - reach && value <= high + reach) take(value);
    }
    const room = high > low ? (high - low) * 0.06 : Math.abs(high) * 0.1 || 1;
    return [low - room, high + room];
  }

  /** Which points are seen. */
  visible({ times }) {
    return [countUntil(times, this.span[0]), countUntil(times, this.span[1])];
  }

  pathOf(series, place) {
    const { times, values, drawing } = series;
    const [first, last] = this.visible(series);
    // One more on each side, so that lines reach the edges.
    const [from, until] = drawing === "points" ? [first, last] : [Math.max(0, first - 1), Math.min(times.length, last + 1)];
    let path = "";
    let joined = false;
    for (let i = from; i < until; i++) {
      if (!Number.isFinite(values[i]) || !Number.isFinite(times[i])) {
        joined = false;
        continue;
      }
      const [right, down] = place(times[i], values[i]);
      if (!joined || drawing === "points") path += `M${right},${down}h0`;
      else path += drawing === "steps" ? `H${right}V${down}` : `L${right},${down}`;
      joined = true;
    }
    return path;
  }

  drawBack(x, y, place) {
    const part = (name, d) => {
      const path = this.svg.querySelector("path").cloneNode(false);
      path.setAttribute("class", name);
      path.setAttribute("d", d);
      return path;
    };
    const upright = (time) => `M${place(time, 0)[0]},0V1000`;
    const isSeen = (time) => time >= x.min && time <= x.max;
    const bands = this.happened.bands.map(([from, until]) => [Math.max(from, x.min), Math.min(until ?? Infinity, x.max)]);
    const band = ([from, until]) => `M${place(from, 0)[0]},0H${place(until, 0)[0]}V1000H${place(from, 0)[0]}z`;
    const parts = [
      part("band", bands.filter(([from, until]) => from < until).map(band).join("")),
      part("grid", x.ticks.map(([at]) => upright(at)).join("") + y.ticks.map(([at]) => `M0,${place(0, at)[1]}H1000`).join("")),
      part("mark", this.happened.marks.filter(([time]) => isSeen(time)).map(([time]) => upright(time)).join("")),
    ];
    if (this.decisive && isSeen(this.decisive.time)) parts.push(part("decisive", upright(this.decisive.time)));
    this.svg.querySelector(".back").replaceChildren(...parts);
  }

  /** Names above the drawing; those that would overlap stand a row higher or are left out. */
  drawNotes(x) {
    const others = [
      ...this.happened.bands.filter(([, until]) => (until ?? Infinity) > x.min).map(([from, , label]) => [Math.max(from, x.min), label]),
      ...this.happened.marks,
    ].filter(([time, label]) => label && time >= x.min && time <= x.max);
    others.sort((a, b) => a[0] - b[0]);
    const { time, label } = this.decisive ?? {};
    const first = this.decisive && time >= x.min && time <= x.max ? [[time, label, "decides"]] : [];
    const box = this.figure.querySelector(".notes");
    const width = box.clientWidth;
    const names = [...first, ...others].slice(0, 60).map(([time, label, classes]) => ({
      left: x.fraction(time) * width,
      span: make("span", { class: classes ?? "" }, label),
    }));
    box.replaceChildren(...names.map(({ span }) => span));
    const rows = Array.from({ length: rowsOfNotes }, () => []);
    for (const name of names) name.size = name.span.offsetWidth + 6;
    let used = 1;
    for (const { left, span, size } of names) {
      const endsThere = left + size > width;
      const from = endsThere ? left - size : left;
      const row = from < 0 ? -1 : rows.findIndex((row) => row.every(([start, end]) => from >= end || from + size <= start));
      if (row < 0) {
        span.remove();
        continue;
      }
      rows[row].push([from, from + size]);
      used = Math.max(used, row + 1);
      span.style.left = `${(left / width) * 100}%`;
      for (const page of ["wide", "narrow"]) {
        span.style.setProperty(`--${page}-row`, row);
        span.style.setProperty(`--${page}-shift`, endsThere ? "-100%" : "0%");
      }
    }
    box.setAttribute("style", `--wide-rows:${used};--narrow-rows:${used}`);
  }
}
