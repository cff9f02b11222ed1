// Zoom and cursor of the plots. Plots over the same time move together.

const plots = [...document.querySelectorAll("figure.plot[data-x0]")].map((figure) => new Plot(figure));
const seenPlots = new Set();

/** Shows the shared span in a plot that is seen; others follow when they come into view. */
function follow(plot) {
  if (plot.followsOthers) plot.show(shared.span);
  showCursor(plot);
}

/** The smallest span that 32-bit times still tell apart. */
const smallest = ([from, until]) => (until - from) * 1e-5;

function zoomTo(plot, from, until) {
  const [start, end] = plot.whole;
  const size = clamp(until - from, smallest(plot.whole), end - start);
  const first = clamp(from, start, end - size);
  const span = size >= (end - start) * 0.9999 ? null : [first, first + size];
  if (plot.followsOthers) shared.setSpan(span);
  else {
    plot.show(span);
    showCursor(plot);
  }
}

function zoomBy(plot, factor, around) {
  const [from, until] = plot.span;
  const middle = around ?? (shared.time !== null && shared.time >= from && shared.time <= until ? shared.time : (from + until) / 2);
  zoomTo(plot, middle - (middle - from) * factor, middle + (until - middle) * factor);
}

function moveBy(plot, share) {
  const [from, until] = plot.span;
  const step = (until - from) * share;
  zoomTo(plot, from + step, until + step);
}

const timeAt = (plot, clientX) => {
  const box = plot.canvas.getBoundingClientRect();
  const share = clamp((clientX - box.left) / box.width, 0, 1);
  return plot.span[0] + share * (plot.span[1] - plot.span[0]);
};

/** What a plot says of an instant: its signals, and what happens within a hair's breadth. */
function readings(plot, time) {
  const near = ((plot.span[1] - plot.span[0]) / plot.canvas.clientWidth) * 4;
  const lines = [`${shown(time / plot.timeScale)} ${plot.timeUnit}`];
  for (const series of plot.series) {
    const value = Plot.value(series, time);
    if (Number.isFinite(value)) lines.push(`${series.name}: ${shown(value)} ${plot.unit}`.trimEnd());
  }
  const bands = plot.happened.bands.filter(([from, until]) => from <= time && time <= (until ?? Infinity));
  const marks = plot.happened.marks.filter(([at]) => Math.abs(at - time) <= near);
  const names = [...bands.map(([, , label]) => label), ...marks.map(([, label]) => label)].filter((label) => label);
  return [...lines, ...[...new Set(names)].slice(0, 5)];
}

function showCursor(plot) {
  const { time } = shared;
  const isSeen = plot.followsOthers && time !== null && time >= plot.span[0] && time <= plot.span[1];
  plot.cursor.hidden = !isSeen;
  if (!isSeen) return;
  const share = (time - plot.span[0]) / (plot.span[1] - plot.span[0]);
  plot.cursor.style.left = `${share * 100}%`;
  plot.cursor.classList.toggle("left", share > 0.55);
  plot.cursor.firstChild.textContent = readings(plot, time).join("\n");
}

/** Drags select a span; a mere click does not. */
function listenToPointer(plot) {
  const { canvas } = plot;
  let start = null;
  canvas.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    start = { x: event.clientX, time: timeAt(plot, event.clientX) };
    canvas.focus({ preventScroll: true });
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointermove", (event) => {
    const time = timeAt(plot, event.clientX);
    if (plot.followsOthers) shared.setTime(time);
    if (!start) return;
    const [from, until] = [Math.min(start.time, time), Math.max(start.time, time)];
    const size = plot.span[1] - plot.span[0];
    plot.selection.hidden = Math.abs(event.clientX - start.x) < 6;
    plot.selection.style.left = `${((from - plot.span[0]) / size) * 100}%`;
    plot.selection.style.width = `${((until - from) / size) * 100}%`;
  });
  const end = (event) => {
    if (start && event.type === "pointerup" && Math.abs(event.clientX - start.x) >= 6) {
      const time = timeAt(plot, event.clientX);
      zoomTo(plot, Math.min(start.time, time), Math.max(start.time, time));
    }
    start = null;
    plot.selection.hidden = true;
  };
  canvas.addEventListener("pointerup", end);
  canvas.addEventListener("pointercancel", end);
  canvas.addEventListener("pointerleave", () => shared.setTime(null));
  canvas.addEventListener("dblclick", () => zoomTo(plot, ...plot.whole));
  // The wheel scrolls the page unless the plot was chosen before, or Ctrl is held.
  canvas.addEventListener("wheel", (event) => {
    if (document.activeElement !== canvas && !event.ctrlKey) return;
    event.preventDefault();
    if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) moveBy(plot, event.deltaX / 1000);
    else zoomBy(plot, 1.0015 ** event.deltaY, timeAt(plot, event.clientX));
  }, { passive: false });
}

function listenToKeys(plot) {
  const moveCursor = (share) => {
    const [from, until] = plot.span;
    shared.setTime(clamp((shared.time ?? (from + until) / 2) + share * (until - from), from, until));
    voice.textContent = readings(plot, shared.time).join(", ");
  };
  const keys = {
    "+": () => zoomBy(plot, 0.5),
    "=": () => zoomBy(plot, 0.5),
    "-": () => zoomBy(plot, 2),
    0: () => zoomTo(plot, ...plot.whole),
    ArrowLeft: (event) => (event.shiftKey ? moveCursor(-0.01) : moveBy(plot, -0.2)),
    ArrowRight: (event) => (event.shiftKey ? moveCursor(0.01) : moveBy(plot, 0.2)),
    Escape: () => shared.setTime(null),
  };
  plot.canvas.addEventListener("keydown", (event) => {
    const act = keys[event.key];
    if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    act(event);
  });
}

for (const plot of plots) {
  const title = plot.figure.querySelector("figcaption").textContent;
  plot.cursor = make("div", { class: "cursor", hidden: "", "data-test": "cursor" }, make("div"));
  plot.selection = make("div", { class: "selection", hidden: "" });
  plot.canvas.append(plot.cursor, plot.selection);
  plot.canvas.tabIndex = 0;
  plot.canvas.setAttribute("role", "group");
  plot.canvas.setAttribute("data-test", "plot-area");
  plot.canvas.setAttribute("aria-label", `${title}. Plus and minus zoom, arrows move, 0 shows all, shift and arrows read values.`);
  const tool = (text, label, test, act) => make("button", { type: "button", "aria-label": label, "data-test": test, onclick: act }, text);
  plot.figure.querySelector("figcaption").after(make("div", { class: "tools" },
    tool("+", "Zoom in", "zoom-in", () => zoomBy(plot, 0.5)),
    tool("−", "Zoom out", "zoom-out", () => zoomBy(plot, 2)),
    tool("Reset", "Show the whole time", "zoom-reset", () => zoomTo(plot, ...plot.whole)),
  ));
  listenToPointer(plot);
  listenToKeys(plot);
}

const plotsInView = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    const plot = plots.find(({ figure }) => figure === target);
    if (!isIntersecting) seenPlots.delete(plot);
    else {
      seenPlots.add(plot);
      follow(plot);
    }
  }
}, { rootMargin: "200px" });
for (const { figure } of plots) plotsInView.observe(figure);

shared.listeners.push((what) => {
  for (const plot of seenPlots) {
    if (what === "span") follow(plot);
    else showCursor(plot);
  }
});
