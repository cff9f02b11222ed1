import type { BufferGeometry, Object3D } from "three";

/** How a vehicle looks, and what of it moves. */
export interface Look {
  object: Object3D;
  animate?: (values: ReadonlyMap<number, number>, seconds: number) => void;
  details?: (show: boolean) => void;
}

const geometries = new Map<string, BufferGeometry>();

/** Vehicles that look the same share their geometry. */
export function shared(key: string, build: () => BufferGeometry): BufferGeometry {
  let geometry = geometries.get(key);
  if (geometry === undefined) {
    geometry = build();
    geometries.set(key, geometry);
  }
  return geometry;
}

/** The value of a signal that may not be there. */
export function valueOf(values: ReadonlyMap<number, number>, signal: number | null | undefined, otherwise: number): number {
  if (signal === null || signal === undefined) return otherwise;
  const value = values.get(signal);
  return value === undefined || !Number.isFinite(value) ? otherwise : value;
}
