import { h } from "../ui/dom";
import { clockText } from "../ui/numbers";
import { atMostEvery, type Page } from "../ui/page";
import type { Panel } from "../ui/panel";
import { isBad } from "./timeline-marks";

const MOST_SHOWN = 300;

/** Events in words, newest last; the words for the timeline. In a recording a press goes there. */
export function eventsPanel(page: Page, panel: Panel): void {
  const list = h("ol", { class: "plain events", "data-test": "events" });
  const note = h("form", { class: "row" });
  if (page.first.live) {
    const text = h("input", { maxlength: 200, placeholder: "Note for the recording", "aria-label": "Note for the recording", "data-test": "note" });
    note.append(text, h("button", { type: "submit", class: "quiet" }, "Note"));
    note.addEventListener("submit", (event) => {
      event.preventDefault();
      if (text.value.trim() === "") return;
      page.first.try({ do: "note", text: text.value });
      text.value = "";
    });
  }
  panel.body.append(page.first.live ? note : "", list);
  const refresh = atMostEvery(300, () => {
    const all = page.runs.flatMap((run, i) => run.events.map((event) => ({ event, run: i })));
    all.sort((a, b) => a.event.time - b.event.time);
    panel.note(String(all.length));
    if (!panel.visible) return;
    list.replaceChildren(
      ...all.slice(-MOST_SHOWN).map(({ event, run }) => {
        const words = `${page.runs.length > 1 ? `${"AB"[run]} ` : ""}${event.name}: ${event.text}`;
        const parts = [h("span", { class: "figure when" }, clockText(event.time)), h("span", { class: isBad(event) ? "kind bad" : "kind" }, event.kind), h("span", {}, words)];
        const planned = page.clock.live && event.time > page.clock.time;
        if (planned) parts.push(h("em", { class: "faint" }, "planned"));
        return page.clock.live ? h("li", { class: "event" }, ...parts) : h("li", {}, h("button", { type: "button", class: "event", click: () => page.clock.seek(event.time) }, ...parts));
      }),
    );
    list.scrollTop = list.scrollHeight;
  });
  for (const run of page.runs) {
    run.on("event", refresh);
    run.on("hello", refresh);
  }
  panel.onVisible(refresh);
  refresh();
}
