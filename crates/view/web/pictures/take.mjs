// Makes the pictures of the book: runs each example, opens its recording in the browser and takes a picture.
// usage: node pictures/take.mjs <ironbird> <folder for recordings> <the book's docs/src> [example ...]
import { chromium } from "@playwright/test";
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { LAUNCH, replacePage } from "../tests/browser.mjs";
import { Examples, Missing } from "./record.mjs";
import { CHARTS, COMPARISONS, REPORTS, SHOTS } from "./shots.mjs";

const [program, work, book, ...only] = process.argv.slice(2);
const MOST_BYTES = 120_000;
// Drawn a little larger than it is shown, so that panels and scene have room beside each other.
const SCALE = 0.8;
const SIZE = { width: 960 / SCALE, height: 600 / SCALE };
// With the graph of the system under the plots.
const TALL = { width: 960 / SCALE, height: 720 / SCALE };

const examples = new Examples(program, work);
const dashed = (example) => example.replaceAll("/", "-");

/** Serves recordings while `use` looks at them. Files of the experiment are found from the folder in which that is done. */
async function served(recordings, cwd, use) {
  const server = spawn(program, ["view", ...recordings], { cwd, stdio: ["ignore", "pipe", "inherit"] });
  const over = new Promise((done) => server.on("close", done));
  try {
    const address = await new Promise((found, failed) => {
      let text = "";
      server.stdout.on("data", (data) => {
        text += data;
        const printed = /view {6}(\S+)/.exec(text);
        if (printed) found(printed[1]);
      });
      over.then(() => failed(new Error(`${program} view ${recordings.join(" ")} ended: ${text}`)));
    });
    await use(address);
  } finally {
    server.kill("SIGINT");
    await over;
  }
}

/** Fewer colours make a picture small; of several numbers the first that is small enough is taken. */
function write(name, png) {
  const file = join(book, `${name}.png`);
  for (const colours of [256, 128, 64, 32]) {
    const small = execFileSync("pngquant", [String(colours), "--nofs", "--strip", "-"], { input: png, maxBuffer: 1 << 26 });
    writeFileSync(file, small);
    if (small.length <= MOST_BYTES) break;
  }
  weigh(file);
}

function weigh(file) {
  const bytes = statSync(file).size;
  console.log(`${String(bytes).padStart(7)}  ${file}`);
  if (bytes > MOST_BYTES) throw new Error(`${file} has more than ${MOST_BYTES} bytes`);
}

const by = (name) => `[data-test="${name}"]`;

/** Plots these signals and nothing else. */
async function plot(page, plots) {
  while ((await page.locator(by("plot-remove")).count()) > 0) await page.locator(by("plot-remove")).first().click();
  for (const signal of plots) {
    await page.fill(by("signal-search"), signal);
    await page.click(by(`signal-${signal}`));
  }
  await page.fill(by("signal-search"), "");
  await page.click(by("panel-signals"));
}

async function shoot(page, shot) {
  const { example, name = dashed(example), beside, at, camera, nearer = 0, plots = [], graph = false } = shot;
  const runs = [await examples.run(shot), ...(beside ? [await examples.run({ example: beside })] : [])];
  const recordings = runs.map((run) => join(run, "recording.mcap"));
  // Of two, the names are shown, which are not to tell where this was done.
  const [shown, folder] = beside ? [recordings.map((one) => relative(work, one)), work] : [recordings, examples.folder(example)];
  await served(shown, folder, async (address) => {
    await page.setViewportSize(graph ? TALL : SIZE);
    await page.goto(address);
    await page.waitForFunction(() => window.ironbird !== undefined);
    if (plots.length > 0) await plot(page, plots);
    if (graph) await page.click(by("panel-graph"));
    if (camera) await page.click(by(`camera-${camera}`));
    await page.evaluate((time) => window.ironbird.seek(time), at);
    for (let i = 0; i < nearer; i++) await page.press(by("scene-0"), "+");
    await page.evaluate(() => document.activeElement.blur());
    await page.mouse.move(0, 0);
    await page.waitForLoadState("networkidle");
    // The frames about that time come in a moment; nothing on the page says when, since it shows coarser ones meanwhile.
    await page.waitForTimeout(2500);
    write(`view/${name}`, await page.screenshot());
    await page.evaluate(() => localStorage.clear());
  });
}

/** The beginning of a report, or what is under a title of it, in a window of its own size if it has one. */
async function shootReport(browser, page, folder, { example, name, width, height, from }) {
  const own = width ? await browser.newPage({ viewport: { width, height } }) : page;
  if (own === page) await page.setViewportSize(SIZE);
  await own.goto(pathToFileURL(join(folder, "report.html")).href);
  if (from) await own.getByText(from, { exact: true }).first().evaluate((title) => title.scrollIntoView());
  await own.waitForTimeout(1000);
  write(name ?? `view/report-${dashed(example)}`, await own.screenshot());
  if (own !== page) await own.close();
}

async function shootChart(chart) {
  const file = join(book, `${chart.name ?? `view/${dashed(chart.example)}`}.svg`);
  await examples.chart(chart, file);
  weigh(file);
}

const browser = await chromium.launch(LAUNCH);
mkdirSync(join(book, "view"), { recursive: true });
const context = await browser.newContext({ viewport: SIZE, deviceScaleFactor: SCALE });
await replacePage(context);
const page = await context.newPage();

/** Makes those of a list that are wanted; what this machine lacks is said, and the others are made. */
async function all(list, make) {
  for (const one of list) {
    if (only.length > 0 && !only.includes(one.example)) continue;
    try {
      await make(one);
    } catch (failure) {
      if (!(failure instanceof Missing)) throw failure;
      console.log(`skipped  ${one.example}: ${failure.message}`);
    }
  }
}
await all(SHOTS, (shot) => shoot(page, shot));
await all(REPORTS, async (report) => shootReport(browser, page, await examples.run(report), report));
await all(COMPARISONS, async (report) => shootReport(browser, page, await examples.compare(report), report));
await all(CHARTS, shootChart);
await browser.close();
