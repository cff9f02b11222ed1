// Light and dark, paper, and what tests may ask.

const root = document.documentElement;
root.classList.add("js");
const prefersDark = window.matchMedia("(prefers-color-scheme: dark)");
const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : prefersDark.matches);

// A script cannot read which of two colours applies from the variable itself.
const probe = make("i", { hidden: "" });
document.body.append(probe);
const knownColours = new Map();
function colourOf(name) {
  if (!knownColours.has(name)) {
    probe.style.color = `var(${name})`;
    knownColours.set(name, getComputedStyle(probe).color);
  }
  return knownColours.get(name);
}

const spaceFigure = document.querySelector("figure.space");
const view = spaceFigure?.querySelector("[data-track]") ? new SpaceView(spaceFigure) : null;

const themeButton = make("button", { type: "button", class: "theme", "data-test": "theme" });
document.querySelector("header").append(themeButton);
function applyTheme(theme) {
  if (theme) root.dataset.theme = theme;
  knownColours.clear();
  themeButton.textContent = isDark() ? "☀ Light" : "☾ Dark";
  view?.draw();
}
// Pages that are opened as files may have no storage.
const stored = (act) => {
  try {
    return act(window.localStorage);
  } catch {
    return null;
  }
};
themeButton.addEventListener("click", () => {
  const theme = isDark() ? "light" : "dark";
  stored((storage) => storage.setItem("ironbird-theme", theme));
  applyTheme(theme);
});
prefersDark.addEventListener("change", () => applyTheme());
applyTheme(stored((storage) => storage.getItem("ironbird-theme")));

window.addEventListener("beforeprint", () => spaceFigure?.querySelector("details").setAttribute("open", ""));

window.ironbirdReport = {
  /** Names, counts and ends of the tracks: east, north, up in m. */
  tracks: () => (view?.scene.tracks ?? []).map(({ name, times, places }) => ({
    name, poses: places.length, from: times[0], until: times[times.length - 1], start: places[0], end: places[places.length - 1],
  })),
  /** How the trajectory is looked at, and at which instant. */
  view: () => {
    if (!view) return null;
    const { heading, steepness, distance, target, stretch } = view.camera;
    return { heading, steepness, distance, target: [...target], stretch, time: view.time, isPlaying: view.isPlaying };
  },
  /** Where the body of a track is in the picture, in pixels. */
  bodyOnPicture: (name) => {
    const track = view?.scene.tracks.find((track) => track.name === name);
    return track ? view.camera.project(poseAt(track, view.time).place) : null;
  },
  /** The span of time that the plots show, in seconds. */
  zoom: () => [...(shared.span ?? plots.find((plot) => plot.followsOthers)?.whole ?? [])],
  setZoom: (from, until) => {
    const plot = plots.find((plot) => plot.followsOthers);
    if (plot) zoomTo(plot, from, until);
  },
  /** The instant under the cursor, in seconds, and what each plot in view reads there. */
  cursor: () => ({
    time: shared.time,
    readings: shared.time === null ? [] : [...seenPlots].filter((plot) => plot.followsOthers).map((plot) => readings(plot, shared.time)),
  }),
  theme: () => (isDark() ? "dark" : "light"),
};
