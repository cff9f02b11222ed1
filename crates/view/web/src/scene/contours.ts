import type { GroundGrid } from "../run/protocol";

/** A grid with at most `most` points on a side, by leaving rows and columns out. */
export function thinGrid(grid: GroundGrid, most: number): GroundGrid {
  const skip = (count: number) => Math.max(1, Math.ceil((count - 1) / (most - 1)));
  const rowSkip = skip(grid.rows);
  const columnSkip = skip(grid.columns);
  if (rowSkip === 1 && columnSkip === 1) return grid;
  const rows = Math.floor((grid.rows - 1) / rowSkip) + 1;
  const columns = Math.floor((grid.columns - 1) / columnSkip) + 1;
  const down = new Float32Array(rows * columns);
  for (let r = 0; r < rows; r++) {
    for (let c = 0; c < columns; c++) down[r * columns + c] = grid.down[r * rowSkip * grid.columns + c * columnSkip]!;
  }
  return { ...grid, rows, columns, down, stepNorth: grid.stepNorth * rowSkip, stepEast: grid.stepEast * columnSkip };
}

/** A round number (1, 2 or 5 times a power of ten) that is at least `value`. */
export function roundStep(value: number): number {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value) + 1e-9);
  for (const factor of [1, 2, 5]) if (factor * power >= value * (1 - 1e-9)) return factor * power;
  return 10 * power;
}

/** Lines of equal height by marching through each triangle of the grid: pairs of points (north, east, down). */
export function contourLines(grid: GroundGrid, interval: number): number[] {
  const lines: number[] = [];
  const point = (r: number, c: number): [number, number, number] => [
    grid.north + r * grid.stepNorth,
    grid.east + c * grid.stepEast,
    grid.down[r * grid.columns + c]!,
  ];
  for (let r = 0; r + 1 < grid.rows; r++) {
    for (let c = 0; c + 1 < grid.columns; c++) {
      const corners = [point(r, c), point(r, c + 1), point(r + 1, c + 1), point(r + 1, c)] as const;
      crossTriangle([corners[0], corners[1], corners[2]], interval, lines);
      crossTriangle([corners[0], corners[2], corners[3]], interval, lines);
    }
  }
  return lines;
}

function crossTriangle(triangle: [number, number, number][], interval: number, lines: number[]): void {
  const downs = triangle.map((corner) => corner[2]);
  const first = Math.ceil(Math.min(...downs) / interval);
  const last = Math.floor(Math.max(...downs) / interval);
  for (let k = first; k <= last && k < first + 64; k++) {
    const level = k * interval;
    const ends: number[] = [];
    for (let i = 0; i < 3; i++) {
      const a = triangle[i]!;
      const b = triangle[(i + 1) % 3]!;
      if (a[2] < level === b[2] < level) continue;
      const part = (level - a[2]) / (b[2] - a[2]);
      ends.push(a[0] + part * (b[0] - a[0]), a[1] + part * (b[1] - a[1]), level);
    }
    if (ends.length === 6) lines.push(...ends);
  }
}
