import type { BrowserContext, LaunchOptions } from "@playwright/test";

export const LAUNCH: LaunchOptions;
export function replacePage(context: BrowserContext): Promise<void>;
