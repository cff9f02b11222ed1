import type { Event } from "../run/messages";

export const LANES = [
  { title: "Events", kinds: ["action", "trigger", "stop"] },
  { title: "Faults", kinds: ["fault-begins", "fault-ends"] },
  { title: "Requirements", kinds: ["requirement"] },
  { title: "Commands", kinds: ["command", "note"] },
] as const;

export interface Mark {
  event: Event;
  lane: number;
  from: number;
  /** For a fault, when it was over; Infinity while it lasts. */
  to: number;
  run: number;
}

/** Whether something broke or stopped; a verdict that a requirement has passed is none of that. */
export function isBad({ kind, text }: Event): boolean {
  return kind === "stop" || kind === "fault-begins" || (kind === "requirement" && text !== "passed");
}

/** Pairs the beginnings of faults with their ends; all other events are instants. */
export function marksOf(events: Event[], run: number): Mark[] {
  const marks: Mark[] = [];
  const open = new Map<string, Mark>();
  for (const event of events) {
    if (event.kind === "fault-ends") {
      const begun = open.get(event.name);
      open.delete(event.name);
      if (begun) {
        begun.to = event.time;
        continue;
      }
    }
    const lane = LANES.findIndex(({ kinds }) => (kinds as readonly string[]).includes(event.kind));
    const mark: Mark = { event, lane: Math.max(0, lane), from: event.time, to: event.time, run };
    if (event.kind === "fault-begins") {
      mark.to = Infinity;
      open.set(event.name, mark);
    }
    marks.push(mark);
  }
  return marks;
}
