import { signalName, type Signal } from "../run/messages";
import { h, setText } from "../ui/dom";
import { short } from "../ui/numbers";
import { atMostEvery, type Page } from "../ui/page";
import type { Panel } from "../ui/panel";
import type { Plots } from "./plots";
import type { Subscriptions } from "./subscriptions";

const MOST_FOUND = 150;

interface Leaf {
  signal: Signal;
  button: HTMLButtonElement;
  value: HTMLElement;
}

/** The tree of components, ports and values. A press on a value plots it. */
export class Tree {
  private readonly leaves = new Map<HTMLElement, Leaf>();
  private readonly list = h("div", { class: "tree" });
  private readonly search = h("input", { type: "search", placeholder: "Find a signal", "aria-label": "Find a signal", "data-test": "signal-search" });

  constructor(
    private readonly page: Page,
    private readonly panel: Panel,
    private readonly plots: Plots,
    private readonly subscriptions: Subscriptions,
  ) {
    panel.body.append(this.search, this.list);
    panel.note(String(page.first.hello.signals.length));
    this.search.addEventListener("input", () => this.fill());
    this.fill();
    const refresh = atMostEvery(250, () => this.refresh());
    page.first.on("shown", refresh);
    plots.onChange(() => this.refresh());
    panel.onVisible(() => this.listed());
    this.list.addEventListener("toggle", () => this.listed(), true);
    page.on("component", (path) => {
      this.panel.show();
      this.search.value = path === "" ? "" : `${path}.`;
      this.fill();
      this.search.focus();
    });
  }

  private fill(): void {
    this.leaves.clear();
    const words = this.search.value.trim().toLowerCase().split(/\s+/).filter(Boolean);
    const { signals } = this.page.first.hello;
    if (words.length === 0) this.list.replaceChildren(this.components(signals));
    else {
      const found = signals.filter((signal) => words.every((word) => signalName(signal).toLowerCase().includes(word)));
      const rows = found.slice(0, MOST_FOUND).map((signal) => this.leaf(signal, signalName(signal)));
      const more = found.length > MOST_FOUND ? `…and ${found.length - MOST_FOUND} more: type more letters.` : found.length === 0 ? "No signal has that name." : "";
      this.list.replaceChildren(h("ul", { class: "plain" }, ...rows), more ? h("p", { class: "faint" }, more) : "");
    }
    this.listed();
    this.refresh();
  }

  private components(signals: Signal[]): HTMLElement {
    const byComponent = groupBy(signals, (signal) => signal.component);
    return h(
      "ul",
      { class: "plain" },
      ...[...byComponent].map(([component, own]) => this.branch(component || "(run)", () => [...groupBy(own, (signal) => signal.port)].map(([port, leaves]) => this.port(port, leaves)), byComponent.size === 1)),
    );
  }

  private port(port: string, signals: Signal[]): HTMLElement {
    const only = signals[0]!;
    if (signals.length === 1) return this.leaf(only, [port, only.leaf].filter(Boolean).join("."));
    return this.branch(port, () => signals.map((signal) => this.leaf(signal, signal.leaf)), false);
  }

  /** A part that is filled when it is first opened. */
  private branch(name: string, children: () => HTMLElement[], open: boolean): HTMLElement {
    const list = h("ul", { class: "plain" });
    const details = h("details", { open }, h("summary", {}, name), list);
    const fill = () => {
      if (details.open && list.childElementCount === 0) {
        list.append(...children());
        this.refresh();
      }
    };
    details.addEventListener("toggle", fill);
    fill();
    return h("li", {}, details);
  }

  private leaf(signal: Signal, text: string): HTMLElement {
    const name = signalName(signal);
    const value = h("span", { class: "figure" });
    const button = h(
      "button",
      { type: "button", class: "leaf", title: name, "data-test": `signal-${name}`, click: () => this.plots.toggle(name) },
      h("span", { class: "pick", "aria-hidden": "true" }),
      h("span", { class: "leaf-name" }, text),
      value,
      h("span", { class: "faint unit" }, signal.unit),
    );
    if (!signal.recorded) button.title += " (not recorded)";
    const row = h("li", {}, button);
    this.leaves.set(row, { signal, button, value });
    return row;
  }

  private visibleLeaves(): Leaf[] {
    return [...this.leaves].filter(([row]) => row.isConnected && row.offsetParent !== null).map(([, leaf]) => leaf);
  }

  private listed(): void {
    const leaves = this.panel.visible ? this.visibleLeaves() : [];
    this.subscriptions.setListed(leaves.map(({ signal }) => signalName(signal)));
  }

  private refresh(): void {
    if (!this.panel.visible) return;
    for (const { signal, button, value } of this.visibleLeaves()) {
      button.setAttribute("aria-pressed", String(this.plots.has(signalName(signal))));
      const now = this.page.first.values.get(signal.id);
      setText(value, now === undefined ? "" : (signal.labels?.[now] ?? short(now)));
    }
  }
}

function groupBy<T>(list: T[], key: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of list) {
    const group = groups.get(key(item));
    if (group) group.push(item);
    else groups.set(key(item), [item]);
  }
  return groups;
}
