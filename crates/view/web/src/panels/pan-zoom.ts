const AROUND = 12;
/** Few boxes are not blown up to fill the room. */
export const LARGEST = 1.25;

/** Drag moves a drawing, the wheel zooms it about the pointer. */
export function panAndZoom(canvas: SVGSVGElement): { show(width: number, height: number): void } {
  const box = { x: 0, y: 0, w: 1, h: 1 };
  const apply = () => canvas.setAttribute("viewBox", `${box.x} ${box.y} ${box.w} ${box.h}`);
  const perPixel = () => Math.max(box.w / Math.max(canvas.clientWidth, 1), box.h / Math.max(canvas.clientHeight, 1));
  let held: { x: number; y: number } | null = null;
  canvas.addEventListener("pointerdown", (event) => (held = { x: event.clientX, y: event.clientY }));
  window.addEventListener("pointerup", () => (held = null));
  canvas.addEventListener("pointermove", (event) => {
    if (held === null) return;
    box.x -= (event.clientX - held.x) * perPixel();
    box.y -= (event.clientY - held.y) * perPixel();
    held = { x: event.clientX, y: event.clientY };
    apply();
  });
  const zoom = (event: WheelEvent) => {
    event.preventDefault();
    const factor = Math.exp(Math.max(-200, Math.min(200, event.deltaY)) * 0.0015);
    const frame = canvas.getBoundingClientRect();
    const x = box.x + ((event.clientX - frame.left) / frame.width) * box.w;
    const y = box.y + ((event.clientY - frame.top) / frame.height) * box.h;
    Object.assign(box, { x: x - (x - box.x) * factor, y: y - (y - box.y) * factor, w: box.w * factor, h: box.h * factor });
    apply();
  };
  canvas.addEventListener("wheel", zoom, { passive: false });
  return {
    show: (width, height) => {
      const w = Math.max(width + 2 * AROUND, canvas.clientWidth / LARGEST);
      const h = Math.max(height + 2 * AROUND, canvas.clientHeight / LARGEST);
      Object.assign(box, { x: (width - w) / 2, y: (height - h) / 2, w, h });
      apply();
    },
  };
}
