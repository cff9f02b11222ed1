import { Drive } from "../panels/drive";
import { eventsPanel } from "../panels/events";
import { faultsPanel } from "../panels/faults";
import { graphPanel } from "../panels/graph";
import { machinesPanel } from "../panels/machines";
import { parametersPanel } from "../panels/parameters";
import { Plots } from "../panels/plots";
import { requirementsPanel } from "../panels/requirements";
import { Subscriptions } from "../panels/subscriptions";
import { Timeline } from "../panels/timeline";
import { stateWord, topbar } from "../panels/topbar";
import { Tree } from "../panels/tree";
import { vehiclesPanel } from "../panels/vehicles";
import type { Clock } from "../run/clock";
import type { Run } from "../run/run";
import { CAMERAS, CameraRig, type CameraName } from "../scene/camera-rig";
import { SceneView } from "../scene/view";
import { Announcer } from "./announce";
import { h } from "./dom";
import { openHelp } from "./help";
import { icon } from "./icons";
import { listenToKeys } from "./keys";
import { overBanner } from "./over";
import { Page } from "./page";
import { Panel, tabs } from "./panel";
import { splitter } from "./splitter";
import { ThemeSwitch } from "./theme";

const CAMERA_WORDS: Record<CameraName, string> = { orbit: "Orbit", follow: "Follow", board: "On board", map: "Map" };

/** Puts the page together, and keeps it drawing. */
export function buildPage(app: HTMLElement, runs: Run[], clock: Clock): void {
  const announcer = new Announcer();
  const page = new Page(runs, clock, announcer);
  const theme = new ThemeSwitch();
  const rig = new CameraRig();
  const { hello } = page.first;
  document.title = `${hello.title} – Ironbird`;
  for (const run of runs) run.on("trouble", (text) => announcer.warn(text));

  const views = runs.map((run) => new SceneView(run, rig, theme.colours, (path) => page.selectVehicle(path)));
  views[0]!.beside = views.slice(1);
  const panel = (id: string, title: string, open: boolean) => new Panel(id, title, open);
  const left = {
    vehicles: panel("vehicles", "Vehicles", true),
    requirements: panel("requirements", "Requirements", true),
    faults: panel("faults", "Faults", hello.faults.length > 0),
    drive: panel("drive", "Drive", hello.controls.length > 0),
    parameters: panel("parameters", "Parameters", false),
  };
  const right = {
    signals: panel("signals", "Signals", true),
    plots: panel("plots", "Plots", true),
    states: panel("states", "States", hello.machines.length > 0),
    graph: panel("graph", "System graph", false),
    events: panel("events", "Events", false),
  };
  const subscriptions = new Subscriptions(page);
  const plots = new Plots(page, right.plots, subscriptions);
  new Tree(page, right.signals, plots, subscriptions);
  vehiclesPanel(page, left.vehicles);
  requirementsPanel(page, left.requirements);
  faultsPanel(page, left.faults);
  parametersPanel(page, left.parameters);
  new Drive(page, left.drive);
  const machines = machinesPanel(page, right.states);
  graphPanel(page, right.graph);
  eventsPanel(page, right.events);
  const timeline = new Timeline(page);

  const fit = () => views[0]!.fit();
  const help = h("button", { type: "button", class: "icon", "aria-label": "Help (?)", "data-test": "help-open", click: openHelp }, "?");
  const light = h("button", { type: "button", class: "icon", "aria-label": "Light or dark (T)", "data-test": "theme", click: () => theme.toggle() }, icon("theme"));
  const panels = [left.vehicles, right.signals, right.plots, left.requirements, left.faults, left.drive, right.states, right.events, left.parameters, right.graph];
  const leftColumn = h("div", { class: "column left" }, ...Object.values(left).map((one) => one.element));
  const rightColumn = h("div", { class: "column right" }, ...Object.values(right).map((one) => one.element));
  // In a recording nothing can be changed: what changes things is not there.
  const shown = panels.filter((one) => hello.live || ![left.faults, left.drive, left.parameters].includes(one));
  for (const one of panels) one.element.hidden = !shown.includes(one);
  app.append(
    topbar(page, [light, help]),
    h(
      "main",
      { class: hello.scene.bodies.length > 0 ? "main-area" : "main-area without-scene" },
      h("div", { class: "scenes", "data-count": views.length, role: "region", "aria-label": "Scene" }, ...views.map((view, i) => labelled(view, runs, i)), cameraBar(rig, fit)),
      h("div", { id: "panels", class: "panels", tabindex: -1 }, tabs(shown), leftColumn, rightColumn, splitter(leftColumn, "left"), splitter(rightColumn, "right")),
      overBanner(page),
    ),
    timeline.element,
    announcer.element,
  );
  page.on("vehicle", (path) => {
    for (const view of views) view.select(path);
    if (path) announcer.say(`${path} is selected.`);
  });
  theme.onChange(() => {
    for (const view of views) view.paint(theme.colours);
    plots.repaint();
    machines.repaint();
    timeline.repaint();
  });
  listenToKeys(page, rig, fit, () => theme.toggle());
  if (hello.scene.bodies[0]) page.selectVehicle(hello.scene.bodies[0].path);
  else plots.begin();

  let last = performance.now();
  const draw = (now: number) => {
    clock.tick((now - last) / 1000);
    last = now;
    for (const view of views) view.draw();
    requestAnimationFrame(draw);
  };
  requestAnimationFrame(draw);

  window.ironbird = {
    scene: (run = 0) => views[run]!.report(),
    time: () => clock.time,
    state: () => stateWord(page),
    seek: (time) => clock.seek(time),
    select: (path) => page.selectVehicle(path),
    camera: (name) => rig.choose(name),
  };
}

function labelled(view: SceneView, runs: Run[], i: number): HTMLElement {
  if (runs.length > 1) {
    view.element.append(h("div", { class: "run-name" }, h("strong", {}, "AB"[i]!), ` ${runs[0]!.hello.runs[i] ?? ""}`));
  }
  return view.element;
}

function cameraBar(rig: CameraRig, fit: () => void): HTMLElement {
  const buttons = CAMERAS.map((name, i) =>
    h("button", { type: "button", "data-test": `camera-${name}`, title: `${CAMERA_WORDS[name]} (${i + 1})`, click: () => rig.choose(name) }, CAMERA_WORDS[name]),
  );
  const refresh = () => buttons.forEach((button, i) => button.setAttribute("aria-pressed", String(CAMERAS[i] === rig.mode)));
  rig.on("change", refresh);
  refresh();
  const all = h("button", { type: "button", "data-test": "fit", title: "See all (F)", click: fit }, "See all");
  return h("div", { class: "camera-bar", role: "group", "aria-label": "Camera" }, ...buttons, all);
}

/** What tests may ask of the page. */
export interface TestHandle {
  scene(run?: number): ReturnType<SceneView["report"]>;
  time(): number;
  state(): string;
  seek(time: number): void;
  select(path: string): void;
  camera(name: CameraName): void;
}

declare global {
  interface Window {
    ironbird?: TestHandle;
  }
}
