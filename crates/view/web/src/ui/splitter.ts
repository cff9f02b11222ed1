import { h } from "./dom";
import { keep, kept } from "./kept";

const LEAST = 180;
const MOST = 900;

/** A handle that makes a column wider or narrower, by pointer or arrow keys. */
export function splitter(column: HTMLElement, side: "left" | "right"): HTMLElement {
  const key = `column-${side}`;
  const handle = h("div", { class: `splitter ${side}`, role: "separator", tabindex: 0, "aria-orientation": "vertical", "aria-label": `Width of the ${side} column`, "aria-valuemin": LEAST, "aria-valuemax": MOST, "aria-valuenow": LEAST });
  const apply = (width: number) => {
    const bounded = Math.round(Math.max(LEAST, Math.min(MOST, width)));
    document.documentElement.style.setProperty(`--${side}-width`, `${bounded}px`);
    handle.setAttribute("aria-valuenow", String(bounded));
    keep(key, String(bounded));
  };
  const stored = Number(kept(key));
  if (stored > 0) apply(stored);
  else new ResizeObserver(() => handle.setAttribute("aria-valuenow", String(column.clientWidth))).observe(column);
  const direction = side === "left" ? 1 : -1;
  handle.addEventListener("pointerdown", (event) => {
    handle.setPointerCapture(event.pointerId);
    const from = event.clientX;
    const width = column.clientWidth;
    const move = (moved: PointerEvent) => apply(width + direction * (moved.clientX - from));
    handle.addEventListener("pointermove", move);
    handle.addEventListener("pointerup", () => handle.removeEventListener("pointermove", move), { once: true });
  });
  handle.addEventListener("keydown", (event) => {
    const step = event.key === "ArrowRight" ? 20 : event.key === "ArrowLeft" ? -20 : 0;
    if (step === 0) return;
    event.preventDefault();
    event.stopPropagation();
    apply(column.clientWidth + direction * step);
  });
  return handle;
}
