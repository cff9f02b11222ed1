/** The text messages between server and page, as the chapter "What the view is sent" of the book has them. */

export const VERSION = 1;

export type Vector = [number, number, number];
/** (w, x, y, z), turns vectors from the body's frame to north, east, down. */
export type Attitude = [number, number, number, number];

export type Shape =
  | { kind: "box"; size: Vector }
  | { kind: "sphere"; radius: number }
  | { kind: "cylinder"; radius: number; length: number }
  | { kind: "capsule"; radius: number; length: number }
  | { kind: "mesh"; points: Vector[]; triangles: Vector[] };

export interface PlacedShape {
  shape: Shape;
  position: Vector;
  attitude: Attitude;
}

export type BodyKind = "multirotor" | "aircraft" | "underwater" | "rover" | "car" | "cart-pole" | "object";

export interface Body {
  id: number;
  path: string;
  name: string;
  kind: BodyKind;
  size: Vector;
  shapes: PlacedShape[];
  rotors: { position: Vector; turns: 1 | -1; signal: number | null }[];
  surfaces: { name: "elevator" | "aileron" | "rudder" | "fin"; signal: number | null }[];
  wheels: { position: Vector; radius: number; steer: number | null }[];
  wind: Vector | null;
  links: { name: string; shapes: PlacedShape[]; body: number }[];
}

export type Ground = { kind: "plane"; down: number } | { kind: "grid" } | { kind: "none" };

export interface Scene {
  origin: { latitude: number; longitude: number; height: number } | null;
  ground: Ground;
  sea: { surface: number; bed: number | null } | null;
  fixed: PlacedShape[];
  bodies: Body[];
  paths: { name: string; body: number | null; points: Vector[]; radius: number }[];
  cells: { name: string; corners: [number, number][] }[];
  road: { left: [number, number][]; right: [number, number][] } | null;
  sensors: { body: number; name: string; kind: "beams"; position: Vector; directions: Vector[]; most: number }[];
}

export interface Signal {
  id: number;
  component: string;
  port: string;
  leaf: string;
  unit: string;
  labels: string[] | null;
  /** Its value holds until the next. */
  steps: boolean;
  recorded: boolean;
}

export interface Event {
  time: number;
  kind: "action" | "fault-begins" | "fault-ends" | "trigger" | "command" | "requirement" | "stop" | "note";
  name: string;
  text: string;
}

export interface Requirement {
  name: string;
  text: string;
  /** Of its margin; empty where it has none. */
  unit: string;
}

export interface Fault {
  name: string;
  text: string;
  active: boolean;
  by?: string;
}

export interface Parameter {
  component: string;
  parameter: string;
  value: string;
  doc: string;
}

export interface Axis {
  parameter: string;
  least: number;
  most: number;
  rest: number;
}

export interface Control {
  component: string;
  name: string;
  axes: Axis[];
}

export interface Machine {
  component: string;
  name: string;
  states: string[];
  state: string;
  history?: [number, string][];
}

export interface Graph {
  components: { path: string; type: string }[];
  links: { from: string; to: string; kind: string }[];
}

export interface Hello {
  is: "hello";
  version: number;
  live: boolean;
  run: number;
  runs: string[];
  title: string;
  scenario: string | null;
  repetition: number;
  duration: number;
  time: number;
  pace: number | null;
  scene: Scene;
  signals: Signal[];
  graph: Graph;
  requirements: Requirement[];
  faults: Fault[];
  parameters: Parameter[];
  controls: Control[];
  machines: Machine[];
  events: Event[];
}

export interface Ended {
  is: "ended";
  text: string;
  verdict: "holds" | "violated" | "undecided";
  report: string | null;
}

export type TextMessage =
  | Hello
  | ({ is: "event" } & Event)
  | { is: "state"; time: number; component: string; name: string; state: string }
  | { is: "fault"; name: string; active: boolean; by: string }
  | { is: "parameter"; component: string; parameter: string; value: string }
  | { is: "pace"; speed: number | null }
  | { is: "answer"; id: number; error?: string | null }
  | Ended;

export type Request =
  | { do: "pause" | "go" | "end" }
  | { do: "step"; by: number | null }
  | { do: "speed"; value: number | null }
  | { do: "fault"; name: string; active: boolean }
  | { do: "set"; component: string; parameter: string; value: string }
  | { do: "drive"; component: string; axes: Record<string, number> }
  | { do: "note"; text: string }
  | { do: "subscribe"; signals: number[] }
  | { do: "window"; from: number; to: number; step: number }
  | { do: "series"; signals: number[]; from: number; to: number; points: number };

/** What a person calls a signal: `component.port.leaf`, or `component.port[0]`. */
export function signalName(signal: Signal): string {
  return [signal.component, signal.port, signal.leaf].filter((part) => part !== "").join(".").replaceAll(".[", "[");
}
