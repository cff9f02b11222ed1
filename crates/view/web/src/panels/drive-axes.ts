import type { Axis } from "../run/messages";

const DEAD_ZONE = 0.08;
/** From rest to full deflection by key, s. */
const FULL_TIME = 0.4;

/** -1 to 1 of a stick, with a dead zone in the middle and no step at its edge. */
export function withDeadZone(value: number, zone = DEAD_ZONE): number {
  const size = Math.abs(value);
  return size <= zone ? 0 : (Math.sign(value) * (Math.min(size, 1) - zone)) / (1 - zone);
}

/** Turns -1 to 1 into the axis's own range: 0 is its rest. */
export function toAxis(deflection: number, { least, most, rest }: Axis): number {
  return deflection >= 0 ? rest + deflection * (most - rest) : rest + deflection * (rest - least);
}

/** A deflection by key goes to full while the key is held, and back to rest after. */
export function moveByKeys(deflection: number, plus: boolean, minus: boolean, seconds: number): number {
  const wanted = (plus ? 1 : 0) - (minus ? 1 : 0);
  const step = seconds / FULL_TIME;
  return wanted > deflection ? Math.min(wanted, deflection + step) : Math.max(wanted, deflection - step);
}

export interface KeyPair {
  plus: string;
  minus: string;
}

const PAIRS: KeyPair[] = [
  { plus: "KeyW", minus: "KeyS" },
  { plus: "KeyD", minus: "KeyA" },
  { plus: "ArrowUp", minus: "ArrowDown" },
  { plus: "ArrowRight", minus: "ArrowLeft" },
];

const BY_NAME: [RegExp, number][] = [
  [/throttle|thrust|accelerat|speed|forward|surge|heave/i, 0],
  [/yaw|steer|rudder|turn/i, 1],
  [/pitch|elevator/i, 2],
  [/roll|aileron|sway|right/i, 3],
];

/** Keys for each axis: by its name where that says something, then what is left. */
export function keysFor(axes: Axis[]): (KeyPair | null)[] {
  const free = new Set([0, 1, 2, 3]);
  const choice = axes.map(({ parameter }) => {
    const fits = BY_NAME.find(([pattern, pair]) => pattern.test(parameter) && free.has(pair));
    if (fits) free.delete(fits[1]);
    return fits ? fits[1] : null;
  });
  return choice.map((pair) => {
    const chosen = pair ?? [...free][0];
    if (chosen === undefined) return null;
    free.delete(chosen);
    return PAIRS[chosen]!;
  });
}

/** Gamepads push up with negative numbers: the axes of the sticks that stand upright are turned round by default. */
export function padDefaults(axes: Axis[]): { axis: number; turned: boolean }[] {
  const order = [1, 0, 3, 2];
  return keysFor(axes).map((pair, i) => {
    const stick = pair ? order[PAIRS.indexOf(pair)]! : i;
    return { axis: stick, turned: stick % 2 === 1 };
  });
}
