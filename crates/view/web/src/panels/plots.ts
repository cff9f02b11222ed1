import { History } from "../run/history";
import { signalName } from "../run/messages";
import { h } from "../ui/dom";
import { atMostEvery, type Page } from "../ui/page";
import type { Panel } from "../ui/panel";
import { Plot, type PlotHost } from "./plot";
import type { Subscriptions } from "./subscriptions";

const DETAIL_POINTS = 2000;
const FIRST_PLOTTED = 4;

/** All plots. They have one range of time and one cursor. */
export class Plots implements PlotHost {
  private readonly plots: Plot[] = [];
  private readonly box = h("div", { class: "plots", "data-test": "plots" });
  private readonly hint = h("p", { class: "faint" }, "Pick signals in the tree to plot them. Drag to zoom, double-click to see all.");
  private readonly span: HTMLSelectElement;
  private zoomed: [number, number] | null = null;
  private readonly details = new Map<string, History>();
  private readonly listeners: (() => void)[] = [];
  private startNew = false;

  constructor(
    private readonly page: Page,
    private readonly panel: Panel,
    private readonly subscriptions: Subscriptions,
  ) {
    this.span = h(
      "select",
      { "aria-label": "Time shown in plots", "data-test": "plot-span" },
      ...[["all", "whole run"], ["10", "last 10 s"], ["60", "last 60 s"], ["600", "last 10 min"]].map(([value, text]) => h("option", { value: value! }, text!)),
    );
    this.span.addEventListener("change", () => this.zoom(null));
    const another = h("button", { type: "button", class: "quiet", title: "The next signal goes to a plot of its own", "data-test": "plot-new", click: () => (this.startNew = true) }, "New plot");
    const all = h("button", { type: "button", class: "quiet", "data-test": "plot-reset", click: () => this.zoom(null) }, "Reset zoom");
    // Nobody can drag with a keyboard, nor in a plot on a phone.
    const nearer = h("button", { type: "button", class: "quiet", "aria-label": "Zoom in", "data-test": "plot-nearer", click: () => this.zoomBy(0.5) }, "+");
    const farther = h("button", { type: "button", class: "quiet", "aria-label": "Zoom out", "data-test": "plot-farther", click: () => this.zoomBy(2) }, "−");
    panel.body.append(h("div", { class: "row" }, page.clock.live ? this.span : null, another, nearer, farther, all), this.hint, this.box);
    const refresh = atMostEvery(120, () => this.refresh());
    const head = atMostEvery(60, () => this.plots.forEach((plot) => this.panel.visible && plot.head()));
    for (const run of page.runs) {
      run.on("history", refresh);
      run.on("shown", () => (run.live ? refresh() : head()));
    }
    panel.onVisible(() => {
      this.subscribe();
      refresh();
    });
  }

  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  has(name: string): boolean {
    return this.plots.some((plot) => plot.names.includes(name));
  }

  /** Adds a signal to the newest plot of its unit, or to a new one; takes it away if it is there. */
  toggle(name: string): void {
    const holder = this.plots.find((plot) => plot.names.includes(name));
    if (holder) {
      this.removeSignal(holder, name);
      return;
    }
    const signal = this.subscriptions.signal(0, name);
    if (signal === undefined) return;
    let plot = this.startNew ? undefined : this.plots.findLast((one) => one.unit === signal.unit && one.names.length < 8);
    this.startNew = false;
    if (plot === undefined) {
      plot = new Plot(signal.unit, this.page, this.subscriptions, this);
      this.plots.push(plot);
      this.box.append(plot.element);
    }
    plot.add(name);
    this.panel.show();
    this.changed();
  }

  /** Plots what comes first, for a system in which there is nothing else to see. */
  begin(): void {
    for (const signal of this.page.first.hello.signals.filter(({ recorded }) => recorded).slice(0, FIRST_PLOTTED)) this.toggle(signalName(signal));
  }

  removeSignal(plot: Plot, name: string): void {
    plot.remove(name);
    if (plot.names.length === 0) this.removePlot(plot);
    else this.changed();
  }

  removePlot(plot: Plot): void {
    this.plots.splice(this.plots.indexOf(plot), 1);
    plot.element.remove();
    this.changed();
  }

  range(): [number, number] {
    if (this.zoomed) return this.zoomed;
    const { clock } = this.page;
    if (!clock.live) return [0, Math.max(clock.duration, 1e-3)];
    const now = Math.max(clock.time, 1e-3);
    return this.span.value === "all" ? [0, now] : [Math.max(0, now - Number(this.span.value)), now];
  }

  /** Shows so many times as much time about the head of a recording, or before the end of a live run. */
  private zoomBy(factor: number): void {
    const { clock } = this.page;
    const [from, to] = this.range();
    const head = Math.max(from, Math.min(to, clock.time));
    const first = Math.max(0, head - (head - from) * factor);
    const last = Math.min(clock.live ? clock.time : clock.duration, head + (to - head) * factor);
    if (last > first) this.zoom([first, last]);
  }

  zoom(range: [number, number] | null): void {
    this.zoomed = range;
    this.details.clear();
    if (range && !this.page.clock.live) this.fetchDetail(range);
    this.refresh();
  }

  detail(run: number, signal: number): History | undefined {
    return this.details.get(`${run}:${signal}`);
  }

  repaint(): void {
    for (const plot of this.plots) plot.rebuild();
    this.refresh();
  }

  private fetchDetail([from, to]: [number, number]): void {
    this.page.runs.forEach((run, r) => {
      const signals = this.names().flatMap((name) => this.subscriptions.signal(r, name)?.id ?? []);
      if (signals.length === 0) return;
      const wanted = this.zoomed;
      run.connection
        .series(signals, from, to, DETAIL_POINTS, (series) => {
          if (this.zoomed !== wanted) return;
          const history = new History();
          history.take(series.times, series.least, series.most, true);
          this.details.set(`${r}:${series.signal}`, history);
          this.refresh();
        })
        .catch((why: Error) => this.page.announcer.warn(why.message));
    });
  }

  private names(): string[] {
    return [...new Set(this.plots.flatMap((plot) => plot.names))];
  }

  private changed(): void {
    this.hint.hidden = this.plots.length > 0;
    this.panel.note(this.plots.length > 0 ? String(this.plots.length) : "");
    this.subscribe();
    this.refresh();
    for (const listener of this.listeners) listener();
  }

  private subscribe(): void {
    this.subscriptions.setPlotted(this.panel.visible ? this.names() : []);
  }

  private refresh(): void {
    if (this.panel.visible) for (const plot of this.plots) plot.refresh();
  }
}
