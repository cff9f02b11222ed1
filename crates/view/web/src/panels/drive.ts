import type { Control } from "../run/messages";
import { h, setText } from "../ui/dom";
import { short } from "../ui/numbers";
import type { Page } from "../ui/page";
import type { Panel } from "../ui/panel";
import { keysFor, moveByKeys, padDefaults, toAxis, withDeadZone, type KeyPair } from "./drive-axes";

const PERIOD_MS = 1000 / 30;
const PAD_AXES = 6;

/** Gamepad or keyboard moves a component. What is sent is what the bars show, at most 30 times a second. */
export class Drive {
  private readonly held = new Set<string>();
  private timer = 0;
  private driving: Seat | null = null;
  private readonly banner = h("div", { class: "driving", role: "status", "data-test": "driving", hidden: true });
  private last = 0;

  constructor(
    private readonly page: Page,
    panel: Panel,
  ) {
    const { controls } = page.first.hello;
    document.body.append(this.banner);
    if (controls.length === 0) {
      panel.body.append(h("p", { class: "faint" }, page.first.live ? "Nothing in this run can be driven." : "A recording cannot be driven."));
      return;
    }
    for (const control of controls) panel.body.append(new Seat(control, (seat) => (this.driving === seat ? this.release() : this.take(seat))).element);
    window.addEventListener("keydown", (event) => this.key(event, true), true);
    window.addEventListener("keyup", (event) => this.key(event, false), true);
    window.addEventListener("blur", () => this.held.clear());
    // Who closes the page in the middle of a turn does not leave the sticks there.
    window.addEventListener("pagehide", () => this.release());
    const { first } = page;
    for (const over of ["ended", "replaced"] as const) first.on(over, () => this.release());
    first.on("connection", (state) => state === "lost" && this.release());
  }

  private take(seat: Seat): void {
    this.release();
    this.driving = seat;
    seat.setDriving(true);
    this.banner.hidden = false;
    setText(this.banner, `You are driving ${seat.control.name}. Escape lets go.`);
    (document.activeElement as HTMLElement | null)?.blur();
    this.last = performance.now();
    this.timer = window.setInterval(() => this.tick(), PERIOD_MS);
  }

  /** Sticks go back to rest, and the component keeps that. */
  release(): void {
    const seat = this.driving;
    if (seat === null) return;
    clearInterval(this.timer);
    this.held.clear();
    this.driving = null;
    seat.rest();
    if (this.page.first.drivable) this.send(seat);
    seat.setDriving(false);
    this.banner.hidden = true;
    this.page.announcer.say("You no longer drive.");
  }

  private key(event: KeyboardEvent, down: boolean): void {
    if (this.driving === null) return;
    if (event.code === "Escape") {
      event.stopPropagation();
      if (down) this.release();
      return;
    }
    const typing = event.target instanceof HTMLElement && event.target.matches("input, select, textarea");
    if (typing || !this.driving.usesKey(event.code)) return;
    event.preventDefault();
    event.stopPropagation();
    if (down) this.held.add(event.code);
    else this.held.delete(event.code);
  }

  private tick(): void {
    const now = performance.now();
    const seconds = Math.min((now - this.last) / 1000, 0.1);
    this.last = now;
    const pad = navigator.getGamepads?.().find((one) => one !== null && one.connected) ?? null;
    if (this.driving?.move(this.held, pad, seconds)) this.send(this.driving);
  }

  private send(seat: Seat): void {
    this.page.first.try({ do: "drive", component: seat.control.component, axes: seat.values() });
  }
}

/** One component that can be driven, and how its axes are moved. */
class Seat {
  readonly element: HTMLElement;
  private readonly deflection: number[];
  private readonly keyed: number[];
  private readonly keys: (KeyPair | null)[];
  private readonly pads: { axis: number; turned: boolean }[];
  private readonly bars: { fill: HTMLElement; value: HTMLElement }[] = [];
  private readonly button: HTMLButtonElement;

  constructor(
    readonly control: Control,
    toggle: (seat: Seat) => void,
  ) {
    this.deflection = control.axes.map(() => 0);
    this.keyed = control.axes.map(() => 0);
    this.keys = keysFor(control.axes);
    this.pads = padDefaults(control.axes);
    this.button = h("button", { type: "button", class: "main", "data-test": `drive-${control.component}`, "aria-pressed": "false", click: () => toggle(this) }, "Drive");
    const rows = control.axes.map((axis, i) => this.row(axis.parameter, i));
    this.element = h(
      "div",
      { class: "seat" },
      h("div", { class: "row" }, h("strong", {}, control.name), this.button),
      h("table", { class: "list" }, h("thead", {}, h("tr", {}, ...["Axis", "Value", "Keys", "Gamepad"].map((word) => h("th", { scope: "col" }, word)))), h("tbody", {}, ...rows)),
    );
    this.show();
  }

  private row(name: string, i: number): HTMLElement {
    const fill = h("span", { class: "margin-fill" });
    const value = h("span", { class: "figure" });
    this.bars.push({ fill, value });
    const pair = this.keys[i];
    const choice = h("select", { "aria-label": `Gamepad axis for ${name}` }, h("option", { value: -1 }, "none"), ...Array.from({ length: PAD_AXES }, (_, k) => h("option", { value: k }, `axis ${k}`)));
    choice.value = String(this.pads[i]!.axis);
    choice.addEventListener("change", () => (this.pads[i]!.axis = Number(choice.value)));
    const turn = h("input", { type: "checkbox", "aria-label": `Turn ${name} round` });
    turn.checked = this.pads[i]!.turned;
    turn.addEventListener("change", () => (this.pads[i]!.turned = turn.checked));
    const keys = pair ? [h("kbd", {}, keyName(pair.minus)), " ", h("kbd", {}, keyName(pair.plus))] : ["–"];
    return h("tr", {}, h("th", { scope: "row" }, name), h("td", {}, h("span", { class: "margin" }, fill), value), h("td", {}, ...keys), h("td", {}, choice, h("label", { class: "unit" }, turn, "±")));
  }

  usesKey(code: string): boolean {
    return this.keys.some((pair) => pair !== null && (pair.plus === code || pair.minus === code));
  }

  setDriving(driving: boolean): void {
    setText(this.button, driving ? "Let go (Esc)" : "Drive");
    this.button.setAttribute("aria-pressed", String(driving));
  }

  rest(): void {
    this.deflection.fill(0);
    this.keyed.fill(0);
    this.show();
  }

  /** True if anything changed. */
  move(held: ReadonlySet<string>, pad: Gamepad | null, seconds: number): boolean {
    let changed = false;
    this.control.axes.forEach((_, i) => {
      const pair = this.keys[i];
      if (pair) this.keyed[i] = moveByKeys(this.keyed[i]!, held.has(pair.plus), held.has(pair.minus), seconds);
      const { axis, turned } = this.pads[i]!;
      const stick = withDeadZone(pad?.axes[axis] ?? 0) * (turned ? -1 : 1);
      const next = Math.max(-1, Math.min(1, this.keyed[i]! + stick));
      if (Math.abs(next - this.deflection[i]!) > 1e-3 || (next === 0 && this.deflection[i] !== 0)) {
        this.deflection[i] = next;
        changed = true;
      }
    });
    if (changed) this.show();
    return changed;
  }

  values(): Record<string, number> {
    return Object.fromEntries(this.control.axes.map((axis, i) => [axis.parameter, toAxis(this.deflection[i]!, axis)]));
  }

  private show(): void {
    this.bars.forEach(({ fill, value }, i) => {
      const part = this.deflection[i]!;
      fill.style.left = part < 0 ? `${50 + part * 50}%` : "50%";
      fill.style.width = `${Math.abs(part) * 50}%`;
      setText(value, short(Number(toAxis(part, this.control.axes[i]!).toPrecision(3))));
    });
  }
}

function keyName(code: string): string {
  const names: Record<string, string> = { ArrowUp: "↑", ArrowDown: "↓", ArrowLeft: "←", ArrowRight: "→" };
  return names[code] ?? code.replace("Key", "");
}
