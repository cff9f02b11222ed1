import { Emitter } from "./emitter";
import { VERSION, type Request, type TextMessage } from "./messages";
import { decode, type BinaryMessage, type Frame, type Series } from "./protocol";

export type ConnectionState = "connecting" | "open" | "lost";

interface ConnectionEvents {
  text: TextMessage;
  binary: BinaryMessage;
  state: ConnectionState;
}

interface Waiting {
  done: () => void;
  refused: (why: Error) => void;
}

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 10_000;
/** The server closes with this when it shows something else from now on. */
const SOMETHING_ELSE = 4001;

/** One socket to the server. It connects again by itself, and knows which answer belongs to which request. */
export class Connection extends Emitter<ConnectionEvents> {
  state: ConnectionState = "connecting";
  private socket: WebSocket | null = null;
  private nextId = 1;
  private wait = FIRST_WAIT_MS;
  private timer = 0;
  private readonly waiting = new Map<number, Waiting>();
  private readonly windows = new Map<number, (frames: Frame[]) => void>();
  private readonly seriesOf = new Map<number, (series: Series) => void>();

  constructor(private readonly address: string) {
    super();
    const again = () => {
      if (this.state === "lost") this.connect();
    };
    window.addEventListener("online", again);
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) again();
    });
  }

  connect(): void {
    clearTimeout(this.timer);
    this.socket?.close();
    this.change("connecting");
    const socket = new WebSocket(this.address);
    socket.binaryType = "arraybuffer";
    this.socket = socket;
    socket.onopen = () => {
      this.wait = FIRST_WAIT_MS;
      this.change("open");
    };
    socket.onmessage = (message: MessageEvent<string | ArrayBuffer>) => {
      if (socket === this.socket) this.receive(message.data);
    };
    socket.onclose = ({ code }) => {
      if (socket !== this.socket) return;
      this.forget();
      if (code === SOMETHING_ELSE) this.connect();
      else this.lost();
    };
  }

  /** Resolves with the answer; rejects with the server's sentence if it refused. */
  ask(request: Request): Promise<void> {
    return this.send(request).answer;
  }

  /** Frames of a recording. */
  window(from: number, to: number, step: number): Promise<Frame[]> {
    return new Promise((resolve, reject) => {
      const { id, answer } = this.send({ do: "window", from, to, step });
      this.windows.set(id, resolve);
      // The answer may come before or after the window itself.
      answer.catch((why: unknown) => {
        this.windows.delete(id);
        reject(why);
      });
    });
  }

  /** Series of a recording, each as it comes. */
  series(signals: number[], from: number, to: number, points: number, each: (series: Series) => void): Promise<void> {
    const { id, answer } = this.send({ do: "series", signals, from, to, points });
    let left = signals.length;
    this.seriesOf.set(id, (series) => {
      if (--left === 0) this.seriesOf.delete(id);
      each(series);
    });
    return answer;
  }

  private send(request: Request): { id: number; answer: Promise<void> } {
    const id = this.nextId++;
    const answer = new Promise<void>((done, refused) => {
      if (this.socket?.readyState !== WebSocket.OPEN) {
        refused(new Error("There is no connection to Ironbird."));
        return;
      }
      this.waiting.set(id, { done, refused });
      this.socket.send(JSON.stringify({ id, ...request }));
    });
    return { id, answer };
  }

  private receive(data: string | ArrayBuffer): void {
    if (typeof data === "string") {
      const message = JSON.parse(data) as TextMessage;
      if (message.is === "answer") this.answered(message.id, message.error);
      else this.tell("text", message);
      return;
    }
    const message = decode(data);
    if (message.kind === "window") {
      this.windows.get(message.request)?.(message.frames);
      this.windows.delete(message.request);
    } else if (message.kind === "series" && message.series.request !== 0 && this.seriesOf.has(message.series.request)) {
      this.seriesOf.get(message.series.request)?.(message.series);
    } else {
      this.tell("binary", message);
    }
  }

  private answered(id: number, error: string | null | undefined): void {
    const waiting = this.waiting.get(id);
    this.waiting.delete(id);
    if (error) waiting?.refused(new Error(error));
    else waiting?.done();
  }

  /** What was asked of a connection that is gone has no answer. */
  private forget(): void {
    for (const { refused } of this.waiting.values()) refused(new Error("The connection was lost."));
    this.waiting.clear();
    this.windows.clear();
    this.seriesOf.clear();
  }

  private lost(): void {
    this.change("lost");
    this.timer = window.setTimeout(() => this.connect(), this.wait);
    this.wait = Math.min(this.wait * 2, LONGEST_WAIT_MS);
  }

  private change(state: ConnectionState): void {
    this.state = state;
    this.tell("state", state);
  }
}

/** The address of a run's socket: the page's own host, with the token of the page's address. */
export function socketAddress(page: Location, run: number): string {
  const token = new URLSearchParams(page.search).get("token") ?? "";
  const scheme = page.protocol === "https:" ? "wss" : "ws";
  return `${scheme}://${page.host}/ws?version=${VERSION}&run=${run}&token=${encodeURIComponent(token)}`;
}
