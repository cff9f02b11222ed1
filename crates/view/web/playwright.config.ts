import { defineConfig } from "@playwright/test";
import { LAUNCH } from "./tests/browser.mjs";

// No browser is ever downloaded. The project "mock" needs no Ironbird; "real" starts the program that IRONBIRD names.
export default defineConfig({
  testDir: "tests",
  workers: 1,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  reporter: "list",
  use: { viewport: { width: 1000, height: 600 }, launchOptions: LAUNCH },
  projects: [
    { name: "mock", testIgnore: "real/**" },
    { name: "real", testMatch: "real/*.spec.ts" },
  ],
});
