import { Chart } from "../ui/canvas";
import { h } from "../ui/dom";
import { clockText, tickText, TIME_STEPS } from "../ui/numbers";
import { atMostEvery, type Page } from "../ui/page";
import { styleColour } from "../ui/theme";
import { isBad, LANES, marksOf, type Mark } from "./timeline-marks";

const LANE = 15;
const AXIS = 16;
const LEFT = 86;

/** Events and faults along the bottom; for a recording also the slider. */
export class Timeline {
  readonly element: HTMLElement;
  private readonly chart: Chart;
  private readonly tip = h("div", { class: "tip", role: "presentation", hidden: true });
  private readonly slider: HTMLInputElement;
  private marks: Mark[] = [];
  /** Lanes that are drawn: all of a live run, of a recording those with anything in them. */
  private lanes: number[] = LANES.map((_, i) => i);

  constructor(private readonly page: Page) {
    this.chart = new Chart((context, width) => this.draw(context, width));
    const { canvas } = this.chart;
    canvas.className = "timeline-canvas";
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", "Events and faults over time. The panel Events has them in words.");
    this.slider = h("input", { type: "range", class: "slider", min: 0, max: 1, step: "any", value: 0, "aria-label": "Time", "data-test": "slider" });
    this.slider.disabled = page.clock.live;
    this.slider.hidden = page.clock.live;
    this.slider.addEventListener("input", () => page.clock.seek(Number(this.slider.value)));
    this.element = h("footer", { class: "timeline", "aria-label": "Timeline" }, this.slider, h("div", { class: "timeline-lanes" }, canvas, this.tip));
    canvas.addEventListener("pointermove", (event) => this.hover(event));
    canvas.addEventListener("pointerleave", () => (this.tip.hidden = true));
    canvas.addEventListener("click", (event) => this.click(event));
    const collect = atMostEvery(200, () => this.collect());
    const redraw = atMostEvery(60, () => this.refresh());
    page.clock.on("change", redraw);
    for (const run of page.runs) {
      run.on("event", collect);
      run.on("hello", collect);
    }
    this.collect();
  }

  repaint(): void {
    this.chart.redraw();
  }

  private collect(): void {
    this.marks = this.page.runs.flatMap((run, i) => marksOf(run.events, i));
    if (!this.page.clock.live) this.lanes = this.lanes.filter((lane) => this.marks.some((mark) => mark.lane === lane));
    this.chart.canvas.style.height = `${this.lanes.length * LANE + AXIS}px`;
    this.refresh();
  }

  private refresh(): void {
    const { clock } = this.page;
    this.slider.max = String(clock.duration);
    if (!clock.live) {
      this.slider.value = String(clock.time);
      this.slider.setAttribute("aria-valuetext", clockText(clock.time));
    }
    this.chart.redraw();
  }

  private scale(width: number): number {
    return Math.max(width - LEFT - 8, 1) / Math.max(this.page.clock.duration, 1e-9);
  }

  private draw(context: CanvasRenderingContext2D, width: number): void {
    const { clock } = this.page;
    const scale = this.scale(width);
    const bottom = this.lanes.length * LANE;
    const faint = styleColour("faint");
    context.fillStyle = faint;
    this.lanes.forEach((lane, i) => {
      context.fillStyle = i % 2 === 0 ? styleColour("stripe") : "transparent";
      context.fillRect(LEFT, i * LANE, width - LEFT, LANE);
      context.fillStyle = faint;
      context.fillText(LANES[lane]!.title, 6, i * LANE + LANE / 2);
    });
    const step = TIME_STEPS.find((one) => one >= 80 / scale) ?? TIME_STEPS.at(-1)!;
    for (let time = 0; time <= clock.duration + 1e-9; time += step) {
      const x = LEFT + time * scale;
      context.fillRect(x, bottom, 1, 4);
      const words = tickText(time, step);
      if (x + context.measureText(words).width < width) context.fillText(words, x + 3, bottom + AXIS / 2 + 1);
    }
    for (const mark of this.marks) this.drawMark(context, mark, scale);
    context.fillStyle = styleColour("accent");
    context.fillRect(LEFT + clock.time * scale - 1, 0, 2, bottom + 4);
  }

  private drawMark(context: CanvasRenderingContext2D, mark: Mark, scale: number): void {
    const { kind } = mark.event;
    const x = LEFT + mark.from * scale;
    const y = this.lanes.indexOf(mark.lane) * LANE + LANE / 2;
    const planned = this.page.clock.live && mark.from > this.page.clock.time;
    context.globalAlpha = planned ? 0.4 : 1;
    if (mark.to > mark.from) {
      const to = Math.min(mark.to, Math.max(this.page.clock.live ? this.page.clock.time : this.page.clock.duration, mark.from));
      context.fillStyle = "#d55e00";
      context.fillRect(x, y - 4, Math.max((to - mark.from) * scale, 4), mark.run === 0 ? 8 : 4);
    } else {
      context.fillStyle = isBad(mark.event) ? styleColour("bad") : kind === "requirement" ? styleColour("good") : kind === "command" || kind === "note" ? "#cc79a7" : styleColour("accent");
      context.beginPath();
      // Different kinds have different forms: a diamond for what breaks or stops, a dot for the rest.
      if (isBad(mark.event)) {
        context.moveTo(x, y - 6);
        context.lineTo(x + 5, y);
        context.lineTo(x, y + 6);
        context.lineTo(x - 5, y);
      } else context.arc(x, y, mark.run === 0 ? 4 : 3, 0, 2 * Math.PI);
      context.fill();
    }
    context.globalAlpha = 1;
  }

  private at(event: MouseEvent): Mark | null {
    const scale = this.scale(this.chart.canvas.clientWidth);
    const lane = this.lanes[Math.floor(event.offsetY / LANE)];
    let nearest = 8;
    let found: Mark | null = null;
    for (const mark of this.marks) {
      if (mark.lane !== lane) continue;
      const from = LEFT + mark.from * scale;
      const to = LEFT + Math.min(mark.to, this.page.clock.time) * scale;
      const gap = event.offsetX < from ? from - event.offsetX : event.offsetX > Math.max(from, to) ? event.offsetX - Math.max(from, to) : 0;
      if (gap < nearest) {
        nearest = gap;
        found = mark;
      }
    }
    return found;
  }

  private hover(event: MouseEvent): void {
    const mark = this.at(event);
    this.tip.hidden = mark === null;
    if (mark === null) return;
    const run = this.page.runs.length > 1 ? `Run ${"AB"[mark.run]}: ` : "";
    this.tip.textContent = `${run}${clockText(mark.event.time)}  ${mark.event.name}: ${mark.event.text}`;
    const space = this.chart.canvas.clientWidth;
    this.tip.style.left = `${Math.min(event.offsetX, Math.max(0, space - 260))}px`;
  }

  private click(event: MouseEvent): void {
    if (event.offsetX < LEFT) return;
    const mark = this.at(event);
    this.page.clock.seek(mark ? mark.event.time : (event.offsetX - LEFT) / this.scale(this.chart.canvas.clientWidth));
  }
}
