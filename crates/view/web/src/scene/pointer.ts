import type { CameraRig } from "./camera-rig";

/** Mouse, touch and wheel move the eye; a press without a drag picks. */
export function steerCamera(canvas: HTMLElement, rig: CameraRig, pick: (x: number, y: number) => void): void {
  const pointers = new Map<number, { x: number; y: number }>();
  let moved = 0;
  let spread = 0;

  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (pointers.size === 1) moved = 0;
    spread = 0;
  });
  canvas.addEventListener("pointermove", (event) => {
    const last = pointers.get(event.pointerId);
    if (last === undefined) return;
    const dx = event.clientX - last.x;
    const dy = event.clientY - last.y;
    last.x = event.clientX;
    last.y = event.clientY;
    moved += Math.abs(dx) + Math.abs(dy);
    if (pointers.size === 2) {
      const [a, b] = [...pointers.values()];
      const gap = Math.hypot(a!.x - b!.x, a!.y - b!.y);
      if (spread > 0 && gap > 0) rig.zoom(spread / gap);
      spread = gap;
      rig.pan(dx / 2, dy / 2, canvas.clientHeight);
    } else if (rig.mode === "map" || event.buttons !== 1 || event.shiftKey || event.ctrlKey) {
      rig.pan(dx, dy, canvas.clientHeight);
    } else {
      rig.rotate(dx, dy);
    }
  });
  const release = (event: PointerEvent) => {
    const was = pointers.delete(event.pointerId);
    if (was && event.type === "pointerup" && moved < 5) {
      const box = canvas.getBoundingClientRect();
      pick(event.clientX - box.left, event.clientY - box.top);
    }
  };
  canvas.addEventListener("pointerup", release);
  canvas.addEventListener("pointercancel", release);
  canvas.addEventListener("contextmenu", (event) => event.preventDefault());
  canvas.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      rig.zoom(Math.exp(Math.max(-200, Math.min(200, event.deltaY)) * 0.0015));
    },
    { passive: false },
  );
  canvas.addEventListener("keydown", (event) => {
    const step = 24;
    const moves: Record<string, () => void> = {
      ArrowLeft: () => (event.shiftKey || rig.mode === "map" ? rig.pan(step, 0, canvas.clientHeight) : rig.rotate(step, 0)),
      ArrowRight: () => (event.shiftKey || rig.mode === "map" ? rig.pan(-step, 0, canvas.clientHeight) : rig.rotate(-step, 0)),
      ArrowUp: () => (event.shiftKey || rig.mode === "map" ? rig.pan(0, step, canvas.clientHeight) : rig.rotate(0, step)),
      ArrowDown: () => (event.shiftKey || rig.mode === "map" ? rig.pan(0, -step, canvas.clientHeight) : rig.rotate(0, -step)),
      "+": () => rig.zoom(0.85),
      "-": () => rig.zoom(1.18),
    };
    const move = moves[event.key];
    if (move === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    move();
  });
}
