export interface Edge {
  from: number;
  to: number;
}

export interface Placed {
  /** The column of each node, from the left. */
  layer: number[];
  /** The place within its column. */
  order: number[];
  layers: number[][];
}

/** A layered layout after Sugiyama: links that close a circle are turned round, each node goes one column right of what
 *  it hears, and columns are sorted by the mean place of their neighbours until crossings no longer fall. */
export function layered(count: number, edges: Edge[], sweeps = 8): Placed {
  const forward = withoutCircles(count, edges);
  const layer = longestPath(count, forward);
  const layers: number[][] = Array.from({ length: Math.max(0, ...layer) + (count > 0 ? 1 : 0) }, () => []);
  for (let node = 0; node < count; node++) layers[layer[node]!]!.push(node);

  const neighbours: number[][] = Array.from({ length: count }, () => []);
  for (const { from, to } of forward) {
    neighbours[from]!.push(to);
    neighbours[to]!.push(from);
  }
  const order = new Array<number>(count).fill(0);
  const number = () => layers.forEach((nodes) => nodes.forEach((node, i) => (order[node] = (i + 0.5) / nodes.length)));
  number();
  for (let sweep = 0; sweep < sweeps; sweep++) {
    const right = sweep % 2 === 0;
    const columns = right ? layers : [...layers].reverse();
    for (const nodes of columns) {
      const weight = new Map(nodes.map((node) => [node, mean(neighbours[node]!.filter((other) => (right ? layer[other]! < layer[node]! : layer[other]! > layer[node]!)).map((other) => order[other]!), order[node]!)]));
      nodes.sort((a, b) => weight.get(a)! - weight.get(b)! || a - b);
      nodes.forEach((node, i) => (order[node] = (i + 0.5) / nodes.length));
    }
  }
  layers.forEach((nodes) => nodes.forEach((node, i) => (order[node] = i)));
  return { layer, order, layers };
}

function mean(list: number[], otherwise: number): number {
  return list.length === 0 ? otherwise : list.reduce((sum, value) => sum + value, 0) / list.length;
}

/** Turns round every link that leads back to a node which a walk along the links is still under way from. */
export function withoutCircles(count: number, edges: Edge[]): Edge[] {
  const out: number[][] = Array.from({ length: count }, () => []);
  edges.forEach(({ from, to }, i) => {
    if (from !== to) out[from]!.push(i);
  });
  const state = new Uint8Array(count);
  const turned = new Set<number>();
  for (let start = 0; start < count; start++) {
    if (state[start] !== 0) continue;
    const stack: { node: number; next: number }[] = [{ node: start, next: 0 }];
    state[start] = 1;
    while (stack.length > 0) {
      const top = stack.at(-1)!;
      const edge = out[top.node]![top.next++];
      if (edge === undefined) {
        state[top.node] = 2;
        stack.pop();
        continue;
      }
      const { to } = edges[edge]!;
      if (state[to] === 1) turned.add(edge);
      else if (state[to] === 0) {
        state[to] = 1;
        stack.push({ node: to, next: 0 });
      }
    }
  }
  return edges.flatMap((edge, i) => (edge.from === edge.to ? [] : turned.has(i) ? [{ from: edge.to, to: edge.from }] : [edge]));
}

function longestPath(count: number, edges: Edge[]): number[] {
  const layer = new Array<number>(count).fill(0);
  const incoming = new Array<number>(count).fill(0);
  const out: number[][] = Array.from({ length: count }, () => []);
  for (const { from, to } of edges) {
    out[from]!.push(to);
    incoming[to]!++;
  }
  const ready = layer.flatMap((_, node) => (incoming[node] === 0 ? [node] : []));
  for (let node = ready.shift(); node !== undefined; node = ready.shift()) {
    for (const to of out[node]!) {
      layer[to] = Math.max(layer[to]!, layer[node]! + 1);
      if (--incoming[to]! === 0) ready.push(to);
    }
  }
  return layer;
}
