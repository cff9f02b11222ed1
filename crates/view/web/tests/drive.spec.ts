import { FakeGamepad } from "./gamepad";
import { by, expect, test } from "./page";

const drives = (server: { heard: { do: string; [name: string]: unknown }[] }) => server.heard.filter((message) => message.do === "drive");

test("keys drive, at most 30 times a second, and Escape lets go at rest", async ({ page, open }) => {
  // The page's own clock stands still but where it is told to go on: nothing here depends on how busy the machine is.
  await page.clock.install();
  const server = await open({ mode: "live" });
  await page.click(by("drive-sticks"));
  await expect(page.locator(by("driving"))).toBeVisible();
  await page.clock.pauseAt(Date.now() + 3_600_000);
  server.heard.length = 0;
  await page.keyboard.down("w");
  await page.clock.runFor(1000);
  await expect.poll(() => drives(server).at(-1)?.["axes"]).toMatchObject({ throttle: 1, yaw: 0 });
  const count = drives(server).length;
  expect(count, "0.4 s to full deflection").toBeLessThanOrEqual(13);
  await page.clock.runFor(300);
  await page.keyboard.press("Escape");
  await expect(page.locator(by("driving"))).toBeHidden();
  await expect.poll(() => drives(server).at(-1)!["axes"]).toMatchObject({ throttle: 0.5, yaw: 0 });
  expect(drives(server).length, "nothing was sent while nothing changed").toBe(count + 1);
});

test("the sticks of a gamepad drive, and it rests when it is unplugged", async ({ page, open }) => {
  const pad = new FakeGamepad(page);
  await pad.plugIn();
  const server = await open({ mode: "live" });
  const last = () => drives(server).at(-1);
  await pad.push(0, -1, 0, 0);
  await page.click(by("pause"));
  await expect(page.locator(by("state"))).toHaveText("paused");
  expect(drives(server), "nobody has asked to drive").toEqual([]);

  await page.click(by("drive-sticks"));
  await expect.poll(last).toMatchObject({ component: "sticks", axes: { throttle: 1, yaw: 0, pitch: 0, roll: 0 } });
  // The dead zone of 8 % takes nothing from the rest of the way: 0.54 is half of it. Up is forward; 0.05 is at rest.
  await pad.push(0.54, 1, 0.05, -0.54);
  await expect.poll(() => last()!["axes"]).toEqual({ throttle: 0, yaw: expect.closeTo(0.5, 9), pitch: expect.closeTo(0.5, 9), roll: 0 });

  await page.getByLabel("Gamepad axis for roll").selectOption("0");
  await page.getByLabel("Turn roll round").check();
  await expect.poll(() => last()!["axes"]).toMatchObject({ roll: expect.closeTo(-0.5, 9) });
  await pad.unplug();
  await expect.poll(() => last()!["axes"]).toEqual({ throttle: 0.5, yaw: 0, pitch: 0, roll: 0 });
});

test("a stick that moves all the time is sent at most 30 times a second", async ({ page, open }) => {
  const pad = new FakeGamepad(page);
  await pad.plugIn();
  await page.clock.install();
  const server = await open({ mode: "live" });
  await page.click(by("drive-sticks"));
  await page.clock.pauseAt(Date.now() + 3_600_000);
  server.heard.length = 0;
  for (let i = 0; i < 100; i++) {
    await pad.push(0.2 + (i % 2) * 0.6, 0, 0, 0);
    await page.clock.runFor(10);
  }
  await page.keyboard.press("Escape");
  await expect.poll(() => drives(server).at(-1)?.["axes"]).toMatchObject({ yaw: 0 });
  expect(drives(server).length).toBeGreaterThan(5);
  expect(drives(server).length, "in one second, and once to let go").toBeLessThanOrEqual(31);
});

test("whoever drives lets go when the run is over or the connection is lost", async ({ page, open }) => {
  const server = await open({ mode: "live" });
  const driving = page.locator(by("driving"));
  await page.click(by("drive-sticks"));
  await expect(driving).toBeVisible();
  server.door.closed = true;
  server.dropClients();
  await expect(driving).toBeHidden();
  server.door.closed = false;
  await expect(page.locator(by("connection"))).toHaveText("connected");
  await page.click(by("drive-sticks"));
  await expect(driving).toBeVisible();
  server.live.end("duration reached");
  await expect(driving).toBeHidden();
  await expect(page.locator(by("trouble"))).toBeHidden();
});

test("a page that is about to go lets go of the sticks", async ({ page, open }) => {
  const server = await open({ mode: "live" });
  await page.click(by("drive-sticks"));
  await page.keyboard.down("w");
  await expect.poll(() => drives(server).at(-1)?.["axes"]).toMatchObject({ throttle: 1 });
  // As the browser says it; whether a last message leaves a page that is gone is not promised.
  await page.evaluate(() => window.dispatchEvent(new PageTransitionEvent("pagehide")));
  await expect.poll(() => drives(server).at(-1)!["axes"]).toMatchObject({ throttle: 0.5 });
});
