import { h, setText } from "./dom";
import type { Page } from "./page";

const VERDICTS = { holds: "All requirements hold.", violated: "A requirement is violated.", undecided: "A requirement is undecided." } as const;

/** Says that a live run is over and what became of it. What is served from then on is opened by a button: the page does
 *  not go away under somebody who looks at it. */
export function overBanner(page: Page): HTMLElement {
  const run = page.first;
  const words = h("span", { role: "status", "data-test": "over-words" });
  const verdict = h("strong", { class: "verdict" });
  const open = h("button", { type: "button", class: "main", "data-test": "over-open", hidden: true, click: () => window.location.reload() });
  const banner = h("div", { class: "over", "data-test": "over", hidden: true }, verdict, words, open);
  run.on("ended", ({ text, verdict: result }) => {
    banner.hidden = false;
    verdict.dataset["verdict"] = result;
    setText(verdict, VERDICTS[result]);
    setText(words, `The run is over: ${text}.`);
  });
  run.on("replaced", (hello) => {
    banner.hidden = false;
    if (run.ended === null) setText(words, "This run is over.");
    setText(open, hello.live ? "Watch the next run" : "Play the recording");
    open.hidden = false;
  });
  return banner;
}
