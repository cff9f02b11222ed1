import uPlot from "uplot";
import { History } from "../run/history";
import { COLOURS } from "../scene/palette";
import { h, setText } from "../ui/dom";
import { icon } from "../ui/icons";
import { short, tickText, TIME_STEPS } from "../ui/numbers";
import type { Page } from "../ui/page";
import { styleColour } from "../ui/theme";
import { curveOf, differenceOf, type Curve } from "./curves";
import type { Subscriptions } from "./subscriptions";

const DASH = [5, 4];

export interface PlotHost {
  range(): [number, number];
  zoom(range: [number, number] | null): void;
  removeSignal(plot: Plot, name: string): void;
  removePlot(plot: Plot): void;
  /** Finer points of the zoomed range of a recording. */
  detail(run: number, signal: number): History | undefined;
}

/** One plot: signals of one unit over time; with two runs, the second dashed, or the difference. */
export class Plot {
  readonly element: HTMLElement;
  readonly names: string[] = [];
  private readonly chips = h("ul", { class: "chips" });
  private readonly area = h("div", { class: "plot-area" });
  private chart: uPlot | null = null;
  private difference = false;
  private readonly labels: HTMLElement[] = [];

  constructor(
    readonly unit: string,
    private readonly page: Page,
    private readonly subscriptions: Subscriptions,
    private readonly host: PlotHost,
  ) {
    const remove = h("button", { type: "button", class: "icon", "aria-label": "Remove this plot", "data-test": "plot-remove", click: () => host.removePlot(this) }, icon("close"));
    const minus = h("button", { type: "button", class: "quiet", "aria-pressed": "false", "data-test": "plot-difference", click: () => this.toggleDifference(minus) }, "B − A");
    const tools = h("div", { class: "plot-tools" }, page.runs.length > 1 ? minus : null, remove);
    this.element = h("figure", { class: "plot", "data-test": "plot" }, h("figcaption", {}, this.chips, tools), this.area);
    new ResizeObserver(() => this.chart?.setSize({ width: this.area.clientWidth, height: this.area.clientHeight })).observe(this.area);
  }

  add(name: string): void {
    this.names.push(name);
    this.rebuild();
  }

  remove(name: string): void {
    this.names.splice(this.names.indexOf(name), 1);
    this.rebuild();
  }

  /** Colours or the choice of curves changed: the chart is made anew. */
  rebuild(): void {
    this.chart?.destroy();
    this.chart = null;
    this.labels.length = 0;
    this.chips.replaceChildren(...this.names.map((name, i) => this.chip(name, i)));
    if (this.area.clientWidth > 0) this.build();
  }

  refresh(): void {
    if (this.area.clientWidth === 0 || this.names.length === 0) return;
    if (this.chart === null) this.build();
    const tables = this.curves().map((curve): uPlot.AlignedData => [curve.times, curve.values]);
    this.chart!.setData(tables.length === 1 ? tables[0]! : uPlot.join(tables), false);
    const [min, max] = this.host.range();
    this.chart!.setScale("x", { min, max });
    this.showValues(null);
  }

  /** The play head moved: the line is drawn again, the data are not. */
  head(): void {
    this.chart?.redraw(false, false);
    this.showValues(null);
  }

  private toggleDifference(button: HTMLElement): void {
    this.difference = !this.difference;
    button.setAttribute("aria-pressed", String(this.difference));
    this.rebuild();
    this.refresh();
  }

  private chip(name: string, i: number): HTMLElement {
    const line = h("span", { class: "swatch", "aria-hidden": "true" }, String.fromCharCode(97 + (i % 26)));
    line.style.background = COLOURS[i % COLOURS.length]!;
    const value = h("span", { class: "figure" });
    this.labels.push(value);
    const remove = h("button", { type: "button", class: "icon", "aria-label": `Remove ${name}`, click: () => this.host.removeSignal(this, name) }, icon("close"));
    return h("li", { class: "chip", title: name }, line, h("span", { class: "chip-name" }, name), value, h("span", { class: "faint" }, this.unit), remove);
  }

  private history(run: number, name: string): History | undefined {
    const signal = this.subscriptions.signal(run, name);
    if (signal === undefined) return undefined;
    return this.host.detail(run, signal.id) ?? this.page.runs[run]!.histories.get(signal.id);
  }

  private curves(): Curve[] {
    const [from, to] = this.host.range();
    const none = new History();
    return this.names.flatMap((name) => {
      const histories = this.page.runs.map((_, run) => this.history(run, name) ?? none);
      if (this.difference) return [differenceOf(histories[0]!, histories[1]!, from, to, this.subscriptions.signal(0, name)?.steps)];
      return histories.map((history) => curveOf(history, from, to));
    });
  }

  private build(): void {
    const stepped = uPlot.paths.stepped!({ align: 1 });
    const series: uPlot.Series[] = this.names.flatMap((name, i) => {
      const runs = this.difference ? [0] : this.page.runs.map((_, run) => run);
      const steps = this.subscriptions.signal(0, name)?.steps;
      return runs.map((run): uPlot.Series => ({
        stroke: COLOURS[i % COLOURS.length]!,
        width: 1.5,
        spanGaps: true,
        points: { show: false },
        ...(run > 0 ? { dash: DASH } : {}),
        ...(steps ? { paths: stepped } : {}),
      }));
    });
    const text = styleColour("text");
    const axis = { stroke: text, grid: { stroke: styleColour("line"), width: 1 }, ticks: { stroke: styleColour("line"), width: 1 }, font: "11px system-ui, sans-serif" };
    this.chart = new uPlot(
      {
        width: Math.max(this.area.clientWidth, 50),
        height: Math.max(this.area.clientHeight, 50),
        legend: { show: false },
        scales: { x: { time: false, auto: false }, y: { range: (_, min, max) => padded(min, max) } },
        axes: [{ ...axis, size: 28, incrs: TIME_STEPS, values: (_, ticks, __, ___, step) => ticks.map((time) => tickText(time, step)) }, { ...axis, size: 54, values: (_, ticks) => ticks.map(short) }],
        series: [{}, ...series],
        cursor: {
          sync: { key: "ironbird" },
          drag: { x: true, y: false, setScale: false },
          bind: {
            dblclick: () => () => {
              this.host.zoom(null);
              return null;
            },
          },
        },
        hooks: { setSelect: [(chart) => this.selected(chart)], setCursor: [(chart) => this.showValues(chart.cursor.idx ?? null)], draw: [(chart) => this.drawHead(chart)] },
      },
      [[], ...series.map(() => [])] as unknown as uPlot.AlignedData,
      this.area,
    );
    this.chart.over.addEventListener("click", (event) => {
      if (!this.page.clock.live && this.chart && this.chart.select.width === 0) this.page.clock.seek(this.chart.posToVal(event.offsetX, "x"));
    });
  }

  private selected(chart: uPlot): void {
    const { left, width } = chart.select;
    if (width < 4) return;
    const range: [number, number] = [chart.posToVal(left, "x"), chart.posToVal(left + width, "x")];
    chart.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
    this.host.zoom(range);
  }

  /** Values at the cursor, or without one at the time of the page. */
  private showValues(index: number | null): void {
    const time = index !== null && this.chart ? this.chart.data[0]![index] : undefined;
    this.names.forEach((name, i) => {
      const signal = this.subscriptions.signal(0, name);
      const values = this.page.runs.map((run, r) => {
        const own = this.subscriptions.signal(r, name);
        const history = this.history(r, name);
        const last = own === undefined ? Number.NaN : (run.values.get(own.id) ?? Number.NaN);
        const at = time ?? (run.live ? undefined : this.page.clock.time);
        return at === undefined || history === undefined ? last : history.at(at, signal?.steps);
      });
      const words = (value: number) => signal?.labels?.[Math.round(value)] ?? short(value);
      const text = this.difference ? words(values[1]! - values[0]!) : values.map(words).join(" | ");
      if (this.labels[i]) setText(this.labels[i]!, text);
    });
  }

  private drawHead(chart: uPlot): void {
    if (this.page.clock.live) return;
    const x = chart.valToPos(this.page.clock.time, "x", true);
    const { left, top, width, height } = chart.bbox;
    if (x < left || x > left + width) return;
    chart.ctx.save();
    chart.ctx.strokeStyle = styleColour("accent");
    chart.ctx.lineWidth = devicePixelRatio;
    chart.ctx.setLineDash([]);
    chart.ctx.beginPath();
    chart.ctx.moveTo(x, top);
    chart.ctx.lineTo(x, top + height);
    chart.ctx.stroke();
    chart.ctx.restore();
  }
}

/** A range with some air; a constant gets a range around it. */
function padded(min: number | null, max: number | null): [number, number] {
  if (min === null || max === null || !Number.isFinite(min) || !Number.isFinite(max)) return [0, 1];
  const span = max - min;
  const air = span > 0 ? span * 0.06 : Math.max(Math.abs(min) * 0.1, 0.5);
  return [min - air, max + air];
}
