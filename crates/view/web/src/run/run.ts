import { blend } from "./blend";
import { Connection, socketAddress, type ConnectionState } from "./connection";
import { Emitter } from "./emitter";
import { History } from "./history";
import type { Ended, Event, Fault, Hello, Machine, Parameter, Request, TextMessage } from "./messages";
import { PlaybackCache } from "./playback";
import type { BinaryMessage, Frame, GroundGrid } from "./protocol";
import { ScanTrack } from "./scans";

interface RunEvents {
  hello: Hello;
  shown: Frame;
  ground: GroundGrid;
  beams: { sensor: number; distances: Float32Array };
  event: Event;
  fault: Fault;
  parameter: Parameter;
  machine: Machine;
  pace: number | null;
  ended: Ended;
  /** The server shows something else now: the recording of this run, or another run. */
  replaced: Hello;
  connection: ConnectionState;
  history: number;
  trouble: string;
}

const MOST_EVENTS = 5000;
const MOST_SUBSCRIBED = 64;

/** One run, live or recorded, and all that the page knows of it. */
export class Run extends Emitter<RunEvents> {
  hello!: Hello;
  shown: Frame | null = null;
  ended: Ended | null = null;
  replacedBy: Hello | null = null;
  ground: GroundGrid | null = null;
  /** The newest distances of each sensor. */
  readonly distances = new Map<number, Float32Array>();
  /** In a recording, what each sensor measured over time. */
  private readonly scans = new Map<number, ScanTrack>();
  pace: number | null = null;
  readonly events: Event[] = [];
  readonly values = new Map<number, number>();
  readonly histories = new Map<number, History>();
  /** State histories by `component/name`. */
  readonly traces = new Map<string, [number, string][]>();
  playback: PlaybackCache | null = null;
  readonly connection: Connection;
  private subscribed: number[] = [];
  private greeted = "";

  constructor(readonly index: number) {
    super();
    this.connection = new Connection(socketAddress(window.location, index));
    this.connection.on("text", (message) => this.text(message));
    this.connection.on("binary", (message) => this.binary(message));
    this.connection.on("state", (state) => {
      if (state === "lost") this.playback?.forgetRequests();
      this.tell("connection", state);
    });
  }

  get live(): boolean {
    return this.hello.live;
  }

  /** Whether somebody hears what is asked of the system. */
  get drivable(): boolean {
    return this.connection.state === "open" && this.ended === null && this.replacedBy === null;
  }

  /** The last time that can be shown. */
  get duration(): number {
    return Math.max(this.hello.duration, this.live ? (this.shown?.time ?? 0) : 0);
  }

  ask(request: Request): Promise<void> {
    return this.connection.ask(request);
  }

  /** Asks and, where it is refused, says why. */
  try(request: Request): void {
    this.ask(request).catch((why: unknown) => this.tell("trouble", why instanceof Error ? why.message : String(why)));
  }

  subscribe(signals: number[]): void {
    const wanted = signals.slice(0, MOST_SUBSCRIBED);
    if (wanted.length === this.subscribed.length && wanted.every((id, i) => id === this.subscribed[i])) return;
    this.subscribed = wanted;
    for (const id of this.histories.keys()) if (!wanted.includes(id)) this.histories.delete(id);
    for (const id of wanted) if (!this.histories.has(id)) this.histories.set(id, new History());
    if (this.connection.state === "open") this.try({ do: "subscribe", signals: wanted });
  }

  /** Shows a recording at a time; false where nothing is known of it yet. */
  showAt(time: number, speed: number): boolean {
    const found = this.playback?.at(time, speed);
    this.playback?.prepare(time, speed);
    if (!found) return false;
    this.show(blend(found.before, found.after, found.part, time));
    for (const [sensor, track] of this.scans) this.measure(sensor, track.at(time));
    return true;
  }

  private show(frame: Frame): void {
    this.shown = frame;
    for (let i = 0; i < frame.signals.length; i++) this.values.set(frame.signals[i]!, frame.values[i]!);
    this.tell("shown", frame);
  }

  private measure(sensor: number, distances: Float32Array | undefined): void {
    if (distances === undefined || distances === this.distances.get(sensor)) return;
    this.distances.set(sensor, distances);
    this.tell("beams", { sensor, distances });
  }

  private text(message: TextMessage): void {
    if (this.replacedBy !== null && message.is !== "hello") return;
    switch (message.is) {
      case "hello":
        this.greet(message);
        break;
      case "event":
        this.events.push(message);
        if (this.events.length > MOST_EVENTS) this.events.shift();
        this.tell("event", message);
        break;
      case "state": {
        const machine = this.hello.machines.find((m) => m.component === message.component && m.name === message.name);
        if (!machine) break;
        machine.state = message.state;
        const trace = this.traces.get(traceKey(machine));
        trace?.push([message.time, message.state]);
        if (trace && trace.length > MOST_EVENTS) trace.shift();
        this.tell("machine", machine);
        break;
      }
      case "fault": {
        const fault = this.hello.faults.find((f) => f.name === message.name);
        if (!fault) break;
        fault.active = message.active;
        fault.by = message.by;
        this.tell("fault", fault);
        break;
      }
      case "parameter": {
        const parameter = this.hello.parameters.find(
          (p) => p.component === message.component && p.parameter === message.parameter,
        );
        if (!parameter) break;
        parameter.value = message.value;
        this.tell("parameter", parameter);
        break;
      }
      case "pace":
        this.pace = message.speed;
        this.tell("pace", message.speed);
        break;
      case "ended":
        this.ended = message;
        this.tell("ended", message);
        break;
      case "answer":
        break;
    }
  }

  /** The first hello builds the page. Another one, after the connection was lost, brings the page up to date; if it is of
   *  something else, the page stays as it is and says so. */
  private greet(hello: Hello): void {
    const looks = JSON.stringify([hello.live, hello.title, hello.scenario, hello.repetition, hello.scene, hello.signals.length]);
    if (this.greeted !== "" && looks !== this.greeted) {
      this.replacedBy = hello;
      this.tell("replaced", hello);
      return;
    }
    const again = this.greeted !== "";
    this.greeted = looks;
    this.hello = hello;
    this.pace = hello.pace;
    this.events.splice(0, this.events.length, ...hello.events.slice(-MOST_EVENTS));
    for (const machine of hello.machines) {
      const known = again ? this.traces.get(traceKey(machine)) : undefined;
      this.traces.set(traceKey(machine), machine.history ?? known ?? [[hello.time, machine.state]]);
    }
    if (!hello.live && this.playback === null) {
      const ask = (from: number, to: number, step: number) => this.connection.window(from, to, step);
      this.playback = new PlaybackCache(ask, hello.duration, () => this.tell("history", -1));
    }
    if (this.playback?.coarse.length === 0) {
      this.playback.begin().catch((why: unknown) => this.tell("trouble", String(why)));
    }
    if (again && this.subscribed.length > 0) this.try({ do: "subscribe", signals: this.subscribed });
    this.tell("hello", hello);
  }

  private binary(message: BinaryMessage): void {
    if (this.replacedBy !== null) return;
    if (message.kind === "frame") {
      if (!this.live) return;
      for (let i = 0; i < message.frame.signals.length; i++) {
        this.histories.get(message.frame.signals[i]!)?.add(message.frame.time, message.frame.values[i]!);
      }
      this.show(message.frame);
    } else if (message.kind === "series") {
      const { signal, times, least, most, replaces } = message.series;
      this.histories.get(signal)?.take(times, least, most, replaces);
      this.tell("history", signal);
    } else if (message.kind === "ground") {
      this.ground = message.ground;
      this.tell("ground", message.ground);
    } else if (message.kind === "beams") {
      this.measure(message.sensor, message.distances);
    } else if (message.kind === "scans") {
      const track = this.scans.get(message.sensor) ?? new ScanTrack();
      this.scans.set(message.sensor, track);
      track.take(message.times, message.distances);
      this.tell("history", -1);
    }
  }
}

export function traceKey(machine: { component: string; name: string }): string {
  return `${machine.component}/${machine.name}`;
}
