import type { Page } from "@playwright/test";
import { by, expect, plot, test, time } from "./page";

/** As a browser does that has no WebGL, or has switched it off. */
async function takeWebGlAway(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const prototype = HTMLCanvasElement.prototype as { getContext(kind: string, ...rest: unknown[]): unknown };
    const original = prototype.getContext;
    prototype.getContext = function (kind, ...rest) {
      return kind.startsWith("webgl") ? null : original.call(this, kind, ...rest);
    };
  });
}

test("without WebGL the page says so, and a live run can be watched and changed", async ({ page, open }) => {
  await takeWebGlAway(page);
  const server = await open({ mode: "live" });
  await expect(page.locator(by("no-picture"))).toHaveText(/WebGL is off or missing.*Everything else works/);
  await expect.poll(() => time(page)).toBeGreaterThan(0.2);
  await page.keyboard.press("Space");
  await expect(page.locator(by("state"))).toHaveText("paused");
  await expect(page.locator(by("vehicles"))).toContainText("drone");
  await expect(page.locator(`${by("requirement-voltage")} td`)).toHaveText(/holds/);

  await plot(page, "battery.voltage");
  await expect(page.locator(`${by("plot")} canvas`)).toBeVisible();
  await expect(page.locator(`${by("plot")} .chip .figure`)).toHaveText(/16\./);
  await page.click(by("panel-graph"));
  await expect(page.locator(by("node-pilot"))).toBeVisible();
  await expect(page.locator("path.edge")).toHaveCount(7);
  await page.click(by("panel-events"));
  await expect(page.locator(by("events"))).toContainText("take off");
  await expect(page.locator(".timeline-canvas")).toBeVisible();
  await page.click(by("fault-compass"));
  await expect.poll(() => server.heard.at(-1)).toMatchObject({ do: "fault", name: "compass", active: true });
});

test("without WebGL a recording plays, and cameras and themes do no harm", async ({ page, open }) => {
  await takeWebGlAway(page);
  await open({ mode: "recording", scene: "many" });
  await expect(page.locator(by("no-picture"))).toBeVisible();
  await page.selectOption(by("speed"), "10");
  await page.click(by("play"));
  await expect.poll(() => time(page)).toBeGreaterThan(2);
  for (const key of ["1", "2", "3", "4", "f", "t"]) await page.keyboard.press(key);
  const [first] = await page.evaluate(() => window.ironbird!.scene());
  expect(first!.screen.every(Number.isFinite)).toBe(true);
});
