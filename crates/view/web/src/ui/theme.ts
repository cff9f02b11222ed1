import { DAY, NIGHT, type SceneColours } from "../scene/palette";
import { keep, kept } from "./kept";

export type Theme = "light" | "dark";

const KEY = "theme";

/** Light or dark: as the system has it, until the person chooses. */
export class ThemeSwitch {
  private readonly system = window.matchMedia("(prefers-color-scheme: dark)");
  private readonly listeners: (() => void)[] = [];

  constructor() {
    this.system.addEventListener("change", () => this.apply());
    this.apply();
  }

  get theme(): Theme {
    const chosen = kept(KEY);
    if (chosen === "light" || chosen === "dark") return chosen;
    return this.system.matches ? "dark" : "light";
  }

  get colours(): SceneColours {
    return this.theme === "dark" ? NIGHT : DAY;
  }

  toggle(): void {
    keep(KEY, this.theme === "dark" ? "light" : "dark");
    this.apply();
  }

  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  private apply(): void {
    document.documentElement.dataset["theme"] = this.theme;
    for (const listener of this.listeners) listener();
  }
}

/** A colour of the style sheet, for canvases. */
export function styleColour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}
