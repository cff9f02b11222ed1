import type { Page } from "@playwright/test";
import { FakeGamepad } from "../gamepad";
import { by, expect, ready, scene, test, time } from "./page";
import { example } from "./ironbird";

const fly = ["run", example("live/fly.toml"), "--view", "--out", "out"];
const height = async (page: Page) => -(await scene(page))[0]!.position[2];

async function end(page: Page): Promise<void> {
  await page.click(by("end"));
  await page.click(by("end-yes"));
  await expect(page.locator(by("over-open"))).toHaveText("Play the recording");
}

test("what a person does is in the recording, and a replay does it again", async ({ page, bench, open }) => {
  const ironbird = await bench.serve(...fly);
  await open(ironbird.address);
  const fault = page.locator(by("fault-the compass is off"));
  await fault.click();
  await expect(fault).toHaveText("Clear");
  const since = await time(page);
  await expect.poll(() => time(page)).toBeGreaterThan(since + 0.5);
  await fault.click();
  await expect(fault).toHaveText("Inject");

  await page.click(by("panel-parameters"));
  const speed = page.locator(by("parameter-sticks.most_speed"));
  await speed.fill("fast");
  await speed.press("Enter");
  await expect(speed).toHaveAttribute("aria-invalid", "true");
  await speed.fill("2 m/s");
  await speed.press("Enter");
  await expect(speed).not.toHaveAttribute("aria-invalid");

  await page.click(by("panel-events"));
  await page.fill(by("note"), "a gust, or so it felt");
  await page.locator(by("note")).press("Enter");
  await expect(page.locator(by("events"))).toContainText("a gust, or so it felt");
  await end(page);

  await page.click(by("over-open"));
  await ready(page);
  const events = page.locator(by("events"));
  await expect(events).toContainText("the compass is off");
  await expect(events).toContainText("a gust, or so it felt");
  await expect(page.locator(by("panel-faults"))).toBeHidden();
  expect(bench.run("replay", "out/recording.mcap", "--folder", example("live"))).toContain("the same bits again");
});

test("keys fly the quadrotor, and what they did can be replayed", async ({ page, bench, open }) => {
  const ironbird = await bench.serve(...fly);
  await open(ironbird.address);
  const before = await height(page);
  await page.click(by("drive-sticks"));
  await page.keyboard.down("w");
  await expect.poll(() => height(page)).toBeGreaterThan(before + 1);
  await page.keyboard.up("w");
  await page.keyboard.press("Escape");
  await expect(page.locator(by("driving"))).toBeHidden();
  const top = await time(page);
  await expect.poll(() => time(page)).toBeGreaterThan(top + 0.5);
  const until = await time(page);
  await end(page);
  const [head, ...rows] = bench.run("export", "out/recording.mcap", "--signal", "sticks.velocity_down").trim().split("\n");
  expect(head).toBe("time_s,sticks.velocity_down");
  const sent = rows.map((row) => Number(row.split(",")[1]));
  expect(Math.min(...sent), "full climb is 2 m/s").toBeCloseTo(-2, 6);
  expect(sent.at(-1), `at rest after ${until} s`).toBeCloseTo(0, 9);
  expect(bench.run("replay", "out/recording.mcap", "--folder", example("live"))).toContain("the same bits again");
});

test("a gamepad flies the quadrotor forward, and what it did can be replayed", async ({ page, bench, open }) => {
  const pad = new FakeGamepad(page);
  await pad.plugIn();
  const ironbird = await bench.serve(...fly);
  await open(ironbird.address);
  const north = async () => (await scene(page))[0]!.position[0];
  const before = await north();
  await page.click(by("drive-sticks"));
  await pad.push(0, 0, 0, -1);
  await expect.poll(north).toBeGreaterThan(before + 1);
  await pad.unplug();
  const since = await time(page);
  await expect.poll(() => time(page)).toBeGreaterThan(since + 0.5);
  await end(page);
  const [, ...rows] = bench.run("export", "out/recording.mcap", "--signal", "sticks.velocity_north").trim().split("\n");
  const sent = rows.map((row) => Number(row.split(",")[1]));
  expect(Math.max(...sent), "full speed forward").toBeGreaterThan(1);
  expect(sent.at(-1), "at rest without a gamepad").toBeCloseTo(0, 9);
  expect(bench.run("replay", "out/recording.mcap", "--folder", example("live"))).toContain("the same bits again");
});
