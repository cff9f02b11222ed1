import { expect, test } from "@playwright/test";
import { Firefox, hasFirefox } from "./firefox";
import { Bench, example } from "./ironbird";
import { THINNED } from "./page";

interface Seen {
  path: string;
  position: [number, number, number];
}

// Where it draws no 3D, as without a display, the page says so and has everything else.
test("Firefox shows a recording too", async () => {
  test.skip(!hasFirefox, "there is no Firefox");
  const bench = new Bench();
  const firefox = await Firefox.start();
  try {
    bench.run("run", example("world/swarm.toml"), "--out", "out");
    const ironbird = await bench.serve("view", "out/recording.mcap");
    await firefox.open(ironbird.address);
    await expect.poll(() => firefox.evaluate("window.ironbird !== undefined")).toBe(true);
    const draws = await firefox.evaluate<boolean>("document.createElement('canvas').getContext('webgl2') !== null");
    expect(await firefox.evaluate("document.querySelector('[data-test=no-picture]') === null")).toBe(draws);
    await firefox.evaluate("window.ironbird.seek(20)");
    const recorded = bench.recorded("out/recording.mcap", "world.*.position", 20);
    const off = async () => {
      const seen = await firefox.evaluate<Seen[]>("window.ironbird.scene()");
      expect(seen).toHaveLength(16);
      return Math.max(...seen.map(({ path, position }) => Math.hypot(...position.map((value, axis) => value - recorded.get(`${path}.position[${axis}]`)!))));
    };
    await expect.poll(off).toBeLessThan(THINNED);
    await expect.poll(() => firefox.evaluate("document.querySelector('[data-test=vehicles]').innerText")).toContain("quad[15]");
  } finally {
    await firefox.close();
    await bench.close();
  }
});
