import { by, expect, ready, scene, test, time } from "./page";
import { example } from "./ironbird";
import { Sleeper } from "./sleeper";

test("ten pages watch one run; one that sleeps holds nobody up, and comes back", async ({ page, bench, open, another }) => {
  test.setTimeout(120_000);
  const ironbird = await bench.serve("run", example("live/fly.toml"), "--view", "--out", "out");
  const sleeper = await Sleeper.start();
  try {
    await open(ironbird.address);
    await page.click(by("pause"));
    await expect(page.locator(by("state"))).toHaveText("paused");
    const pages = [page, await open(ironbird.address, sleeper.page)];
    while (pages.length < 10) {
      const next = await another();
      // Ten large pictures drawn in software would measure the processor, not the view.
      await next.setViewportSize({ width: 240, height: 160 });
      pages.push(await open(ironbird.address, next));
    }
    const paused = await time(page);
    sleeper.sleep();
    await page.click(by("pause"));
    await expect.poll(() => time(page), { timeout: 40_000 }).toBeGreaterThan(paused + 2);
    await page.click(by("pause"));
    await expect(page.locator(by("state"))).toHaveText("paused");
    sleeper.wake();
    const places = (bodies: Awaited<ReturnType<typeof scene>>) => bodies.map(({ position }) => position);
    const there = places(await scene(page));
    for (const other of pages.slice(1)) {
      await expect(other.locator(by("state"))).toHaveText("paused");
      await expect.poll(async () => places(await scene(other))).toEqual(there);
    }

    sleeper.sleep();
    await page.selectOption(by("speed"), "null");
    await page.click(by("pause"));
    await ironbird.says(/verdict: all 2 requirements hold/);
    sleeper.wake();
    await expect(sleeper.page.locator(by("over-open"))).toHaveText("Play the recording");
    await sleeper.page.click(by("over-open"));
    await ready(sleeper.page);
    await expect(sleeper.page.locator(by("state"))).toHaveText("stopped");
  } finally {
    await sleeper.close();
  }
});
