import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const PROGRAM = resolve(process.env["IRONBIRD"] ?? "../../../target/release/ironbird");
const EXAMPLES = resolve("../../../examples");

export const example = (name: string) => join(EXAMPLES, name);

/** A folder for recordings, and the programs that were started with it. All of it goes with `close`. */
export class Bench {
  readonly folder = mkdtempSync(join(tmpdir(), "ironbird-view-"));
  private readonly started: Ironbird[] = [];

  /** Serves the page: `ironbird run … --view` or `ironbird view …`. */
  async serve(...words: string[]): Promise<Ironbird> {
    const program = new Ironbird(words, this.folder);
    this.started.push(program);
    await program.says(/view {6}(\S+)/);
    return program;
  }

  /** Runs a command that ends by itself, and returns what it prints. A requirement that fails is no failure here. */
  run(...words: string[]): string {
    try {
      return execFileSync(PROGRAM, words, { cwd: this.folder, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], maxBuffer: 1 << 28 });
    } catch (failure) {
      const { status, stdout, stderr } = failure as { status: number; stdout: string; stderr: string };
      if (status === 1) return stdout;
      throw new Error(`ironbird ${words.join(" ")} ended with ${status}: ${stderr}`);
    }
  }

  /** The recorded values of signals at a time, by column. */
  recorded(recording: string, signals: string, time: number): Map<string, number> {
    const [head, ...rows] = this.run("export", recording, "--signal", signals, "--hold").trim().split("\n");
    const row = rows.map((line) => line.split(",").map(Number)).findLast((numbers) => numbers[0]! <= time + 1e-9);
    if (row === undefined) throw new Error(`${recording} has nothing at ${time} s`);
    return new Map(head!.split(",").map((name, i) => [name, row[i]!]));
  }

  async close(): Promise<void> {
    for (const program of this.started) await program.interrupt();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** One program that serves the page. */
export class Ironbird {
  output = "";
  private readonly process: ChildProcess;
  private readonly over: Promise<number | null>;
  private readonly listeners = new Set<() => void>();

  constructor(words: string[], folder: string) {
    this.process = spawn(PROGRAM, words, { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
    const hear = (text: Buffer) => {
      this.output += text.toString();
      for (const listener of this.listeners) listener();
    };
    this.process.stdout!.on("data", hear);
    this.process.stderr!.on("data", hear);
    this.over = new Promise((done) => {
      this.process.on("close", (code) => {
        done(code);
        for (const listener of this.listeners) listener();
      });
    });
  }

  /** The address that was printed. */
  get address(): string {
    return /view {6}(\S+)/.exec(this.output)![1]!;
  }

  /** Waits until something is printed. */
  says(pattern: RegExp): Promise<void> {
    return new Promise((done, failed) => {
      const look = () => {
        if (pattern.test(this.output)) done();
        else if (this.process.exitCode !== null) failed(new Error(`ironbird ended without saying ${pattern}: ${this.output}`));
        else return;
        this.listeners.delete(look);
      };
      this.listeners.add(look);
      look();
    });
  }

  /** As Ctrl-C does; resolves with the exit status. */
  interrupt(): Promise<number | null> {
    this.process.kill("SIGINT");
    return this.over;
  }
}
