import { by, expect, plot, test, time } from "./page";

test("the slider shows the recorded places", async ({ page, open }) => {
  const server = await open({ mode: "recording" });
  for (const at of [40, 12.34]) {
    await page.evaluate((value) => window.ironbird!.seek(value), at);
    await expect.poll(() => server.heard.some((message) => message.do === "window" && (message["from"] as number) <= at && (message["to"] as number) > at && (message["step"] as number) < 0.05)).toBe(true);
    await expect.poll(async () => {
      const [drone] = await page.evaluate(() => window.ironbird!.scene());
      const wanted = server.world.scene.poses(at)[0]!.position;
      return Math.max(...drone!.position.map((value, i) => Math.abs(value - wanted[i]!)));
    }, "between frames of 1/30 s the straight line is off by less than a millimetre").toBeLessThan(1e-3);
  }
});

test("dragging the slider moves the time", async ({ page, open }) => {
  await open({ mode: "recording" });
  const slider = page.locator(by("slider"));
  const box = (await slider.boundingBox())!;
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  await expect.poll(() => time(page)).toBeGreaterThan(28);
  expect(await time(page)).toBeLessThan(32);
});

test("a recording plays on and back", async ({ page, open }) => {
  await open({ mode: "recording" });
  await page.selectOption(by("speed"), "10");
  await page.click(by("play"));
  await expect.poll(() => time(page)).toBeGreaterThan(5);
  await page.click(by("play-back"));
  await expect(page.locator(by("state"))).toHaveText("playing backwards");
  const turned = await time(page);
  await expect.poll(() => time(page)).toBeLessThan(turned);
  await expect.poll(() => time(page)).toBe(0);
  await expect(page.locator(by("state"))).toHaveText("stopped");
});

test("nothing that changes a run is offered", async ({ page, open }) => {
  await open({ mode: "recording" });
  await expect(page.locator(by("panel-faults"))).toBeHidden();
  await expect(page.locator(by("panel-parameters"))).toBeHidden();
});

test("zooming a plot asks for finer points of that time", async ({ page, open }) => {
  const server = await open({ mode: "recording" });
  await plot(page, "battery.voltage");
  const area = page.locator(`${by("plot")} .u-over`);
  await expect(area).toBeVisible();
  await area.scrollIntoViewIfNeeded();
  const box = (await area.boundingBox())!;
  await page.mouse.move(box.x + box.width * 0.25, box.y + 20);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.5, box.y + 20, { steps: 4 });
  await page.mouse.up();
  await expect.poll(() => server.heard.find((message) => message.do === "series")).toMatchObject({ signals: [8] });
  const asked = server.heard.find((message) => message.do === "series")!;
  expect(Math.abs((asked["from"] as number) - 15)).toBeLessThan(1);
  expect(Math.abs((asked["to"] as number) - 30)).toBeLessThan(1);
});

test("a plot is zoomed about the head by buttons, for keyboards and phones", async ({ page, open }) => {
  const server = await open({ mode: "recording" });
  await plot(page, "battery.voltage");
  await page.evaluate(() => window.ironbird!.seek(20));
  const asked = () => server.heard.filter((message) => message.do === "series").map(({ from, to }) => [from, to]);
  await page.locator(by("plot-nearer")).press("Enter");
  await expect.poll(asked).toEqual([[10, 40]]);
  await page.locator(by("plot-nearer")).press("Enter");
  await expect.poll(asked).toEqual([[10, 40], [15, 30]]);
  await page.locator(by("plot-farther")).press("Enter");
  await expect.poll(() => asked().at(-1)).toEqual([10, 40]);
});

test("two recordings stand side by side with one clock", async ({ page, open }) => {
  const server = await open({ mode: "two" });
  await page.evaluate(() => window.ironbird!.seek(33));
  await expect(page.locator(by("scene-1"))).toBeVisible();
  await expect.poll(() => new Set(server.heard.filter((message) => message.do === "window").map((message) => message.run)).size).toBe(2);
  const east = () => page.evaluate(() => [0, 1].map((run) => window.ironbird!.scene(run)[0]!.position[1]));
  // The second run flies a circle that is a metre wider in the east.
  await expect.poll(async () => { const [a, b] = await east(); return b! - a!; }).toBeCloseTo(Math.sin(33 * 0.4), 2);
  await expect(page.locator(`${by("requirement-voltage")} td`)).toHaveText([/holds/, /violated/]);
  await plot(page, "world.drone.position.y");
  await page.click(by("plot-difference"));
  await expect(page.locator(`${by("plot")} .chip .figure`)).toHaveText(/0\.5|0\.6/);
});
