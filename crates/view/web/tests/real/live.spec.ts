import { by, expect, ready, scene, seek, test, THINNED, time } from "./page";
import { example } from "./ironbird";
import { difference, pictureOfFirst } from "./pictures";

test("vehicles are where the recording has them, and look the same there", async ({ page, bench, open }) => {
  const ironbird = await bench.serve("run", example("world/swarm.toml"), "--view", "--out", "out");
  await open(ironbird.address);
  await page.click(by("pause"));
  await expect(page.locator(by("state"))).toHaveText("paused");
  // Positions are recorded every 20 ms, so at whole seconds too. A step ends before its last instant; another one does that
  // instant.
  const paused = await time(page);
  const at = Math.ceil(paused) + 3;
  await page.fill(by("step-by"), String(at - paused));
  await page.click(by("step"));
  await expect.poll(() => time(page)).toBeCloseTo(at, 9);
  if ((await time(page)) <= at) {
    await page.fill(by("step-by"), "");
    await page.click(by("step"));
    await expect.poll(() => time(page)).toBeGreaterThan(at);
  }
  expect(await time(page)).toBeCloseTo(at, 9);
  const live = await scene(page);
  expect(live).toHaveLength(16);
  const livePicture = await pictureOfFirst(page);
  // Poses come every 2 s at least: the one after that instant is recorded too.
  await page.fill(by("step-by"), "3");
  await page.click(by("step"));
  await expect.poll(() => time(page)).toBeGreaterThan(at + 2.9);

  await page.click(by("end"));
  await page.click(by("end-yes"));
  await page.click(by("over-open"));
  await ready(page);
  const recorded = bench.recorded("out/recording.mcap", "world.*.position", at);
  await seek(page, at);
  for (const [i, { path, position }] of live.entries()) {
    const there = [0, 1, 2].map((axis) => recorded.get(`${path}.position[${axis}]`)!);
    position.forEach((value, axis) => expect(value).toBeCloseTo(there[axis]!, 9));
    await expect.poll(async () => {
      const shown = (await scene(page))[i]!.position;
      return Math.max(...shown.map((value, axis) => Math.abs(value - there[axis]!)));
    }, `${path} in the page of the recording`).toBeLessThan(THINNED);
  }
  await expect.poll(async () => difference(page, livePicture, await pictureOfFirst(page)), "part of the picture that differs").toBeLessThan(0.04);
  await seek(page, at / 4);
  expect(await difference(page, livePicture, await pictureOfFirst(page)), "the measure sees another time").toBeGreaterThan(0.06);
});

test("pause holds the run for all, whoever comes, and go goes on", async ({ page, bench, open, another }) => {
  const ironbird = await bench.serve("run", example("world/swarm.toml"), "--view", "--out", "out");
  await open(ironbird.address);
  await page.keyboard.press("Space");
  await expect(page.locator(by("state"))).toHaveText("paused");
  const paused = await time(page);
  const second = await open(ironbird.address, await another());
  await expect(second.locator(by("state"))).toHaveText("paused");
  expect(await time(second)).toBe(paused);
  await second.click(by("pause"));
  await expect(page.locator(by("state"))).toHaveText("running");
  await expect.poll(() => time(page)).toBeGreaterThan(paused);
});

test("the speed is that which was chosen, and at full speed the run ends with a verdict", async ({ page, bench, open }) => {
  const ironbird = await bench.serve("run", example("world/mixed.toml"), "--view", "--out", "out");
  await open(ironbird.address);
  await page.selectOption(by("speed"), "own");
  await page.fill(by("speed-own"), "0.2");
  await page.locator(by("speed-own")).press("Enter");
  const shown = async () => Number((await page.locator(by("speed-now")).textContent())!.replace("×", ""));
  await expect.poll(shown).toBeCloseTo(0.2, 1);
  await page.selectOption(by("speed"), "null");
  await expect(page.locator(by("over-words"))).toHaveText(/The run is over/);
  await expect(page.locator(by("over"))).toContainText("All requirements hold.");
  await expect(page.locator(by("state"))).toHaveText("ended");
  await expect(page.locator(by("pause"))).toBeDisabled();
  await expect(page.locator(by("over-open"))).toHaveText("Play the recording");
  await ironbird.says(/verdict: the requirement holds/);
  expect(await page.evaluate(() => window.ironbird!.state()), "the page does not go away by itself").toBe("ended");
});

test("a wrong token is refused, and the page says what to do", async ({ page, bench }) => {
  const ironbird = await bench.serve("run", example("world/mixed.toml"), "--view", "--out", "out");
  const wrong = ironbird.address.replace(/.$/, (last) => (last === "0" ? "1" : "0"));
  await page.goto(wrong);
  await expect(page.locator(by("notice"))).toHaveText(/use the one that Ironbird prints/);
});

test("after the first of two runs the page offers the next one, and then its recording", async ({ page, bench, open }) => {
  const ironbird = await bench.serve("run", example("thermostat/stuck-sensor.toml"), "--until", "1 h", "--speed", "600", "--view", "--out", "out");
  await open(ironbird.address);
  const first = await page.locator(".title").textContent();
  await expect(page.locator(by("over-open"))).toHaveText("Watch the next run");
  await page.click(by("over-open"));
  await ready(page);
  expect(await page.locator(".title").textContent(), "another scenario").not.toBe(first);
  await expect(page.locator(by("over-open"))).toHaveText("Play the recording");
});
