import { h } from "../ui/dom";
import type { Vehicle } from "./vehicle";

const MANY = 12;
const NAME_HEIGHT = 19;

interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

export interface Seen {
  x: number;
  y: number;
  /** In front of the eye. */
  ahead: boolean;
  /** How large the vehicle is on the screen, pixels. */
  pixels: number;
}

/** Names and marks of constant size on the screen, so that a small vehicle far away is never lost. */
export class Labels {
  readonly element = h("div", { class: "labels", "aria-hidden": "true" });
  private readonly marks: { box: HTMLElement; name: HTMLElement; width: number }[];

  constructor(private readonly vehicles: Vehicle[]) {
    this.marks = vehicles.map((vehicle) => {
      const name = h("span", { class: "label-name" }, vehicle.body.name);
      const box = h("div", { class: "label" }, h("span", { class: "label-mark" }), name);
      box.style.setProperty("--colour", vehicle.colour);
      this.element.append(box);
      return { box, name, width: 0 };
    });
  }

  update(seen: Seen[], selected: string | null): void {
    const isSelected = (i: number) => this.vehicles[i]!.body.path === selected;
    const order = this.vehicles.map((_, i) => i).sort((a, b) => Number(isSelected(b)) - Number(isSelected(a)));
    const taken: Box[] = [];
    for (const i of order) {
      const { box } = this.marks[i]!;
      const { x, y, ahead, pixels } = seen[i]!;
      const shown = this.vehicles[i]!.group.visible && ahead;
      box.style.display = shown ? "" : "none";
      if (!shown) continue;
      box.classList.toggle("selected", isSelected(i));
      box.classList.toggle("near", pixels > 36);
      const lift = Math.min(pixels / 2 + 6, 60);
      box.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
      box.style.setProperty("--lift", `${lift.toFixed(0)}px`);
      const wanted = isSelected(i) || this.vehicles.length <= MANY;
      this.showName(i, wanted, { x, y: y - lift }, taken);
    }
  }

  /** A name is left out where it would lie on another one; its vehicle keeps its mark. */
  private showName(i: number, wanted: boolean, at: { x: number; y: number }, taken: Box[]): void {
    const mark = this.marks[i]!;
    mark.name.style.display = wanted ? "" : "none";
    if (!wanted) return;
    // Measured once: asking for it makes the browser lay out the page.
    if (mark.width === 0) mark.width = mark.name.offsetWidth;
    const place = { left: at.x - mark.width / 2, right: at.x + mark.width / 2, top: at.y - NAME_HEIGHT, bottom: at.y };
    if (taken.some((other) => place.left < other.right && place.right > other.left && place.top < other.bottom && place.bottom > other.top)) {
      mark.name.style.display = "none";
    } else taken.push(place);
  }
}
