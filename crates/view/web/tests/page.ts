import { test as base, expect, type Page } from "@playwright/test";
import { serve } from "../mock/server.mjs";

export { expect };

type Mock = Awaited<ReturnType<typeof serve>>;

/** Opens the page on a mock server; an error on the page or a request to another host fails the test. */
export const test = base.extend<{ open: (options: object) => Promise<Mock> }>({
  open: async ({ page }, use) => {
    const servers: Mock[] = [];
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(error.message));
    page.on("console", (message) => {
      if (message.type() === "error" && !message.text().includes("WebSocket connection")) errors.push(message.text());
    });
    page.on("request", (request) => {
      if (new URL(request.url()).hostname !== "127.0.0.1") errors.push(`asked for ${request.url()}`);
    });
    await use(async (options) => {
      const server = await serve(options);
      servers.push(server);
      await page.goto(server.address);
      await expect.poll(() => page.evaluate(() => window.ironbird !== undefined)).toBe(true);
      return server;
    });
    expect(errors).toEqual([]);
    for (const server of servers) await server.close();
  },
});

export const by = (name: string) => `[data-test="${name}"]`;

export async function plot(page: Page, signal: string): Promise<void> {
  await page.fill(by("signal-search"), signal);
  await page.click(by(`signal-${signal}`));
}

export const time = (page: Page) => page.evaluate(() => window.ironbird!.time());
