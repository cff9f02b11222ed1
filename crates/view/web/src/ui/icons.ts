import { svg } from "./dom";

/** Signs drawn here, since system fonts do not all have them. */
const PATHS = {
  play: "M4 2.5v11l9-5.5z",
  back: "M12 2.5v11L3 8z",
  pause: "M4 3h3v10H4zM9 3h3v10H9z",
  first: "M1 3h2v10H1zM8.5 3v10L3.5 8zM14 3v10L9 8z",
  step: "M3 3l6 5-6 5zM10 3h2v10h-2z",
  stepBack: "M13 3L7 8l6 5zM4 3h2v10H4z",
  theme: "M8 1.5a6.5 6.5 0 1 0 0 13zM8 1.5a6.5 6.5 0 0 1 0 13v-1.3a5.2 5.2 0 0 0 0-10.4z",
  close: "M4 3l4 4 4-4 1 1-4 4 4 4-1 1-4-4-4 4-1-1 4-4-4-4z",
  bolt: "M9 1L3 9h4l-1 6 6-8H8z",
} as const;

export type IconName = keyof typeof PATHS;

export function icon(name: IconName): SVGElement {
  return svg("svg", { class: "sign", viewBox: "0 0 16 16", "aria-hidden": "true", "data-icon": name }, svg("path", { d: PATHS[name] }));
}
