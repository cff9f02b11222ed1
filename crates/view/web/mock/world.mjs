// An invented run: every place and value is a plain function of time, so that a test knows what the page has to show.

const { sin, cos, PI, hypot, max, min } = Math;

/** Attitude (w, x, y, z) of roll, pitch, yaw. */
export function attitude(roll, pitch, yaw) {
  const [cr, sr, cp, sp, cy, sy] = [cos(roll / 2), sin(roll / 2), cos(pitch / 2), sin(pitch / 2), cos(yaw / 2), sin(yaw / 2)];
  return [cr * cp * cy + sr * sp * sy, sr * cp * cy - cr * sp * sy, cr * sp * cy + sr * cp * sy, cr * cp * sy - sr * sp * cy];
}

const body = (id, path, name, kind, size, more = {}) => ({
  id, path, name, kind, size, shapes: [], rotors: [], surfaces: [], wheels: [], wind: null, links: [], ...more,
});

const quadRotors = (signals) =>
  [[0.15, 0.15, 1], [-0.15, -0.15, 1], [0.15, -0.15, -1], [-0.15, 0.15, -1]].map(([x, y, turns], i) => ({
    position: [x, y, -0.03], turns, signal: signals[i] ?? null,
  }));

/** What each kind of scene has: bodies, and where they are at a time. `shift` tells two runs apart. */
function zoo(shift) {
  const level = [1, 0, 0, 0];
  return {
    ground: { kind: "plane", down: 0 },
    sea: null,
    bodies: [
      body(0, "world.drone", "drone", "multirotor", [0.5, 0.5, 0.2], { rotors: quadRotors([10, 11, 12, 13]), wind: [14, 15, 16] }),
      body(1, "world.plane", "plane", "aircraft", [1.4, 2, 0.5], {
        surfaces: [{ name: "aileron", signal: 17 }, { name: "elevator", signal: 18 }, { name: "rudder", signal: 19 }],
        rotors: [{ position: [0.7, 0, 0], turns: 1, signal: 10 }],
      }),
      body(2, "world.rover", "rover", "rover", [0.9, 0.7, 0.6]),
      body(3, "world.car", "car", "car", [4.2, 1.8, 1.4], {
        wheels: [[1.3, 0.8, 19], [1.3, -0.8, 19], [-1.3, 0.8, null], [-1.3, -0.8, null]].map(([x, y, steer]) => ({ position: [x, y, 0.38], radius: 0.32, steer })),
      }),
      body(4, "world.cart", "cart-pole", "cart-pole", [0.6, 0.3, 0.3], {
        links: [{ name: "pole", body: 5, shapes: [{ shape: { kind: "cylinder", radius: 0.02, length: 1 }, position: [0, 0, -0.5], attitude: level }] }],
      }),
      body(6, "world.crate", "crate", "object", [0.8, 0.8, 0.8], {
        shapes: [{ shape: { kind: "box", size: [0.8, 0.8, 0.8] }, position: [0, 0, 0], attitude: level }, { shape: { kind: "capsule", radius: 0.15, length: 0.5 }, position: [0, 0, -0.7], attitude: level }],
      }),
    ],
    sensors: [{ body: 2, name: "lidar", kind: "beams", position: [0.3, 0, -0.35], most: 12, directions: Array.from({ length: 24 }, (_, i) => [cos((i - 12) * 0.1), sin((i - 12) * 0.1), 0]) }],
    paths: [{ name: "mission", body: 0, points: [[0, 0, -3], [6, 0, -3], [6, 6, -4], [0, 6, -3]], radius: 0.6 }],
    cells: [{ name: "north field", corners: [[8, -6], [14, -6], [14, 2], [8, 2]] }],
    road: { left: Array.from({ length: 60 }, (_, i) => [-8 - 2.5 * cos(i / 6), i - 20]), right: Array.from({ length: 60 }, (_, i) => [-12 - 2.5 * cos(i / 6), i - 20]) },
    fixed: [
      { shape: { kind: "box", size: [2, 3, 2.4] }, position: [4, -6, -1.2], attitude: attitude(0, 0, 0.4) },
      { shape: { kind: "cylinder", radius: 0.4, length: 4 }, position: [9, 7, -2], attitude: level },
      { shape: { kind: "sphere", radius: 0.8 }, position: [1, -8, -0.8], attitude: level },
    ],
    poses: (t) => {
      const a = t * 0.4;
      const b = t * 0.25;
      const east = -18 + ((t * 1.5) % 50);
      const slope = (2.5 / 6) * sin((east + 20) / 6);
      return [
        { body: 0, position: [3 + 3 * cos(a), 3 + (3 + shift) * sin(a), -3 - sin(t * 0.7) * 0.5], attitude: attitude(0.12 * cos(a), 0.1 * sin(a), a + PI / 2) },
        { body: 1, position: [10 * cos(b), (10 + shift) * sin(b), -7], attitude: attitude(0.5, 0.03, b + PI / 2) },
        { body: 2, position: [-3 + 2 * cos(b), -3 + 2 * sin(b), -0.3], attitude: attitude(0, 0, b + PI / 2) },
        { body: 3, position: [-10 - 2.5 * cos((east + 20) / 6), east, -0.7], attitude: attitude(0, 0, Math.atan2(1, slope)) },
        { body: 4, position: [-1, sin(t), -0.25], attitude: attitude(0, 0, PI / 2) },
        { body: 5, position: [-1, sin(t), -0.35], attitude: attitude(0.3 * sin(1.7 * t), 0, 0) },
        { body: 6, position: [6, -2, -0.4], attitude: attitude(0, 0, 0.3) },
      ];
    },
    distances: (t) => Array.from({ length: 24 }, (_, i) => (i % 5 === 0 ? Infinity : 3 + 2 * sin(t + i))),
  };
}

function sea(shift) {
  return {
    ground: { kind: "none" },
    sea: { surface: 0, bed: 25 },
    bodies: [
      body(0, "world.auv", "auv", "underwater", [1.6, 0.24, 0.24], { surfaces: [{ name: "elevator", signal: 18 }, { name: "rudder", signal: 19 }], rotors: [{ position: [-0.8, 0, 0], turns: 1, signal: 10 }] }),
      body(1, "world.buoy", "buoy", "object", [0.8, 0.8, 1.2], { shapes: [{ shape: { kind: "sphere", radius: 0.4 }, position: [0, 0, 0], attitude: [1, 0, 0, 0] }] }),
    ],
    sensors: [{ body: 0, name: "sonar", kind: "beams", position: [0.5, 0, 0.1], most: 30, directions: Array.from({ length: 9 }, (_, i) => [0.4, sin((i - 4) * 0.15), cos((i - 4) * 0.15)]) }],
    paths: [{ name: "survey", body: 0, points: [[0, 0, 8], [30, 0, 10], [30, 20, 10], [0, 20, 8]], radius: 1.5 }],
    cells: [{ name: "A", corners: [[0, 0], [30, 0], [30, 20], [0, 20]] }],
    road: null,
    fixed: [{ shape: { kind: "sphere", radius: 2.5 }, position: [16, 8, 24], attitude: [1, 0, 0, 0] }],
    poses: (t) => [
      { body: 0, position: [15 + 14 * cos(t * 0.1), 10 + (9 + shift) * sin(t * 0.1), 8 + sin(t * 0.3)], attitude: attitude(0, -0.1 * cos(t * 0.3), t * 0.1 + PI / 2) },
      { body: 1, position: [5, 5, 0.1 * sin(t)], attitude: attitude(0.1 * sin(t), 0, 0) },
    ],
    distances: () => Array.from({ length: 9 }, (_, i) => (i === 4 ? Infinity : 14 + i * 0.4)),
  };
}

function many(shift) {
  const step = (i) => [i % 8, Math.floor(i / 8)];
  return {
    ground: { kind: "grid" },
    sea: null,
    bodies: Array.from({ length: 64 }, (_, i) => body(i, `world.drone_${i}`, `drone ${i}`, "multirotor", [0.5, 0.5, 0.2], { rotors: quadRotors([10, 11, 12, 13]) })),
    sensors: [],
    paths: [],
    cells: [],
    road: null,
    fixed: [],
    poses: (t) => Array.from({ length: 64 }, (_, i) => {
      const [r, c] = step(i);
      return { body: i, position: [(r - 3.5) * 6 + 2 * cos(t * 0.5 + i), (c - 3.5) * 6 + (2 + shift) * sin(t * 0.5 + i), -12 - 2 * sin(t * 0.3 + i)], attitude: attitude(0.1, 0.1, t * 0.5 + i) };
    }),
    distances: () => [],
    terrain: { rows: 81, columns: 81, north: -80, east: -80, stepNorth: 2, stepEast: 2, down: Array.from({ length: 81 * 81 }, (_, k) => hill(-80 + 2 * Math.floor(k / 81), -80 + 2 * (k % 81))) },
  };
}

function hill(north, east) {
  return 2 - 5 * Math.exp(-(hypot(north - 30, east + 20) ** 2) / 600) - 3 * sin(north * 0.05) * cos(east * 0.04);
}

const SCENES = { zoo, sea, many };

const SIGNALS = [
  ["world", "drone.position", "x", "m"], ["world", "drone.position", "y", "m"], ["world", "drone.position", "z", "m"],
  ["world", "drone.velocity", "x", "m/s"], ["world", "drone.velocity", "y", "m/s"], ["world", "drone.velocity", "z", "m/s"],
  ["pilot", "height_error", "", "m"], ["pilot", "mode", "", "", ["idle", "climb", "cruise", "land"]], ["battery", "voltage", "", "V"], ["battery", "current", "", "A"],
  ["mixer", "motor_1", "", "rad/s"], ["mixer", "motor_2", "", "rad/s"], ["mixer", "motor_3", "", "rad/s"], ["mixer", "motor_4", "", "rad/s"],
  ["wind", "at_drone", "north", "m/s"], ["wind", "at_drone", "east", "m/s"], ["wind", "at_drone", "down", "m/s"],
  ["servos", "aileron", "", "rad"], ["servos", "elevator", "", "rad"], ["servos", "rudder", "", "rad"],
];

const REQUIREMENTS = [
  { name: "hover", text: "always[20 s, 30 s] (world.drone.position.z < -2 m)", unit: "m" },
  { name: "voltage", text: "always (battery.voltage > 15.5 V)", unit: "V" },
  { name: "lands", text: "eventually[50 s, 60 s] (pilot.mode == land)", unit: "" },
];

export class World {
  constructor(kind, shift = 0) {
    this.shift = shift;
    this.scene = SCENES[kind](shift);
    this.duration = 60;
    this.sceneSignals = [10, 11, 12, 13, 14, 15, 16, 17, 18, 19];
  }

  value(signal, t) {
    const [p] = this.scene.poses(t);
    const [q] = this.scene.poses(t + 1e-3);
    if (signal < 3) return p.position[signal];
    if (signal < 6) return (q.position[signal - 3] - p.position[signal - 3]) / 1e-3;
    if (signal === 6) return p.position[2] + 3;
    if (signal === 7) return this.mode(t);
    if (signal === 8) return 16.8 - 0.02 * t - (this.shift ? 0.3 : 0) + 0.05 * sin(7 * t);
    if (signal === 9) return 12 + 3 * sin(t) + (this.shift ? 1 : 0);
    if (signal < 14) return 500 + 40 * sin(t + signal);
    if (signal < 17) return [4 + sin(t * 0.3), 2 * cos(t * 0.2), 0.2][signal - 14];
    return 0.35 * sin(t * 1.3 + signal);
  }

  mode(t) {
    return t < 1 ? 0 : t < 10 ? 1 : t < 50 ? 2 : 3;
  }

  lamps(t) {
    const lamps = [
      { requirement: 0, state: t > 5 ? 1 : 0, margin: t > 5 ? 0.42 + 0.1 * sin(t) : NaN },
      { requirement: 1, state: t > 30 && this.shift > 0 ? 2 : 1, margin: max(-0.3, min(0.9, (30 - t) / 30)) },
      { requirement: 2, state: 0, margin: NaN },
    ];
    // The second run has its requirements in another order.
    return this.shift ? lamps.map((lamp) => ({ ...lamp, requirement: (lamp.requirement + 1) % 3 })) : lamps;
  }

  frame(t, state, speed, subscribed) {
    const signals = [...new Set([...this.sceneSignals, ...subscribed])];
    const step = Math.floor(t * 10);
    return {
      state, time: t, speed,
      poses: this.scene.poses(t),
      values: signals.map((id) => [id, this.value(id, t)]),
      active: [step % 7, (step + 3) % 7],
      lamps: this.lamps(t),
    };
  }

  series(signal, from, to, points) {
    const step = (to - from) / points;
    return Array.from({ length: points }, (_, i) => {
      const t = from + i * step;
      const [a, b] = [this.value(signal, t), this.value(signal, t + step / 2)];
      return [t, min(a, b), max(a, b)];
    });
  }

  hello({ live, run, runs, time, pace, faults, parameters, title }) {
    const { ground, sea: water, fixed, bodies, paths, cells, road, sensors } = this.scene;
    const links = [["pilot.thrust", "mixer.thrust"], ["mixer.motor_1", "world.drone.motor_1"], ["world.drone.position", "pilot.position"], ["battery.voltage", "mixer.supply"], ["wind.at_drone", "world.drone.wind"], ["servos.aileron", "world.plane.aileron"], ["mission.goal", "pilot.goal"]];
    return {
      is: "hello", version: 1, live, run, runs, title, scenario: "windy", repetition: 0, duration: this.duration, time, pace,
      scene: { origin: { latitude: 48.2, longitude: 11.6, height: 500 }, ground, sea: water, fixed, bodies, paths, cells, road, sensors },
      signals: SIGNALS.map(([component, port, leaf, unit, labels], id) => ({ id, component, port, leaf, unit, labels: labels ?? null, steps: labels !== undefined, recorded: true })),
      graph: {
        components: [["world", "world"], ["pilot", "cascade controller"], ["mixer", "mixer"], ["battery", "battery"], ["wind", "dryden wind"], ["servos", "servo"], ["mission", "state machine"]].map(([path, type]) => ({ path, type })),
        links: links.map(([from, to]) => ({ from, to, kind: "signal" })),
      },
      requirements: this.shift ? [REQUIREMENTS.at(-1), ...REQUIREMENTS.slice(0, -1)] : REQUIREMENTS,
      faults: live ? faults : [],
      parameters: live ? parameters : [],
      controls: live ? [{ component: "sticks", name: "sticks", axes: [{ parameter: "throttle", least: 0, most: 1, rest: 0.5 }, { parameter: "yaw", least: -1, most: 1, rest: 0 }, { parameter: "pitch", least: -1, most: 1, rest: 0 }, { parameter: "roll", least: -1, most: 1, rest: 0 }] }] : [],
      machines: [{
        component: "mission", name: "phase", states: ["idle", "climb", "cruise", "land"], state: ["idle", "climb", "cruise", "land"][this.mode(time)],
        ...(live ? {} : { history: [[0, "idle"], [1, "climb"], [10, "cruise"], [50, "land"]] }),
      }],
      events: [
        { time: 1, kind: "action", name: "take off", text: "pilot.height becomes 3 m" },
        { time: 20, kind: "fault-begins", name: "compass", text: "compass.field stuck" },
        { time: 28, kind: "fault-ends", name: "compass", text: "compass.field stuck" },
        ...(live ? [] : [{ time: 31, kind: "requirement", name: "voltage", text: "violated by 0.2 V" }, { time: 60, kind: "stop", name: "end", text: "duration reached" }]),
      ],
    };
  }
}
