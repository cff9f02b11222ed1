import { stepOnce, togglePause } from "../panels/transport";
import { CAMERAS, type CameraRig } from "../scene/camera-rig";
import { openHelp } from "./help";
import type { Page } from "./page";

/** Keys of the whole page. Fields and open dialogs keep theirs. */
export function listenToKeys(page: Page, rig: CameraRig, fit: () => void, toggleTheme: () => void): void {
  const { clock } = page;
  const vehicles = page.first.hello.scene.bodies.map((body) => body.path);
  const next = (by: number) => {
    if (vehicles.length === 0) return;
    const at = page.vehicle === null ? -1 : vehicles.indexOf(page.vehicle);
    page.selectVehicle(vehicles[(at + by + vehicles.length) % vehicles.length]!);
  };
  const actions: Record<string, () => void> = {
    " ": () => togglePause(page),
    ".": () => stepOnce(page),
    ",": () => stepOnce(page, -1),
    j: () => !clock.live && clock.play(-1),
    Home: () => clock.seek(0),
    End: () => clock.seek(clock.duration),
    ArrowLeft: () => clock.seek(clock.time - 1),
    ArrowRight: () => clock.seek(clock.time + 1),
    f: fit,
    "[": () => next(-1),
    "]": () => next(1),
    "/": () => page.selectComponent(""),
    t: toggleTheme,
    "?": openHelp,
  };
  CAMERAS.forEach((name, i) => (actions[String(i + 1)] = () => rig.choose(name)));
  window.addEventListener("keydown", (event) => {
    const target = event.target instanceof Element ? event.target : null;
    if (event.ctrlKey || event.altKey || event.metaKey || document.querySelector("dialog[open]")) return;
    if (target?.matches("input:not([type=range]):not([type=checkbox]), select, textarea")) return;
    // A focused button or link has its own use for Space, the slider for the arrows.
    if (event.key === " " && target?.closest("button, summary, a, [role=button]")) return;
    if (target?.matches("input[type=range]") && /^(Arrow|Home|End)/.test(event.key)) return;
    const action = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (action === undefined) return;
    event.preventDefault();
    action();
  });
}
