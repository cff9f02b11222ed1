import type { Graph } from "../run/messages";

/** The component that a port belongs to: the longest path that the port's name begins with. */
export function ownerOf(port: string, components: Graph["components"]): number {
  let best = -1;
  components.forEach(({ path }, i) => {
    const fits = port === path || port.startsWith(`${path}.`);
    if (fits && (best < 0 || path.length > components[best]!.path.length)) best = i;
  });
  return best;
}

/** Links between the same two components become one line. */
export function merge(graph: Graph): { nodes: Graph["components"]; edges: { from: number; to: number; count: number }[]; edgeOfLink: number[] } {
  const edges: { from: number; to: number; count: number }[] = [];
  const known = new Map<string, number>();
  const edgeOfLink = graph.links.map(({ from, to }) => {
    const a = ownerOf(from, graph.components);
    const b = ownerOf(to, graph.components);
    if (a < 0 || b < 0 || a === b) return -1;
    const key = `${a}:${b}`;
    let edge = known.get(key);
    if (edge === undefined) {
      edge = edges.push({ from: a, to: b, count: 0 }) - 1;
      known.set(key, edge);
    }
    edges[edge]!.count++;
    return edge;
  });
  return { nodes: graph.components, edges, edgeOfLink };
}
