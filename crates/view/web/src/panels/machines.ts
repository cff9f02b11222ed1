import { traceKey, type Run } from "../run/run";
import { COLOURS, inkOn } from "../scene/palette";
import { Chart } from "../ui/canvas";
import { h, setText } from "../ui/dom";
import { atMostEvery, type Page } from "../ui/page";
import type { Panel } from "../ui/panel";
import { styleColour } from "../ui/theme";
import { stateAt } from "./traces";

const LANE = 24;

/** State machines over time: a lane for each, with the name of the state in each block. */
export function machinesPanel(page: Page, panel: Panel): { repaint(): void } {
  const lanes = page.runs.flatMap((run, r) => run.hello.machines.map((machine) => ({ run, machine, mark: page.runs.length > 1 ? `${"AB"[r]}: ` : "" })));
  if (lanes.length === 0) {
    panel.body.append(h("p", { class: "faint" }, "The system has no state machines."));
    return { repaint: () => undefined };
  }
  panel.note(String(lanes.length));
  const rows = lanes.map(({ run, machine, mark }) => {
    const now = h("span", { class: "figure", "data-test": `machine-${machine.component}.${machine.name}` });
    const name = `${mark}${machine.component}.${machine.name}`;
    const chart = new Chart((context, width, height) => drawLane(context, width, height, run, traceKey(machine), machine.states, page));
    chart.canvas.className = "lane";
    chart.canvas.style.height = `${LANE}px`;
    chart.canvas.setAttribute("role", "img");
    const row = h("div", { class: "machine" }, h("div", { class: "machine-name" }, name, " ", now), chart.canvas);
    chart.canvas.addEventListener("click", (event) => page.clock.seek((event.offsetX / chart.canvas.clientWidth) * page.clock.duration));
    const refresh = () => {
      const state = stateAt(run.traces.get(traceKey(machine)) ?? [], page.clock.time);
      setText(now, state);
      chart.canvas.setAttribute("aria-label", `${name} over time; now ${state}`);
      chart.redraw();
    };
    return { row, refresh };
  });
  panel.body.append(...rows.map(({ row }) => row));
  const refresh = atMostEvery(150, () => {
    if (panel.visible) for (const row of rows) row.refresh();
  });
  page.clock.on("change", refresh);
  for (const run of page.runs) run.on("machine", refresh);
  panel.onVisible(refresh);
  return { repaint: refresh };
}

function drawLane(context: CanvasRenderingContext2D, width: number, height: number, run: Run, key: string, states: string[], page: Page): void {
  const trace = run.traces.get(key) ?? [];
  const { clock } = page;
  const until = run.live ? clock.time : run.duration;
  const scale = width / Math.max(clock.duration, 1e-9);
  trace.forEach(([since, state], i) => {
    const from = since * scale;
    const to = Math.min(trace[i + 1]?.[0] ?? until, until) * scale;
    if (to <= from) return;
    const colour = COLOURS[Math.max(0, states.indexOf(state)) % COLOURS.length]!;
    context.fillStyle = colour;
    context.fillRect(from, 2, Math.max(to - from, 1), height - 4);
    context.fillStyle = styleColour("panel");
    context.fillRect(from, 2, 1, height - 4);
    if (context.measureText(state).width + 8 < to - from) {
      context.fillStyle = inkOn(colour);
      context.fillText(state, from + 4, height / 2);
    }
  });
  context.fillStyle = styleColour("accent");
  context.fillRect(clock.time * scale - 1, 0, 2, height);
}
