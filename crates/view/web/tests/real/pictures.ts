import type { Page } from "@playwright/test";
import { by } from "../page";

/** The first vehicle from behind, in a picture whose size does not depend on the panels around it. */
export async function pictureOfFirst(page: Page): Promise<Buffer> {
  const style = await page.addStyleTag({ content: ".scenes { position: fixed; inset: 0 auto auto 0; width: 600px; height: 400px; z-index: 50 } .camera-bar, .over { display: none }" });
  await page.keyboard.press("2");
  const picture = await page.locator(by("scene-0")).screenshot();
  await style.evaluate((element) => (element as Element).remove());
  return picture;
}

/** The part of all pixels of two pictures that differ clearly; the browser decodes them. */
export function difference(page: Page, one: Buffer, other: Buffer): Promise<number> {
  return page.evaluate(
    async (pictures) => {
      const pixels = await Promise.all(
        pictures.map(async (picture) => {
          const image = new Image();
          image.src = `data:image/png;base64,${picture}`;
          await image.decode();
          const context = new OffscreenCanvas(image.width, image.height).getContext("2d")!;
          context.drawImage(image, 0, 0);
          return context.getImageData(0, 0, image.width, image.height).data;
        }),
      );
      const [a, b] = pixels as [Uint8ClampedArray, Uint8ClampedArray];
      if (a.length !== b.length) return 1;
      let differing = 0;
      for (let i = 0; i < a.length; i += 4) {
        const most = Math.max(...[0, 1, 2].map((channel) => Math.abs(a[i + channel]! - b[i + channel]!)));
        if (most > 24) differing++;
      }
      return differing / (a.length / 4);
    },
    [one.toString("base64"), other.toString("base64")],
  );
}
