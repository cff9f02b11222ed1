import { defineConfig } from "vite";

// Relative addresses, since the server may put the page anywhere; no inlined assets, since the server's content policy
// allows scripts and styles of its own only.
export default defineConfig({
  base: "./",
  build: {
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 900,
  },
});
