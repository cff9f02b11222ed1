import type { Scene } from "../run/messages";

/** Colours that people with any kind of colour vision can tell apart (after Okabe and Ito). Each also has a letter, so
 *  that nothing is told by colour alone. */
export const COLOURS = ["#0072b2", "#e69f00", "#009e73", "#d55e00", "#cc79a7", "#56b4e9", "#b8a800", "#7a5195"] as const;

export function colour(index: number): string {
  return COLOURS[((index % COLOURS.length) + COLOURS.length) % COLOURS.length]!;
}

/** The colour of a vehicle. The first is blue, which is lost in the sea. */
export function vehicleColour(scene: Scene, index: number): string {
  return colour(scene.sea === null ? index : index + 1);
}

/** Black or white, whichever can be read on a colour. */
export function inkOn(colour: string): string {
  const [red, green, blue] = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
  return 0.299 * red! + 0.587 * green! + 0.114 * blue! > 125 ? "#000" : "#fff";
}

export interface SceneColours {
  sky: number;
  ground: number;
  /** What is below where nothing is known of the ground. */
  paper: number;
  grid: number;
  gridStrong: number;
  sea: number;
  bed: number;
  /** What surrounds an eye under water. */
  deep: number;
  fixed: number;
  low: number;
  high: number;
  contour: number;
  path: number;
  beam: number;
  wind: number;
}

export const DAY: SceneColours = {
  sky: 0xdfe8ef,
  ground: 0xd3d8cf,
  paper: 0xe9ecea,
  grid: 0xb4bbb0,
  gridStrong: 0x8f978b,
  sea: 0x2b87ba,
  bed: 0x8db2b8,
  deep: 0x9cc3d6,
  fixed: 0x9aa0a6,
  low: 0x9fb58c,
  high: 0xd9c7a3,
  contour: 0x7d7a62,
  path: 0x7a5195,
  beam: 0xd55e00,
  wind: 0x0072b2,
};

export const NIGHT: SceneColours = {
  sky: 0x10161c,
  ground: 0x1c2420,
  paper: 0x161d20,
  grid: 0x2f3a35,
  gridStrong: 0x4b5a52,
  sea: 0x1d5878,
  bed: 0x3b3a30,
  deep: 0x0e2c3c,
  fixed: 0x6c757d,
  low: 0x24382a,
  high: 0x6b5d42,
  contour: 0x8a8468,
  path: 0xb79ad8,
  beam: 0xff9a4d,
  wind: 0x56b4e9,
};
