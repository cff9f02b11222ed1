import type { Scene } from "../run/messages";
import { svg } from "../ui/dom";
import { short } from "../ui/numbers";
import { roundStep } from "./contours";
import { latitudeLongitude } from "./geodesy";

/** On the map: metres (and degrees, where the origin is known) at the edges, and a scale bar. */
export class MapOverlay {
  readonly element = svg("svg", { class: "map-overlay", "aria-hidden": "true" });

  constructor(private readonly origin: Scene["origin"]) {}

  hide(): void {
    this.element.replaceChildren();
  }

  update(width: number, height: number, north: number, east: number, metresPerPixel: number, gridStep: number): void {
    const parts: SVGElement[] = [];
    const text = (x: number, y: number, words: string, anchor = "middle") =>
      parts.push(svg("text", { x, y, "text-anchor": anchor }, words));
    let step = gridStep;
    while (step / metresPerPixel < 90) step *= step.toExponential().startsWith("2") ? 2.5 : 2;
    const left = east - (width / 2) * metresPerPixel;
    const bottom = north - (height / 2) * metresPerPixel;
    for (let k = Math.ceil(left / step); (k * step - left) / metresPerPixel < width - 40; k++) {
      const x = (k * step - left) / metresPerPixel;
      if (x < 60) continue;
      text(x, height - 19, `E ${short(k * step)} m`);
      if (this.origin) text(x, height - 6, `${latitudeLongitude(this.origin, north, k * step).longitude.toFixed(5)}°`);
    }
    for (let k = Math.ceil(bottom / step); (k * step - bottom) / metresPerPixel < height - 50; k++) {
      const y = height - (k * step - bottom) / metresPerPixel;
      if (y > height - 50 || y < 20) continue;
      text(6, y + 4, `N ${short(k * step)} m`, "start");
      if (this.origin) text(6, y + 17, `${latitudeLongitude(this.origin, k * step, east).latitude.toFixed(5)}°`, "start");
    }
    const bar = roundStep(metresPerPixel * 70);
    const pixels = bar / metresPerPixel;
    const y = height - 40;
    parts.push(svg("path", { d: `M${width - 16 - pixels} ${y - 6}v6h${pixels}v-6`, class: "scale-bar" }));
    text(width - 16 - pixels / 2, y - 8, bar >= 1000 ? `${short(bar / 1000)} km` : `${short(bar)} m`);
    this.element.replaceChildren(...parts);
  }
}
