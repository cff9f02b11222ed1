import { h } from "./dom";

const KEYS: [string, string][] = [
  ["Space", "Pause or go; in a recording play or stop"],
  [".", "Step"],
  [",", "Step back (recording)"],
  ["J", "Play backwards (recording)"],
  ["Home, End", "To the beginning or the end (recording)"],
  ["← →", "Back or on by a second (recording); in the scene, turn the camera"],
  ["1 2 3 4", "Camera: orbit, follow, on board, map"],
  ["F", "See all vehicles"],
  ["[ ]", "Previous or next vehicle"],
  ["+ −", "Zoom (in the scene)"],
  ["/", "Find a signal"],
  ["T", "Light or dark"],
  ["W A S D, arrows", "Drive, after you pressed Drive"],
  ["Escape", "Let go of the controls; close a dialog"],
  ["?", "This help"],
];

export function openHelp(): void {
  if (document.querySelector("dialog[open]")) return;
  const dialog = h(
    "dialog",
    { class: "dialog", "aria-label": "Help", "data-test": "help" },
    h("h2", {}, "Keys"),
    h("table", { class: "list" }, h("tbody", {}, ...KEYS.map(([key, words]) => h("tr", {}, h("th", { scope: "row" }, h("kbd", {}, key)), h("td", {}, words))))),
    h("p", { class: "faint" }, "Mouse: drag turns, right button or Shift moves, wheel zooms, a click picks a vehicle. In plots, drag zooms and a double click shows all."),
    h("button", { type: "button", class: "main", click: () => dialog.close() }, "Close"),
  );
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
