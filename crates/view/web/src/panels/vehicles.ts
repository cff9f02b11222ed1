import { NOT_THERE, POSE, type Frame } from "../run/protocol";
import { vehicleColour } from "../scene/palette";
import { h, setText } from "../ui/dom";
import { short } from "../ui/numbers";
import { atMostEvery, type Page } from "../ui/page";
import type { Panel } from "../ui/panel";

/** The list of vehicles: picks one, and says where each is. It is also the words for the picture. */
export function vehiclesPanel(page: Page, panel: Panel): void {
  // Two runs may have other vehicles, or number them in another way.
  const all = page.runs.map((run) => new Map(run.hello.scene.bodies.map((body, i) => [body.path, { body, colour: vehicleColour(run.hello.scene, i) }])));
  const listed = new Map(all[0]);
  for (const [path, one] of all.flatMap((bodies) => [...bodies])) if (!listed.has(path)) listed.set(path, one);
  panel.note(String(listed.size));
  const rows = [...listed.values()].map(({ body, colour }) => {
    const mark = h("span", { class: "mark" });
    mark.style.background = colour;
    const places = page.runs.map(() => h("td", { class: "figure" }));
    const button = h("button", { type: "button", class: "link", "data-test": `vehicle-${body.path}`, click: () => page.selectVehicle(body.path) }, mark, h("span", {}, ...brokenAtDots(body.name)));
    return { body, button, places, row: h("tr", {}, h("th", { scope: "row" }, button), h("td", { class: "faint" }, body.kind), ...places) };
  });
  const heads = page.runs.map((_, i) => h("th", { scope: "col" }, page.runs.length > 1 ? `${"AB"[i]}: N, E, up (m)` : "N, E, up (m)"));
  panel.body.append(
    h(
      "table",
      { class: "list", "data-test": "vehicles", "data-runs": page.runs.length },
      h("caption", { class: "hidden" }, "Vehicles and where they are, every two seconds"),
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Name"), h("th", { scope: "col" }, "Kind"), ...heads)),
      h("tbody", {}, ...rows.map(({ row }) => row)),
    ),
  );
  const refresh = atMostEvery(2000, () => {
    page.runs.forEach((run, r) => {
      for (const { body, places } of rows) setText(places[r]!, run.shown ? placeText(run.shown, all[r]!.get(body.path)?.body.id) : "–");
    });
  });
  for (const run of page.runs) run.on("shown", refresh);
  page.on("vehicle", (path) => {
    for (const { body, button, row } of rows) {
      row.classList.toggle("selected", body.path === path);
      button.setAttribute("aria-pressed", String(body.path === path));
    }
  });
}

/** A long name goes on in the next line after a dot, if it may. */
function brokenAtDots(name: string): (string | HTMLElement)[] {
  return name.split(/(?<=\.)/).flatMap((part, i) => (i === 0 ? [part] : [h("wbr", {}), part]));
}

function placeText(frame: Frame, id: number | undefined): string {
  const i = id === undefined ? -1 : frame.bodies.indexOf(id);
  if (i < 0 || frame.poses[i * POSE + 7]! & NOT_THERE) return "not there";
  const at = i * POSE;
  const round = (value: number) => short(Math.round(value * 10) / 10);
  return `${round(frame.poses[at]!)}, ${round(frame.poses[at + 1]!)}, ${round(-frame.poses[at + 2]!)}`;
}
