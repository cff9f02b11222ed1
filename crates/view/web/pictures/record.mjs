// Runs the examples that are shown. Where something that one needs is not on this machine, its picture is skipped.
import { execFile, execFileSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const execute = promisify(execFile);
const root = resolve(dirname(fileURLToPath(import.meta.url)), "../../../..");
const data = process.env.IRONBIRD_DATA ?? join(root, "../shared/data");
const path = (example) => join("examples", `${example}.toml`);

/** Something that is not on this machine. */
export class Missing extends Error {}

export class Examples {
  constructor(program, work) {
    this.program = program;
    this.work = work;
  }

  /** The folder of an example's files. */
  folder(example) {
    return join(root, "examples", dirname(example));
  }

  /** The folder with the recording and the report of a run, which is made unless that was done before. */
  async run({ example, together, libraries = {}, programs = {} }) {
    const out = join(this.work, example);
    if (existsSync(join(out, "recording.mcap"))) return out;
    mkdirSync(out, { recursive: true });
    const settings = [
      ...Object.entries(programs).map(([key, variable]) => [key, named(variable)]),
      ...Object.entries(libraries).map(([key, source]) => [key, this.compiled(join(this.folder(example), source))]),
    ].flatMap(([key, value]) => ["--set", `${key}=${value}`]);
    // They may find each other by a socket in the folder in which they run.
    const runs = [this.ironbird(["run", join(root, path(example)), ...settings, "--out", out], out)];
    if (together) runs.push(this.ironbird(["run", join(root, path(together)), "--out", join(out, "together")], out));
    await Promise.all(runs);
    return out;
  }

  /** The folder with the report of a model beside a flight. */
  async compare({ example, log }) {
    const out = join(this.work, example);
    const flight = join(data, log);
    if (!existsSync(flight)) throw new Missing(`there is no ${log} in ${data}: IRONBIRD_DATA names another folder`);
    // The page names the log, and is not to tell where that is on this machine.
    await this.ironbird(["compare", log, "--with", join(root, path(example)), "--out", out], data);
    return out;
  }

  /** Draws a chart of tasks, whose title is the path of their file. */
  async chart({ example, words: [which, ...options] }, file) {
    await this.ironbird(["tasks", which, path(example), ...options, file]);
  }

  compiled(source) {
    const library = join(this.work, `${basename(source, ".c")}.so`);
    execFileSync("cc", ["-shared", "-fPIC", "-O2", "-ffp-contract=off", "-o", library, source, "-lm"], { stdio: ["ignore", "inherit", "inherit"] });
    return library;
  }

  /** A requirement that fails is no failure here. */
  async ironbird(words, cwd = root) {
    await execute(this.program, words, { cwd, maxBuffer: 1 << 26 }).catch((failure) => {
      if (failure.code !== 1) throw new Error(`ironbird ${words.join(" ")}: ${failure.stderr ?? failure}`);
    });
  }
}

function named(variable) {
  const program = process.env[variable];
  if (!program) throw new Missing(`${variable} does not name the program that it runs`);
  if (!existsSync(program)) throw new Missing(`${variable} names ${program}, which is not there`);
  return program;
}
