import { by, expect, plot, test, time } from "./page";

test("vehicles are in the scene where the run has them", async ({ page, open }) => {
  const server = await open({ mode: "live", scene: "zoo" });
  await page.click(by("pause"));
  await expect(page.locator(by("state"))).toHaveText("paused");
  await expect.poll(() => time(page)).toBe(server.live.time);
  const seen = await page.evaluate(() => window.ironbird!.scene());
  const wanted = server.world.scene.poses(server.live.time);
  expect(seen.map(({ path }) => path)).toContain("world.drone");
  for (const { id, position, screen } of seen) {
    const there = wanted.find(({ body }) => body === id)!.position;
    position.forEach((value, i) => expect(value).toBeCloseTo(there[i]!, 9));
    expect(screen.every(Number.isFinite)).toBe(true);
  }
});

test("pause holds the time, a step moves it, go goes on", async ({ page, open }) => {
  const server = await open({ mode: "live" });
  await expect.poll(() => time(page)).toBeGreaterThan(0.2);
  await page.keyboard.press("Space");
  await expect(page.locator(by("state"))).toHaveText("paused");
  const paused = server.live.time;
  await page.fill(by("step-by"), "0.5");
  await page.click(by("step"));
  await expect.poll(() => time(page)).toBeCloseTo(paused + 0.5, 9);
  expect(server.heard.find((message) => message.do === "step")).toMatchObject({ by: 0.5 });
  await page.click(by("pause"));
  await expect.poll(() => time(page)).toBeGreaterThan(paused + 0.6);
});

test("the speed is sent, and shown as the server says it", async ({ page, open }) => {
  const server = await open({ mode: "live" });
  await page.selectOption(by("speed"), "10");
  await expect(page.locator(by("speed-now"))).toHaveText("10×");
  await page.selectOption(by("speed"), "null");
  await expect.poll(() => server.heard.filter((message) => message.do === "speed").map((message) => message["value"])).toEqual([10, null]);
});

test("a fault is injected and cleared by its button", async ({ page, open }) => {
  const server = await open({ mode: "live" });
  const button = page.locator(by("fault-compass"));
  await button.click();
  await expect(button).toHaveText("Clear");
  await expect(page.locator(by("announcement"))).toHaveText("Fault compass is active.");
  await button.click();
  await expect(button).toHaveText("Inject");
  expect(server.heard.filter((message) => message.do === "fault").map((message) => message["active"])).toEqual([true, false]);
});

test("what the server says against a value stands at the field", async ({ page, open }) => {
  await open({ mode: "live" });
  await page.click(by("panel-parameters"));
  const field = page.locator(by("parameter-pilot.height"));
  await field.fill("three");
  await field.press("Enter");
  await expect(field).toHaveAttribute("aria-invalid", "true");
  await expect(page.getByText("is not a length")).toBeVisible();
  await field.fill("4 m");
  await field.press("Enter");
  await expect(field).not.toHaveAttribute("aria-invalid");
});

test("a signal is subscribed while its plot can be seen, and no longer", async ({ page, open }) => {
  const server = await open({ mode: "live" });
  await plot(page, "battery.voltage");
  await expect(page.locator(`${by("plot")} canvas`)).toBeVisible();
  const last = () => server.heard.findLast((message) => message.do === "subscribe")?.["signals"];
  await expect.poll(last).toEqual([8]);
  await page.click(by("panel-plots"));
  await page.click(by("panel-signals"));
  await expect.poll(last).toEqual([]);
});

test("a page in the background wants no signals until it is seen again", async ({ page, open }) => {
  const server = await open({ mode: "live" });
  await plot(page, "battery.voltage");
  const last = () => server.heard.findLast((message) => message.do === "subscribe")?.["signals"];
  const hide = (hidden: boolean) =>
    page.evaluate((value) => {
      Object.defineProperty(document, "hidden", { get: () => value, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    }, hidden);
  await expect.poll(last).toContain(8);
  await hide(true);
  await expect.poll(last).toEqual([]);
  await hide(false);
  await expect.poll(last).toContain(8);
});

test("a lost connection is said in words and comes back", async ({ page, open }) => {
  const server = await open({ mode: "live" });
  await plot(page, "battery.voltage");
  await expect.poll(() => server.heard.filter((message) => message.do === "subscribe").length).toBeGreaterThan(0);
  server.heard.length = 0;
  server.door.closed = true;
  server.dropClients();
  await expect(page.locator(by("connection"))).toHaveText(/lost/);
  await expect(page.locator(by("announcement"))).toHaveText(/connection is lost/);
  server.door.closed = false;
  await expect(page.locator(by("announcement"))).toHaveText("Connected.");
  await expect(page.locator(by("connection"))).toHaveText("connected");
  await expect.poll(() => server.heard.find((message) => message.do === "subscribe")?.["signals"]).toEqual([8]);
  const before = await time(page);
  await expect.poll(() => time(page)).toBeGreaterThan(before);
});

test("Space at a box of the graph shows its signals and pauses nothing", async ({ page, open }) => {
  const server = await open({ mode: "live" });
  await page.click(by("panel-graph"));
  await page.locator(by("node-battery")).focus();
  await page.keyboard.press("Space");
  await expect(page.locator(by("signal-search"))).toHaveValue("battery.");
  await expect.poll(() => server.heard.findLast((message) => message.do === "subscribe")?.["signals"]).toEqual([8, 9]);
  expect(server.heard.filter((message) => message.do === "pause")).toEqual([]);
});

test("what somebody else has set is shown, and what is being written stays", async ({ page, open }) => {
  const server = await open({ mode: "live" });
  await page.click(by("panel-parameters"));
  const [height, gain] = [page.locator(by("parameter-pilot.height")), page.locator(by("parameter-pilot.gain"))];
  await gain.fill("2.");
  server.live.parameters[0]!.value = "5 m";
  server.live.parameters[1]!.value = "9";
  server.dropClients();
  await expect(height).toHaveValue("5 m");
  await expect(gain).toHaveValue("2.");
});

test("each camera can be chosen by key", async ({ page, open }) => {
  await open({ mode: "live" });
  for (const [key, name] of [["2", "follow"], ["3", "board"], ["4", "map"], ["1", "orbit"]] as const) {
    await page.keyboard.press(key);
    await expect(page.locator(by(`camera-${name}`))).toHaveAttribute("aria-pressed", "true");
  }
});

test("the map has north up and east right", async ({ page, open }) => {
  await open({ mode: "live" });
  await page.click(by("pause"));
  await page.keyboard.press("4");
  const seen = await page.evaluate(() => window.ironbird!.scene());
  const north = [...seen].sort((a, b) => a.position[0] - b.position[0]);
  const east = [...seen].sort((a, b) => a.position[1] - b.position[1]);
  for (let i = 1; i < seen.length; i++) {
    expect(north[i]!.screen[1]).toBeLessThanOrEqual(north[i - 1]!.screen[1]);
    expect(east[i]!.screen[0]).toBeGreaterThanOrEqual(east[i - 1]!.screen[0]);
  }
});

test("a click in the scene picks the vehicle there", async ({ page, open }) => {
  await open({ mode: "live" });
  await page.click(by("pause"));
  await expect(page.locator(by("state"))).toHaveText("paused");
  const car = (await page.evaluate(() => window.ironbird!.scene())).find(({ path }) => path === "world.car")!;
  await page.locator(by("scene-0")).click({ position: { x: car.screen[0], y: car.screen[1] } });
  await expect(page.locator(by("vehicle-world.car"))).toHaveAttribute("aria-pressed", "true");
});

test("sixty-four vehicles are shown at the same time", async ({ page, open }) => {
  const server = await open({ mode: "live", scene: "many" });
  await page.click(by("pause"));
  await expect.poll(() => time(page)).toBe(server.live.time);
  const seen = await page.evaluate(() => window.ironbird!.scene());
  expect(seen).toHaveLength(64);
  const wanted = server.world.scene.poses(server.live.time);
  for (const { id, position } of seen) position.forEach((value, i) => expect(value).toBeCloseTo(wanted[id]!.position[i]!, 9));
});

test("the end is asked for twice", async ({ page, open }) => {
  const server = await open({ mode: "live" });
  await page.click(by("end"));
  expect(server.live.state).toBe(0);
  await page.click(by("end-yes"));
  await expect(page.locator(by("state"))).toHaveText("ended");
});

test("help opens and closes by key", async ({ page, open }) => {
  await open({ mode: "live" });
  await page.keyboard.press("?");
  await expect(page.locator(by("help"))).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.locator(by("help"))).toBeHidden();
});

test("on a phone nothing is wider than the screen, and tabs choose the panel", async ({ page, open }) => {
  await page.setViewportSize({ width: 390, height: 760 });
  await open({ mode: "live", scene: "sea" });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await page.click(by("tab-requirements"));
  await expect(page.locator(by("requirement-hover"))).toBeVisible();
  await expect(page.locator(by("vehicles"))).toBeHidden();
});
