// Makes the pictures of the book: runs each example, opens its recording in the browser and takes a picture.
// usage: node pictures/take.mjs <ironbird> <folder for recordings> <folder for pictures> [example ...]
import { chromium } from "@playwright/test";
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { LAUNCH, replacePage } from "../tests/browser.mjs";
import { REPORTS, SHOTS } from "./shots.mjs";

const [program, work, pictures, ...only] = process.argv.slice(2);
const root = resolve(dirname(fileURLToPath(import.meta.url)), "../../../..");
const MOST_BYTES = 120_000;
// Drawn a little larger than it is shown, so that panels and scene have room beside each other.
const SCALE = 0.8;
const SIZE = { width: 960 / SCALE, height: 600 / SCALE };

/** Runs an example, unless that was done before; a requirement that fails is no failure here. */
function record(example) {
  const out = join(work, example);
  if (!existsSync(join(out, "recording.mcap"))) {
    mkdirSync(out, { recursive: true });
    try {
      execFileSync(program, ["run", join(root, "examples", `${example}.toml`), "--out", out], { stdio: ["ignore", "ignore", "pipe"] });
    } catch (failure) {
      if (failure.status !== 1) throw new Error(`${example}: ${failure.stderr}`);
    }
  }
  return out;
}

/** Serves a recording while `use` looks at it. */
async function served(recording, use) {
  const server = spawn(program, ["view", recording], { stdio: ["ignore", "pipe", "inherit"] });
  const over = new Promise((done) => server.on("close", done));
  try {
    const address = await new Promise((found, failed) => {
      let text = "";
      server.stdout.on("data", (data) => {
        text += data;
        const printed = /view {6}(\S+)/.exec(text);
        if (printed) found(printed[1]);
      });
      over.then(() => failed(new Error(`${program} view ${recording} ended: ${text}`)));
    });
    await use(address);
  } finally {
    server.kill("SIGINT");
    await over;
  }
}

/** Fewer colours make a picture small; of several numbers the first that is small enough is taken. */
function write(name, png) {
  const file = join(pictures, `${name}.png`);
  for (const colours of [256, 128, 64, 32]) {
    const small = execFileSync("pngquant", [String(colours), "--nofs", "--strip", "-"], { input: png, maxBuffer: 1 << 26 });
    writeFileSync(file, small);
    if (small.length <= MOST_BYTES) break;
  }
  const bytes = statSync(file).size;
  console.log(`${String(bytes).padStart(7)}  ${file}`);
  if (bytes > MOST_BYTES) throw new Error(`${file} has more than ${MOST_BYTES} bytes`);
}

const by = (name) => `[data-test="${name}"]`;

async function shoot(page, { example, at, camera, plots = [] }) {
  await served(join(record(example), "recording.mcap"), async (address) => {
    await page.goto(address);
    await page.waitForFunction(() => window.ironbird !== undefined);
    for (const signal of plots) {
      await page.fill(by("signal-search"), signal);
      await page.click(by(`signal-${signal}`));
    }
    if (plots.length > 0) {
      await page.fill(by("signal-search"), "");
      await page.click(by("panel-signals"));
    }
    if (camera) await page.click(by(`camera-${camera}`));
    await page.evaluate((time) => window.ironbird.seek(time), at);
    await page.mouse.move(0, 0);
    await page.waitForLoadState("networkidle");
    // The frames about that time come in a moment; nothing on the page says when, since it shows coarser ones meanwhile.
    await page.waitForTimeout(2500);
    write(example.replaceAll("/", "-"), await page.screenshot());
    await page.evaluate(() => localStorage.clear());
  });
}

async function shootReport(page, example) {
  await page.goto(pathToFileURL(join(record(example), "report.html")).href);
  await page.waitForTimeout(1000);
  write(`report-${example.replaceAll("/", "-")}`, await page.screenshot());
}

const browser = await chromium.launch(LAUNCH);
mkdirSync(pictures, { recursive: true });
const context = await browser.newContext({ viewport: SIZE, deviceScaleFactor: SCALE });
await replacePage(context);
const page = await context.newPage();
const wanted = (example) => only.length === 0 || only.includes(example);
for (const shot of SHOTS.filter(({ example }) => wanted(example))) await shoot(page, shot);
for (const example of REPORTS.filter(wanted)) await shootReport(page, example);
await browser.close();
