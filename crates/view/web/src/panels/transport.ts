import { ENDED, PAUSED } from "../run/protocol";
import { h } from "../ui/dom";
import { icon } from "../ui/icons";
import type { Page } from "../ui/page";

/** Pause, step, speed and end of a live run. */
export function liveControls(page: Page): HTMLElement {
  const run = page.first;
  const pause = h("button", { type: "button", class: "main", "data-test": "pause", click: () => togglePause(page) });
  const by = h("input", { type: "number", min: 0, step: "any", placeholder: "next", "aria-label": "Step by, seconds; empty: to the next instant", "data-test": "step-by", class: "narrow" });
  const step = h("button", { type: "button", "data-test": "step", title: "Step (.)", click: () => stepOnce(page) }, "Step");
  const choice = h(
    "select",
    { "aria-label": "Speed", "data-test": "speed" },
    h("option", { value: "1" }, "real time"),
    h("option", { value: "10" }, "10×"),
    h("option", { value: "null" }, "as fast as possible"),
    h("option", { value: "own" }, "own…"),
  );
  const own = h("input", { type: "number", min: 0.01, step: "any", value: 1, "aria-label": "Own speed, simulated seconds per second", "data-test": "speed-own", class: "narrow", hidden: true });
  const sendOwn = () => {
    const value = Number(own.value);
    if (value > 0) run.try({ do: "speed", value });
    else page.announcer.warn("The speed must be a number above 0.");
  };
  choice.addEventListener("change", () => {
    own.hidden = choice.value !== "own";
    if (choice.value === "own") sendOwn();
    else run.try({ do: "speed", value: choice.value === "null" ? null : Number(choice.value) });
  });
  own.addEventListener("change", sendOwn);
  const end = h("button", { type: "button", "data-test": "end", class: "quiet", title: "End the run", click: () => endRun(page) }, "End");

  const showPace = (pace: number | null) => {
    const known = pace === null ? "null" : pace === 1 || pace === 10 ? String(pace) : "own";
    choice.value = known;
    own.hidden = known !== "own";
    if (known === "own") own.value = String(pace);
  };
  let last = -1;
  const refresh = () => {
    const state = run.ended || run.replacedBy ? ENDED : (run.shown?.state ?? 0);
    if (state === last) return;
    last = state;
    pause.replaceChildren(icon(state === PAUSED ? "play" : "pause"), state === PAUSED ? "Go" : "Pause");
    pause.title = state === PAUSED ? "Go (Space)" : "Pause (Space)";
    const over = state === ENDED;
    for (const control of [pause, step, by, choice, own, end]) control.disabled = over;
    step.disabled = by.disabled = over || state !== PAUSED;
  };
  for (const news of ["shown", "ended", "replaced"] as const) run.on(news, refresh);
  run.on("pace", showPace);
  run.on("hello", () => showPace(run.pace));
  showPace(run.pace);
  refresh();
  return h("div", { class: "transport", role: "group", "aria-label": "Time" }, pause, step, h("label", { class: "unit" }, by, " s"), choice, own, end);
}

export function togglePause(page: Page): void {
  const run = page.first;
  if (run.live) run.try({ do: run.shown?.state === PAUSED ? "go" : "pause" });
  else if (page.clock.playing) page.clock.stop();
  else page.clock.play(page.clock.speed < 0 ? -1 : 1);
}

/** One step: of a live run that is paused, by the seconds in the field; of a recording, a thirtieth of a second. */
export function stepOnce(page: Page, direction: 1 | -1 = 1): void {
  const run = page.first;
  if (!run.live) {
    page.clock.stop();
    page.clock.seek(page.clock.time + direction / 30);
    return;
  }
  const text = document.querySelector<HTMLInputElement>('[data-test="step-by"]')?.value ?? "";
  const by = text === "" ? null : Number(text);
  if (by !== null && !(by > 0)) page.announcer.warn("A step must be longer than 0 s.");
  else run.try({ do: "step", by });
}

function endRun(page: Page): void {
  const dialog = h(
    "dialog",
    { class: "dialog", "aria-label": "End the run" },
    h("p", {}, "End the run now? The recording and the report are written."),
    h(
      "div",
      { class: "row" },
      h("button", { type: "button", "data-test": "end-yes", class: "main", click: () => (page.first.try({ do: "end" }), dialog.close()) }, "End the run"),
      h("button", { type: "button", click: () => dialog.close() }, "Go on"),
    ),
  );
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 100];

/** Play in both directions, at any speed. The slider is along the bottom, with the events. */
export function recordingControls(page: Page): HTMLElement {
  const { clock } = page;
  const back = h("button", { type: "button", "data-test": "play-back", title: "Play backwards (J)", click: () => playOrStop(-1) });
  const forward = h("button", { type: "button", class: "main", "data-test": "play", title: "Play (Space)", click: () => playOrStop(1) });
  const playOrStop = (direction: 1 | -1) => {
    if (clock.playing && Math.sign(clock.speed) === direction) clock.stop();
    else clock.play(direction);
  };
  const speed = h("select", { "aria-label": "Speed of play", "data-test": "speed" }, ...SPEEDS.map((value) => h("option", { value }, `${value}×`)));
  speed.value = "1";
  speed.addEventListener("change", () => (clock.speed = Number(speed.value) * (clock.speed < 0 ? -1 : 1)));
  const refresh = () => {
    back.replaceChildren(icon(clock.playing && clock.speed < 0 ? "pause" : "back"));
    forward.replaceChildren(icon(clock.playing && clock.speed > 0 ? "pause" : "play"));
    back.setAttribute("aria-label", clock.playing && clock.speed < 0 ? "Stop" : "Play backwards");
    forward.setAttribute("aria-label", clock.playing && clock.speed > 0 ? "Stop" : "Play");
  };
  clock.on("play", refresh);
  refresh();
  return h(
    "div",
    { class: "transport", role: "group", "aria-label": "Playback" },
    h("button", { type: "button", "aria-label": "To the beginning", title: "To the beginning (Home)", click: () => clock.seek(0) }, icon("first")),
    h("button", { type: "button", "aria-label": "Step back", title: "Step back (,)", "data-test": "step-back", click: () => stepOnce(page, -1) }, icon("stepBack")),
    back,
    forward,
    h("button", { type: "button", "aria-label": "Step", title: "Step (.)", "data-test": "step", click: () => stepOnce(page, 1) }, icon("step")),
    speed,
  );
}
