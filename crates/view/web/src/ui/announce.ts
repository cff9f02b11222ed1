import { h } from "./dom";

/** Says what changed, to screen readers and, for troubles, on the screen. Never called for each frame. */
export class Announcer {
  readonly element: HTMLElement;
  private readonly polite = h("p", { class: "hidden", role: "status", "aria-live": "polite", "data-test": "announcement" });
  private readonly trouble = h("p", { class: "trouble", role: "alert", "data-test": "trouble", hidden: true });
  private timer = 0;

  constructor() {
    this.element = h("div", {}, this.polite, this.trouble);
  }

  say(text: string): void {
    this.polite.textContent = text;
  }

  warn(text: string): void {
    this.trouble.textContent = text;
    this.trouble.hidden = false;
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => (this.trouble.hidden = true), 8000);
  }
}
