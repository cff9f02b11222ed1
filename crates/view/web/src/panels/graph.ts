import type { Graph } from "../run/messages";
import { h, svg } from "../ui/dom";
import { atMostEvery, type Page } from "../ui/page";
import type { Panel } from "../ui/panel";
import { arrange, HEIGHT, WIDTH } from "./graph-drawing";
import { layered } from "./graph-layout";
import { merge } from "./graph-ports";
import { panAndZoom } from "./pan-zoom";

const LIT_MS = 350;

/** The graph of the system. Links on which something went since the last frame are lit. */
export function graphPanel(page: Page, panel: Panel): void {
  const { graph } = page.first.hello;
  if (graph.components.length === 0) {
    panel.body.append(h("p", { class: "faint" }, "The experiment of this recording cannot be read here. Name its folder to see the system: ironbird view --folder FOLDER."));
    return;
  }
  panel.note(`${graph.components.length}`);
  let built = false;
  panel.onVisible((visible) => {
    if (!visible || built) return;
    built = true;
    // The panel has its size only after it is shown.
    requestAnimationFrame(() => build(page, panel, graph));
  });
}

function build(page: Page, panel: Panel, graph: Graph): void {
  const { nodes, edges, edgeOfLink } = merge(graph);
  const placed = layered(nodes.length, edges);
  const content = svg("g");
  const marker = svg("marker", { id: "arrow", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 6, markerHeight: 6, orient: "auto" }, svg("path", { d: "M0 0L8 4L0 8z" }));
  const canvas = svg("svg", { class: "graph", role: "group", "aria-label": "System graph" }, svg("defs", {}, marker), content);
  const view = panAndZoom(canvas);
  let lines: SVGPathElement[] = [];
  const draw = () => {
    const drawing = arrange(placed, edges, canvas.clientWidth, canvas.clientHeight);
    lines = edges.map(({ from, to, count }, i) => {
      const title = `${nodes[from]!.path} → ${nodes[to]!.path}: ${count} ${count === 1 ? "link" : "links"}`;
      return svg("path", { class: "edge", d: drawing.paths[i]!, "marker-end": "url(#arrow)" }, svg("title", {}, title));
    });
    content.replaceChildren(...lines, ...nodes.map((node, i) => box(page, node, drawing.places[i]!)));
    view.show(drawing.width, drawing.height);
  };
  const wide = h("button", { type: "button", class: "quiet", "aria-pressed": "false", "data-test": "graph-wide" }, "Large");
  const setLarge = (large: boolean) => {
    panel.element.classList.toggle("large", large);
    wide.setAttribute("aria-pressed", String(large));
    requestAnimationFrame(draw);
  };
  wide.addEventListener("click", () => setLarge(!panel.element.classList.contains("large")));
  page.on("component", () => setLarge(false));
  panel.body.append(h("div", { class: "row" }, h("button", { type: "button", class: "quiet", click: draw }, "Fit"), wide, h("span", { class: "faint" }, "Orange: in use now. A press shows the signals.")), canvas);
  draw();

  const until = new Float64Array(edges.length);
  const light = atMostEvery(100, () => {
    if (!panel.visible) return;
    const now = performance.now();
    lines.forEach((line, i) => line.classList.toggle("lit", until[i]! > now));
    if (until.some((time) => time > now)) light();
  });
  page.first.on("shown", (frame) => {
    const time = performance.now() + LIT_MS;
    for (const link of frame.active) {
      const edge = edgeOfLink[link];
      if (edge !== undefined && edge >= 0) until[edge] = time;
    }
    light();
  });
}

function box(page: Page, { path, type }: Graph["components"][number], { x, y }: { x: number; y: number }): SVGElement {
  const open = () => page.selectComponent(path);
  const name = path.length > 21 ? `…${path.slice(-20)}` : path;
  const onKey = (event: KeyboardEvent) => {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      open();
    }
  };
  return svg(
    "g",
    { class: "node", transform: `translate(${x},${y})`, tabindex: 0, role: "button", "aria-label": `${path}, ${type}: show its signals`, "data-test": `node-${path}`, click: open, keydown: onKey },
    svg("title", {}, `${path} (${type})`),
    svg("rect", { width: WIDTH, height: HEIGHT, rx: 5 }),
    svg("text", { x: 8, y: 16, class: "node-name" }, name),
    svg("text", { x: 8, y: 30, class: "node-type" }, type.length > 24 ? `${type.slice(0, 23)}…` : type),
  );
}
