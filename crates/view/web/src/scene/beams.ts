import { BufferAttribute, BufferGeometry, LineBasicMaterial, LineSegments, Points, PointsMaterial, type Group } from "three";
import type { Scene } from "../run/messages";

/** The beams of one sensor: lines to what they hit, with a dot there; where nothing was hit, a short faint line. */
export class Beams {
  private readonly places: Float32Array;
  private readonly attribute: BufferAttribute;
  private readonly hits: Float32Array;
  private readonly hitAttribute: BufferAttribute;
  private readonly dots: Points;
  private readonly lines: LineSegments;

  constructor(
    private readonly sensor: Scene["sensors"][number],
    parent: Group,
    colour: number,
  ) {
    const count = sensor.directions.length;
    this.places = new Float32Array(count * 6);
    this.attribute = new BufferAttribute(this.places, 3);
    this.hits = new Float32Array(count * 3);
    this.hitAttribute = new BufferAttribute(this.hits, 3);
    const lineGeometry = new BufferGeometry();
    lineGeometry.setAttribute("position", this.attribute);
    this.lines = new LineSegments(lineGeometry, new LineBasicMaterial({ color: colour, transparent: true, opacity: 0.45 }));
    const dotGeometry = new BufferGeometry();
    dotGeometry.setAttribute("position", this.hitAttribute);
    this.dots = new Points(dotGeometry, new PointsMaterial({ color: colour, size: 4, sizeAttenuation: false }));
    for (const object of [this.lines, this.dots]) {
      object.frustumCulled = false;
      object.position.set(...sensor.position);
      object.visible = false;
      parent.add(object);
    }
  }

  measure(distances: Float32Array): void {
    let hits = 0;
    this.sensor.directions.forEach((direction, i) => {
      const distance = distances[i] ?? Infinity;
      const hit = Number.isFinite(distance);
      const length = hit ? distance : this.sensor.most;
      for (let k = 0; k < 3; k++) {
        // Without a hit only the first twentieth of the beam is drawn.
        this.places[6 * i + 3 + k] = direction[k]! * (hit ? length : length * 0.05);
        if (hit) this.hits[3 * hits + k] = direction[k]! * distance;
      }
      if (hit) hits++;
    });
    this.attribute.needsUpdate = true;
    this.hitAttribute.needsUpdate = true;
    this.dots.geometry.setDrawRange(0, hits);
    this.dots.visible = this.lines.visible = true;
  }
}
