/** The state of a machine at a time, from the times at which it entered each. */
export function stateAt(trace: [number, string][], time: number): string {
  let state = trace[0]?.[1] ?? "";
  for (const [since, name] of trace) {
    if (since > time) break;
    state = name;
  }
  return state;
}
