import { ArrowHelper, Vector3 } from "three";
import { valueOf } from "./look";
import type { Vehicle } from "./vehicle";

/** An arrow that blows past a vehicle: it points where the air goes, and is longer where the wind is stronger. */
export class WindArrow {
  readonly arrow: ArrowHelper;
  private readonly direction = new Vector3();

  constructor(
    private readonly vehicle: Vehicle,
    colour: number,
  ) {
    this.arrow = new ArrowHelper(new Vector3(1, 0, 0), new Vector3(), 1, colour);
    this.arrow.visible = false;
  }

  update(values: ReadonlyMap<number, number>): void {
    const signals = this.vehicle.body.wind;
    if (signals === null) return;
    this.direction.set(valueOf(values, signals[0], 0), valueOf(values, signals[1], 0), valueOf(values, signals[2], 0));
    const speed = this.direction.length();
    this.arrow.visible = this.vehicle.group.visible && speed > 0.05;
    if (!this.arrow.visible) return;
    this.arrow.position.copy(this.vehicle.group.position);
    this.arrow.position.z -= this.vehicle.extent * 0.9;
    const length = this.vehicle.extent * Math.min(0.4 + speed * 0.15, 3);
    this.arrow.setDirection(this.direction.divideScalar(speed));
    this.arrow.setLength(length, length * 0.25, length * 0.12);
  }
}
