import { CircleGeometry, DoubleSide, Group, Mesh, MeshBasicMaterial } from "three";
import type { Body, Vector } from "../run/messages";
import { shared, valueOf, type Look } from "./look";
import { Parts, SOLID } from "./parts";

const DISC = new MeshBasicMaterial({ color: 0x8899aa, transparent: true, opacity: 0.22, side: DoubleSide, depthWrite: false });
/** Above this the eye sees only a disc, and pictures at 30 per second would show the blades standing still. */
const FASTEST_SEEN = 14;

/** A multirotor: a hub with a nose mark, an arm and a rotor at each place of `rotors`. */
export function multirotor(body: Body, paint: string): Look {
  const [length, width, height] = body.size;
  const places: { position: Vector; turns: 1 | -1; signal: number | null }[] =
    body.rotors.length > 0
      ? body.rotors
      : [
          [1, 1],
          [-1, -1],
          [1, -1],
          [-1, 1],
        ].map(([x, y], i) => ({
          position: [(x! * length) / 2.8, (y! * width) / 2.8, 0] as Vector,
          turns: i < 2 ? 1 : (-1 as 1 | -1),
          signal: null,
        }));
  const radius = rotorRadius(places.map((rotor) => rotor.position));
  const key = JSON.stringify([body.size, places.map((rotor) => rotor.position), body.shapes, paint]);

  const frame = shared(`multirotor ${key}`, () => {
    const parts = new Parts();
    const hub = Math.max(radius * 0.75, length * 0.12);
    const thick = Math.max(height * 0.25, hub * 0.25);
    if (body.shapes.length > 0) for (const shape of body.shapes) parts.shape(shape, paint);
    else {
      parts.box([hub * 1.7, hub * 1.2, thick], [0, 0, 0], paint);
      parts.box([hub * 1.1, hub * 0.8, thick * 0.7], [-hub * 0.1, 0, -thick * 0.8], "#30363c");
      parts.box([hub * 0.35, hub * 0.5, thick * 0.7], [hub * 0.95, 0, 0], "#f5f5f5");
    }
    for (const { position } of places) {
      const [x, y, z] = position;
      const reach = Math.hypot(x, y);
      parts.box([reach, radius * 0.14, radius * 0.1], [x / 2, y / 2, z], x > 0 ? "#e8e8e8" : "#3c434a", [0, 0, Math.atan2(y, x)]);
      parts.tube(radius * 0.14, radius * 0.14, radius * 0.3, [x, y, z - radius * 0.08], "#3c434a");
    }
    for (const side of [-1, 1]) {
      parts.box([hub * 2, radius * 0.08, radius * 0.08], [0, side * hub * 0.8, radius * 0.75], "#3c434a");
      for (const end of [-0.6, 0.6]) {
        parts.box([radius * 0.08, radius * 0.08, radius * 0.75], [end * hub, side * hub * 0.75, radius * 0.4], "#3c434a");
      }
    }
    return parts.build();
  });

  const blades = shared(`blades ${radius}`, () =>
    new Parts()
      .box([radius * 1.9, radius * 0.16, radius * 0.03], [0, 0, 0], "#20252a")
      .box([radius * 0.25, radius * 0.17, radius * 0.035], [radius * 0.8, 0, 0], "#e69f00")
      .build(),
  );
  const disc = shared(`disc ${radius}`, () => new CircleGeometry(radius, 24));

  const object = new Group();
  object.add(new Mesh(frame, SOLID));
  const rotors = places.map((rotor) => {
    const group = new Group();
    group.position.set(rotor.position[0], rotor.position[1], rotor.position[2] - radius * 0.26);
    const swept = new Mesh(disc, DISC);
    group.add(new Mesh(blades, SOLID), swept);
    object.add(group);
    return { group, swept, rotor };
  });
  const still = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  return {
    object,
    details: (show) => {
      for (const { group } of rotors) group.visible = show;
    },
    animate: (values, seconds) => {
      for (const { group, swept, rotor } of rotors) {
        const speed = Math.abs(valueOf(values, rotor.signal, rotor.signal === null ? 60 : 0));
        swept.visible = speed > 20;
        if (!still) group.rotation.z += rotor.turns * Math.min(speed * 0.1, FASTEST_SEEN) * Math.min(seconds, 0.2);
      }
    },
  };
}

/** As large as fits between neighbours. */
function rotorRadius(places: Vector[]): number {
  let nearest = Infinity;
  for (let i = 0; i < places.length; i++) {
    for (let j = 0; j < i; j++) {
      const gap = Math.hypot(places[i]![0] - places[j]![0], places[i]![1] - places[j]![1]);
      if (gap > 1e-3) nearest = Math.min(nearest, gap);
    }
  }
  const first = places[0]!;
  return Number.isFinite(nearest) ? nearest * 0.44 : Math.hypot(first[0], first[1]) || 0.2;
}
