// Says how large the built page is when it is compressed, and fails above the bound of 1 MB.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const dist = fileURLToPath(new URL("../dist/", import.meta.url));
let total = 0;
for (const entry of readdirSync(dist, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile()) continue;
  const bytes = gzipSync(readFileSync(join(entry.parentPath, entry.name)), { level: 9 }).length;
  console.log(`${String(bytes).padStart(8)}  ${entry.name}`);
  total += bytes;
}
console.log(`${String(total).padStart(8)}  in all`);
if (total > 1_000_000) process.exitCode = 1;
