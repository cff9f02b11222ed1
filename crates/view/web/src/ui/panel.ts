import { h, setText } from "./dom";
import { keep, kept } from "./kept";

const PHONE = window.matchMedia("(max-width: 760px)");

/** A part of the side columns: a heading that opens and closes it, and on a phone a tab. */
export class Panel {
  readonly body = h("div", { class: "panel-body" });
  readonly element: HTMLElement;
  readonly tab: HTMLButtonElement;
  private readonly button: HTMLButtonElement;
  private readonly badge = h("span", { class: "badge" });
  private readonly listeners: ((visible: boolean) => void)[] = [];
  private open: boolean;
  private chosen = false;

  constructor(
    readonly id: string,
    readonly title: string,
    open: boolean,
  ) {
    const stored = kept(`panel-${id}`);
    this.open = stored === null ? open : stored === "open";
    this.body.id = `panel-${id}`;
    this.button = h(
      "button",
      { class: "panel-title", type: "button", "aria-controls": this.body.id, "data-test": `panel-${id}`, click: () => this.toggle() },
      h("span", { class: "twist", "aria-hidden": "true" }),
      title,
      this.badge,
    );
    this.element = h("section", { class: "panel", "data-panel": id, "aria-label": title }, h("h2", {}, this.button), this.body);
    this.tab = h("button", { type: "button", role: "tab", class: "tab", "data-test": `tab-${id}`, "aria-controls": this.body.id }, title);
    PHONE.addEventListener("change", () => this.apply());
    this.apply();
  }

  get visible(): boolean {
    return PHONE.matches ? this.chosen : this.open;
  }

  onVisible(listener: (visible: boolean) => void): void {
    this.listeners.push(listener);
  }

  /** A few characters beside the title. */
  note(text: string): void {
    setText(this.badge, text);
  }

  show(): void {
    if (PHONE.matches) this.tab.click();
    else if (!this.open) this.toggle();
  }

  choose(chosen: boolean): void {
    this.chosen = chosen;
    this.apply();
  }

  private toggle(): void {
    this.open = !this.open;
    keep(`panel-${this.id}`, this.open ? "open" : "closed");
    this.apply();
  }

  private apply(): void {
    this.element.classList.toggle("open", this.open);
    this.element.classList.toggle("chosen", this.chosen);
    this.button.setAttribute("aria-expanded", String(this.visible));
    this.tab.setAttribute("aria-selected", String(this.chosen));
    for (const listener of this.listeners) listener(this.visible);
  }
}

/** The row of tabs that a phone shows in place of the columns. */
export function tabs(panels: Panel[]): HTMLElement {
  const choose = (which: Panel) => panels.forEach((panel) => panel.choose(panel === which));
  const row = h("div", { class: "tabs", role: "tablist", "aria-label": "Panels" }, ...panels.map((panel) => panel.tab));
  for (const panel of panels) panel.tab.addEventListener("click", () => choose(panel));
  row.addEventListener("keydown", (event) => {
    const direction = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (direction === 0) return;
    event.stopPropagation();
    const at = panels.findIndex((panel) => panel.tab === document.activeElement);
    const next = panels[(at + direction + panels.length) % panels.length]!;
    next.tab.focus();
    choose(next);
  });
  if (panels[0]) choose(panels[0]);
  return row;
}
