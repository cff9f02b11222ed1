import type { Page } from "@playwright/test";
import { by, expect, plot, scene, seek, test, THINNED, time } from "./page";
import { example } from "./ironbird";

test("slider, play and play back show the recorded places", async ({ page, bench, open }) => {
  bench.run("run", example("world/swarm.toml"), "--out", "out");
  const ironbird = await bench.serve("view", "out/recording.mcap");
  await open(ironbird.address);
  const off = async (at: number) => {
    const recorded = bench.recorded("out/recording.mcap", "world.*.position", at);
    const distances = (await scene(page)).map(({ path, position }) =>
      Math.hypot(...position.map((value, axis) => value - recorded.get(`${path}.position[${axis}]`)!)),
    );
    return Math.max(...distances);
  };
  for (const at of [20, 7.5]) {
    await seek(page, at);
    await expect.poll(() => off(at), `at ${at} s`).toBeLessThan(THINNED);
  }
  const slider = page.locator(by("slider"));
  const box = (await slider.boundingBox())!;
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  await expect.poll(() => time(page)).toBeGreaterThan(14);
  expect(await time(page)).toBeLessThan(16);

  await page.selectOption(by("speed"), "10");
  const before = await time(page);
  await page.click(by("play"));
  await expect.poll(() => time(page)).toBeGreaterThan(before + 3);
  await page.keyboard.press("j");
  await expect(page.locator(by("state"))).toHaveText("playing backwards");
  await expect.poll(() => time(page)).toBeLessThan(before);
  await expect.poll(() => time(page)).toBe(0);
  await expect.poll(() => off(0), "back at the beginning").toBeLessThan(THINNED);
});

test("two recordings stand side by side, with their difference", async ({ page, bench, open }) => {
  bench.run("run", example("world/gust.toml"), "--out", "one");
  bench.run("run", example("world/gust.toml"), "--out", "two", "--set", 'height.value=-3');
  const ironbird = await bench.serve("view", "one/recording.mcap", "two/recording.mcap");
  await open(ironbird.address);
  const at = 5;
  await seek(page, at);
  const downs = (page: Page) => Promise.all([0, 1].map(async (run) => (await scene(page, run))[0]!.position[2]));
  const wanted = ["one", "two"].map((run) => bench.recorded(`${run}/recording.mcap`, "world.quad.position", at).get("world.quad.position[2]")!);
  await expect.poll(async () => Math.max(...(await downs(page)).map((down, run) => Math.abs(down - wanted[run]!)))).toBeLessThan(THINNED);
  await plot(page, "world.quad.position[2]");
  await page.click(by("plot-difference"));
  await expect.poll(async () => Number((await page.locator(`${by("plot")} .chip .figure`).textContent())!.replace("−", "-"))).toBeCloseTo(wanted[1]! - wanted[0]!, 2);
});
