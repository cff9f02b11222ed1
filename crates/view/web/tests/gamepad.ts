import type { Page } from "@playwright/test";

declare global {
  interface Window {
    pad?: { connected: boolean; axes: number[] };
  }
}

/** A gamepad of the standard layout in the second place, as browsers give it: left stick axes 0 and 1, right stick 2 and 3,
 *  up is negative. The page must be told before it is opened. */
export class FakeGamepad {
  constructor(private readonly page: Page) {}

  async plugIn(): Promise<void> {
    await this.page.addInitScript(() => {
      const pad = { id: "fake", index: 1, mapping: "standard", connected: true, axes: [0, 0, 0, 0], buttons: [], timestamp: 0 };
      window.pad = pad;
      navigator.getGamepads = () => [null, pad as unknown as Gamepad];
    });
  }

  push(...axes: number[]): Promise<void> {
    return this.page.evaluate((wanted) => void (window.pad!.axes = wanted), axes);
  }

  unplug(): Promise<void> {
    return this.page.evaluate(() => void (window.pad!.connected = false));
  }
}
