import { Group, Mesh, type Object3D } from "three";
import type { Body } from "../run/messages";
import { HAS_ATTITUDE, NOT_THERE, POSE, type Frame } from "../run/protocol";
import type { Look } from "./look";
import { buildLook } from "./looks";
import { Parts, SOLID } from "./parts";

/** A body in the scene: a group that has its pose, and below it how it looks. */
export class Vehicle {
  readonly group = new Group();
  readonly links: { group: Group; body: number }[];
  /** Largest measure in m, for cameras and markers. */
  readonly extent: number;
  there = false;
  private readonly look: Look;

  constructor(
    readonly body: Body,
    readonly colour: string,
  ) {
    this.extent = Math.max(...body.size, 0.05);
    this.group.name = body.path;
    this.group.visible = false;
    this.look = buildLook(body, this.colour);
    this.group.add(this.look.object);
    this.links = body.links.map((link) => {
      const group = new Group();
      group.name = link.name;
      group.visible = false;
      if (link.shapes.length > 0) {
        const parts = new Parts();
        for (const shape of link.shapes) parts.shape(shape, this.colour);
        group.add(new Mesh(parts.build(), SOLID));
      }
      return { group, body: link.body };
    });
  }

  /** Moves what turns or deflects. `seconds` is the simulated time since the last call. */
  animate(values: ReadonlyMap<number, number>, seconds: number): void {
    this.look.animate?.(values, seconds);
  }

  /** Details that cannot be seen from afar are not drawn. */
  showDetails(show: boolean): void {
    this.look.details?.(show);
  }
}

/** Puts all bodies of a frame in their places. */
export function place(frame: Frame, objects: ReadonlyMap<number, Object3D>): void {
  for (let i = 0; i < frame.bodies.length; i++) {
    const object = objects.get(frame.bodies[i]!);
    if (object === undefined) continue;
    const at = i * POSE;
    const flags = frame.poses[at + 7]!;
    object.visible = (flags & NOT_THERE) === 0;
    object.position.set(frame.poses[at]!, frame.poses[at + 1]!, frame.poses[at + 2]!);
    if (flags & HAS_ATTITUDE) {
      object.quaternion.set(frame.poses[at + 4]!, frame.poses[at + 5]!, frame.poses[at + 6]!, frame.poses[at + 3]!);
    }
  }
}
