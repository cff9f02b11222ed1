import type { Edge, Placed } from "./graph-layout";
import { LARGEST } from "./pan-zoom";

export const WIDTH = 150;
export const HEIGHT = 38;
/** Between layers, and between the boxes of one. */
const GAP = 60;
const SPACE = 16;
/** Under a row, for links that go back or to another row; and where they turn, beside the first and the last layer. */
const LANE = 34;
const TURN = 30;
const MOST_ROWS = 6;

export interface Drawing {
  width: number;
  height: number;
  places: { x: number; y: number }[];
  /** The path of each link. */
  paths: string[];
}

/** Another row is worth it if the boxes are so many times as large. */
const WORTH = 1.3;

/** Layers go to the right, or down the page; where these are many they go on in another row. */
export function arrange(placed: Placed, edges: Edge[], width: number, height: number): Drawing {
  let best: Drawing | null = null;
  let largest = 0;
  let fewest = 1;
  for (let rows = 1; rows <= Math.min(MOST_ROWS, Math.max(placed.layers.length, 1)); rows++) {
    for (const upright of [false, true]) {
      const drawing = draw(placed, edges, upright, rows);
      const scale = Math.min(width / drawing.width, height / drawing.height, LARGEST);
      const worth = rows > fewest ? WORTH : 1.001;
      if (best === null || scale > largest * worth) [best, largest, fewest] = [drawing, scale, rows];
    }
  }
  return best!;
}

/** "Far" is the way from layer to layer, "side" is across it. */
function draw({ layer, order, layers }: Placed, edges: Edge[], upright: boolean, rows: number): Drawing {
  const [deep, wide] = upright ? [HEIGHT, WIDTH] : [WIDTH, HEIGHT];
  const across = wide + SPACE;
  const perRow = Math.max(1, Math.ceil(layers.length / rows));
  const row = (node: number) => Math.floor(layer[node]! / perRow);
  const straight = ({ from, to }: Edge) => row(from) === row(to) && layer[from]! < layer[to]!;
  const turns = edges.some((edge) => !straight(edge));
  const margin = turns ? TURN : 0;
  const tops: number[] = [];
  const bottoms: number[] = [];
  let end = 0;
  for (let first = 0; first < layers.length; first += perRow) {
    const most = Math.max(...layers.slice(first, first + perRow).map((nodes) => nodes.length));
    tops.push(end);
    bottoms.push(end + most * across - SPACE);
    end = bottoms.at(-1)! + (turns ? LANE : 0);
  }
  const at = layer.map((column, node) => {
    const top = tops[row(node)]!;
    const room = bottoms[row(node)]! - top - (layers[column]!.length * across - SPACE);
    return { far: margin + (column % perRow) * (deep + GAP), side: top + room / 2 + order[node]! * across };
  });
  const point = (far: number, side: number) => (upright ? `${side} ${far}` : `${far} ${side}`);
  const paths = edges.map((edge, i) => {
    const a = at[edge.from]!;
    const b = at[edge.to]!;
    const [f1, s1, f2, s2] = [a.far + deep, a.side + wide / 2, b.far, b.side + wide / 2];
    if (straight(edge)) {
      const bend = (f2 - f1) / 2;
      return `M${point(f1, s1)}C${point(f1 + bend, s1)} ${point(f2 - bend, s2)} ${point(f2, s2)}`;
    }
    // Round the boxes, in the lane under the row; neighbours in it are told apart.
    const lane = bottoms[row(edge.from)]! + 8 + (i % 4) * 5;
    return `M${point(f1, s1)}C${point(f1 + TURN, s1)} ${point(f1 + TURN, lane)} ${point(f1, lane)}L${point(f2, lane)}C${point(f2 - TURN, lane)} ${point(f2 - TURN, s2)} ${point(f2, s2)}`;
  });
  const far = 2 * margin + Math.min(perRow, layers.length) * (deep + GAP) - GAP;
  return {
    width: upright ? end : far,
    height: upright ? far : end,
    places: at.map(({ far, side }) => (upright ? { x: side, y: far } : { x: far, y: side })),
    paths,
  };
}
