import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { by, expect, seek, test } from "./page";
import { example } from "./ironbird";

/** What axe-core finds wrong by the success criteria of WCAG 2.2 AA, in words. */
async function problems(page: Page): Promise<string[]> {
  const found = await new AxeBuilder({ page }).withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]).analyze();
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(" | ")}`);
}

test("everything can be read and reached, by day, by night and on a phone", async ({ page, bench, open }) => {
  bench.run("run", example("world/mixed.toml"), "--out", "out");
  const recording = await bench.serve("view", "out/recording.mcap");
  await open(recording.address);
  await seek(page, 5);
  for (const panel of ["graph", "events"]) await page.click(by(`panel-${panel}`));
  expect(await problems(page)).toEqual([]);
  await page.keyboard.press("t");
  expect(await problems(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 760 });
  expect(await problems(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
});

test("the live page can be used without a mouse", async ({ page, bench, open }) => {
  const ironbird = await bench.serve("run", example("live/fly.toml"), "--view", "--out", "out");
  await open(ironbird.address);
  const reached = new Set<string>();
  for (let i = 0; i < 40; i++) {
    await page.keyboard.press("Tab");
    reached.add(await page.evaluate(() => document.activeElement?.getAttribute("data-test") ?? ""));
  }
  for (const control of ["pause", "speed", "end", "scene-0", "vehicle-world.quad", "fault-the radio is lost", "drive-sticks"]) {
    expect([...reached], control).toContain(control);
  }
  await page.click(by("panel-parameters"));
  expect(await problems(page)).toEqual([]);
});
