import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import WebSocket from "ws";

const PROGRAM = process.env["FIREFOX"] ?? "/usr/bin/firefox-esr";

export const hasFirefox = existsSync(PROGRAM);

interface Reply {
  id?: number;
  error?: string;
  message?: string;
  result?: { context: string; contexts: { context: string }[]; result: { value: unknown }; type: string; exceptionDetails?: { text: string } };
}

/** Debian's Firefox, spoken to in WebDriver BiDi: Playwright asks for commands that this release does not have. */
export class Firefox {
  private nextId = 1;
  private tab = "";

  private constructor(
    private readonly process: ChildProcess,
    private readonly profile: string,
    private readonly socket: WebSocket,
  ) {}

  static async start(): Promise<Firefox> {
    const profile = mkdtempSync(join(tmpdir(), "ironbird-firefox-"));
    const process = spawn(PROGRAM, ["--headless", "--no-remote", "--profile", profile, "--remote-debugging-port=0"], { stdio: ["ignore", "ignore", "pipe"] });
    const address = await new Promise<string>((found, failed) => {
      let text = "";
      process.stderr!.on("data", (data: Buffer) => {
        text += data.toString();
        const said = /WebDriver BiDi listening on (ws:\S+)/.exec(text);
        if (said) found(said[1]!);
      });
      process.on("close", () => failed(new Error(`Firefox ended: ${text}`)));
    });
    const socket = new WebSocket(`${address}/session`);
    await new Promise((open, failed) => socket.on("open", open).on("error", failed));
    const firefox = new Firefox(process, profile, socket);
    await firefox.ask("session.new", { capabilities: {} });
    firefox.tab = (await firefox.ask("browsingContext.getTree", {})).contexts[0]!.context;
    return firefox;
  }

  async open(address: string): Promise<void> {
    await this.ask("browsingContext.navigate", { context: this.tab, url: address, wait: "complete" });
  }

  /** The value of an expression on the page, through JSON. */
  async evaluate<Value>(expression: string): Promise<Value> {
    const { result, exceptionDetails } = await this.ask("script.evaluate", { expression: `JSON.stringify(${expression})`, target: { context: this.tab }, awaitPromise: true });
    if (exceptionDetails) throw new Error(exceptionDetails.text);
    return JSON.parse((result.value as string | undefined) ?? "null") as Value;
  }

  async close(): Promise<void> {
    const over = new Promise((done) => this.process.on("close", done));
    this.socket.close();
    this.process.kill();
    await over;
    rmSync(this.profile, { recursive: true, force: true });
  }

  private ask(method: string, params: object): Promise<NonNullable<Reply["result"]>> {
    const id = this.nextId++;
    return new Promise((done, failed) => {
      const hear = (data: WebSocket.RawData) => {
        const reply = JSON.parse(data.toString()) as Reply;
        if (reply.id !== id) return;
        this.socket.off("message", hear);
        if (reply.error) failed(new Error(`${method}: ${reply.message}`));
        else done(reply.result!);
      };
      this.socket.on("message", hear);
      this.socket.send(JSON.stringify({ id, method, params }));
    });
  }
}
