import { chromium, type Browser, type Page } from "@playwright/test";
import { LAUNCH, replacePage } from "../browser.mjs";

/** A browser of its own with one page, which can be suspended as a laptop does that goes to sleep: its processes stand
 *  still, and nobody reads what the server sends. */
export class Sleeper {
  private constructor(
    private readonly browser: Browser,
    readonly page: Page,
    private readonly processes: number[],
  ) {}

  static async start(): Promise<Sleeper> {
    const browser = await chromium.launch(LAUNCH);
    const context = await browser.newContext({ viewport: { width: 240, height: 160 } });
    await replacePage(context);
    const page = await context.newPage();
    const session = await browser.newBrowserCDPSession();
    const { processInfo } = await session.send("SystemInfo.getProcessInfo");
    // Not the first process: the test itself talks to that.
    const others = processInfo.filter(({ type }) => type !== "browser").map(({ id }) => id);
    return new Sleeper(browser, page, others);
  }

  sleep(): void {
    for (const id of this.processes) process.kill(id, "SIGSTOP");
  }

  wake(): void {
    for (const id of this.processes) process.kill(id, "SIGCONT");
  }

  async close(): Promise<void> {
    this.wake();
    await this.browser.close();
  }
}
