// The browser of the tests and of the pictures: Debian's Chromium, drawing in software, without a network.
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

/** A page that was built elsewhere, in place of the one in the program: for work on the page without building Ironbird. */
const ANOTHER_PAGE = process.env.IRONBIRD_PAGE;

export const LAUNCH = {
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: [
    "--no-sandbox",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    // A page that comes from the tests comes from nowhere, and may not talk to this machine.
    ...(ANOTHER_PAGE ? ["--disable-features=LocalNetworkAccessChecks,LocalNetworkAccessChecksWebSockets"] : []),
  ],
};

const KINDS = { html: "text/html", js: "text/javascript", css: "text/css", svg: "image/svg+xml" };
const POLICY = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; connect-src 'self'";

/** Serves the other page, if there is one, wherever Ironbird would serve its own. */
export async function replacePage(context) {
  if (!ANOTHER_PAGE) return;
  await context.route(/^http:\/\/127\.0\.0\.1:\d+\/(?!ws)/, async (route) => {
    const path = new URL(route.request().url()).pathname.slice(1) || "index.html";
    const file = join(resolve(ANOTHER_PAGE), path);
    if (!existsSync(file)) return route.fulfill({ status: 404 });
    const headers = { "content-security-policy": POLICY };
    return route.fulfill({ body: readFileSync(file), contentType: KINDS[path.split(".").at(-1)], headers });
  });
}
