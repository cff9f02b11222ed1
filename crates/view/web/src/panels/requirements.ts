import type { Lamp } from "../run/protocol";
import { h, setText } from "../ui/dom";
import { short } from "../ui/numbers";
import { atMostEvery, type Page } from "../ui/page";
import type { Panel } from "../ui/panel";

const WORDS = ["open", "holds", "violated"] as const;
const ICONS = ["○", "✓", "✕"] as const;

/** A lamp for each requirement: icon, word, colour, and the margin as a bar. Two columns for two runs. */
export function requirementsPanel(page: Page, panel: Panel): void {
  // Two runs may have other requirements, in another order.
  const requirements = new Map(page.runs.flatMap((run) => run.hello.requirements.map((one) => [one.name, one] as const)));
  if (requirements.size === 0) {
    panel.body.append(h("p", { class: "faint" }, "This run has no requirements."));
    return;
  }
  const heads = page.runs.map((_, i) => h("th", { scope: "col" }, page.runs.length > 1 ? `Run ${"AB"[i]}` : "So far"));
  const cells = new Map<string, LampCell[]>();
  const rows = [...requirements.values()].map(({ name, text, unit }) => {
    const own = page.runs.map(() => new LampCell(unit));
    cells.set(name, own);
    const head = h("th", { scope: "row", title: text }, name, h("div", { class: "faint formula" }, text));
    return h("tr", { "data-test": `requirement-${name}` }, head, ...own.map((cell) => cell.element));
  });
  panel.body.append(
    h(
      "table",
      { class: "list requirements" },
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Requirement"), ...heads)),
      h("tbody", {}, ...rows),
    ),
  );
  const refresh = atMostEvery(200, () => {
    let violated = 0;
    page.runs.forEach((run, r) => {
      for (const lamp of run.shown?.lamps ?? []) {
        const name = run.hello.requirements[lamp.requirement]?.name;
        const cell = name === undefined ? undefined : cells.get(name)?.[r];
        if (cell === undefined) continue;
        if (lamp.state === 2) violated++;
        const was = cell.show(lamp);
        if (was !== null && was !== 2 && lamp.state === 2) page.announcer.say(`${name} is violated.`);
      }
    });
    panel.note(violated > 0 ? `${violated} violated` : "");
  });
  for (const run of page.runs) run.on("shown", refresh);
}

class LampCell {
  private readonly icon = h("span", { class: "lamp-icon", "aria-hidden": "true" }, ICONS[0]);
  private readonly word = h("span", {}, WORDS[0]);
  private readonly bar = h("span", { class: "margin-fill" });
  private readonly track = h("span", { class: "margin", title: "Margin, beside the largest so far", hidden: true }, this.bar);
  private readonly number = h("span", { class: "figure faint" });
  readonly element = h(
    "td",
    { class: "lamp", "data-state": "open" },
    h("span", { class: "lamp-head" }, this.icon, this.word),
    this.track,
    this.number,
  );
  private state: number | null = null;
  private largest = 0;

  constructor(private readonly unit: string) {}

  /** Returns the state before. */
  show(lamp: Lamp): number | null {
    const was = this.state;
    this.state = lamp.state;
    const word = WORDS[lamp.state] ?? "open";
    this.element.dataset["state"] = word;
    setText(this.word, word);
    setText(this.icon, ICONS[lamp.state] ?? "○");
    const known = Number.isFinite(lamp.margin);
    this.track.hidden = !known;
    setText(this.number, known ? `margin ${short(Number(lamp.margin.toPrecision(3)))}\u00a0${this.unit}` : "");
    if (known) this.largest = Math.max(this.largest, Math.abs(lamp.margin));
    const part = known && this.largest > 0 ? lamp.margin / this.largest : 0;
    this.bar.style.left = part < 0 ? `${50 + part * 50}%` : "50%";
    this.bar.style.width = `${Math.abs(part) * 50}%`;
    return was;
  }
}
