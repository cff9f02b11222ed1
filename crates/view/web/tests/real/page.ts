import { test as base, expect, type Page } from "@playwright/test";
import { replacePage } from "../browser.mjs";
import { Bench } from "./ironbird";

export { expect };
export { by, plot, time } from "../page";

interface Fixtures {
  bench: Bench;
  open: (address: string, page?: Page) => Promise<Page>;
  another: () => Promise<Page>;
}

/** Pages of the real program. An error on a page, or a request to another host, fails the test. */
export const test = base.extend<Fixtures>({
  bench: async ({}, use) => {
    const bench = new Bench();
    await use(bench);
    await bench.close();
  },
  open: async ({ page, context }, use) => {
    const errors: string[] = [];
    context.on("weberror", (error) => errors.push(error.error().message));
    context.on("console", (message) => {
      if (message.type() === "error" && !message.text().includes("WebSocket connection")) errors.push(message.text());
    });
    context.on("request", (request) => {
      if (new URL(request.url()).hostname !== "127.0.0.1") errors.push(`asked for ${request.url()}`);
    });
    await replacePage(context);
    await use(async (address, there = page) => {
      await there.goto(address);
      await ready(there);
      return there;
    });
    expect(errors).toEqual([]);
  },
  another: async ({ context }, use) => {
    await use(() => context.newPage());
  },
});

/** How far a body of a recording may be from where it was, in m: poses are thinned to what can be seen. */
export const THINNED = 0.03;

/** Waits until the page has been told what to show. */
export async function ready(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(() => window.ironbird !== undefined), "the page is built").toBe(true);
}

export const scene = (page: Page, run = 0) => page.evaluate((which) => window.ironbird!.scene(which), run);
export const seek = (page: Page, to: number) => page.evaluate((value) => window.ironbird!.seek(value), to);
