import { ENDED, PAUSED } from "../run/protocol";
import { h, setText } from "../ui/dom";
import { clockText, short } from "../ui/numbers";
import { atMostEvery, type Page } from "../ui/page";
import { liveControls, recordingControls } from "./transport";

const CONNECTION_WORDS = {
  connecting: "connecting…",
  open: "connected",
  lost: "connection lost, trying again…",
} as const;

/** Title, time, speed, state, connection; and what can be done about time. */
export function topbar(page: Page, buttons: HTMLElement[]): HTMLElement {
  const run = page.first;
  const { hello } = run;
  const time = h("span", { class: "figure", "data-test": "time" });
  const duration = h("span", { class: "faint" });
  const speed = h("span", { class: "figure", "data-test": "speed-now" });
  const state = h("span", { class: "state", "data-test": "state" });
  const connection = h("span", { class: "connection", "data-test": "connection" });
  const subtitle = [hello.scenario, hello.repetition > 0 ? `repetition ${hello.repetition}` : null].filter(Boolean).join(", ");

  const refresh = () => {
    setText(time, clockText(page.clock.time));
    setText(duration, ` / ${clockText(page.clock.duration)}`);
    const now = hello.live ? (run.shown?.speed ?? 0) : page.clock.playing ? page.clock.speed : 0;
    setText(speed, `${short(Number(now.toPrecision(3)))}×`);
    const word = stateWord(page);
    setText(state, word);
    state.dataset["state"] = word;
  };
  const connected = () => {
    const worst = page.runs.find((one) => one.connection.state !== "open") ?? run;
    const word = run.replacedBy === null ? CONNECTION_WORDS[worst.connection.state] : "";
    setText(connection, word);
    connection.dataset["connection"] = worst.connection.state;
    document.body.classList.toggle("lost", worst.connection.state === "lost");
  };
  let lastWord = "";
  const soon = atMostEvery(80, () => {
    refresh();
    const word = stateWord(page);
    if (lastWord !== "" && word !== lastWord) page.announcer.say(`The run is ${word}.`);
    lastWord = word;
  });
  page.clock.on("change", soon);
  page.clock.on("play", soon);
  for (const one of page.runs) {
    one.on("shown", soon);
    one.on("ended", (ended) => {
      page.announcer.say(`The run ended: ${ended.text}`);
      soon();
    });
    one.on("replaced", connected);
    one.on("connection", (value) => {
      connected();
      if (one.ended !== null) return;
      if (value === "lost") page.announcer.say("The connection is lost. The page tries to connect again.");
      if (value === "open") page.announcer.say("Connected.");
    });
  }
  refresh();
  connected();
  return h(
    "header",
    { class: "topbar" },
    h("div", { class: "title" }, h("h1", { title: hello.title }, hello.title || "Ironbird"), subtitle ? h("span", { class: "faint" }, subtitle) : null),
    h("div", { class: "readout" }, h("span", {}, time, duration), speed, state, connection),
    hello.live ? liveControls(page) : recordingControls(page),
    h("div", { class: "tools" }, ...buttons),
  );
}

export function stateWord(page: Page): string {
  const run = page.first;
  if (!run.live) return page.clock.playing ? (page.clock.speed < 0 ? "playing backwards" : "playing") : "stopped";
  if (run.ended || run.replacedBy || run.shown?.state === ENDED) return "ended";
  if (run.shown === null) return "starting";
  return run.shown.state === PAUSED ? "paused" : "running";
}
