// Writes the binary messages of the view, little-endian, as the book has them.

export function frame({ state, time, speed, poses, values, active, lamps }) {
  const bytes = Buffer.alloc(32 + poses.length * 44 + values.length * 12 + active.length * 4 + lamps.length * 12);
  bytes.writeUInt8(1, 0);
  bytes.writeUInt8(state, 1);
  bytes.writeUInt16LE(poses.length, 2);
  bytes.writeUInt32LE(values.length, 4);
  bytes.writeUInt32LE(active.length, 8);
  bytes.writeUInt32LE(lamps.length, 12);
  bytes.writeDoubleLE(time, 16);
  bytes.writeDoubleLE(speed, 24);
  let at = 32;
  for (const { body, position, attitude, gone } of poses) {
    bytes.writeUInt16LE(body, at);
    bytes.writeUInt16LE((attitude ? 1 : 0) | (gone ? 2 : 0), at + 2);
    position.forEach((value, i) => bytes.writeDoubleLE(value, at + 4 + 8 * i));
    (attitude ?? [1, 0, 0, 0]).forEach((value, i) => bytes.writeFloatLE(value, at + 28 + 4 * i));
    at += 44;
  }
  for (const [signal, value] of values) {
    bytes.writeUInt32LE(signal, at);
    bytes.writeDoubleLE(value, at + 4);
    at += 12;
  }
  for (const link of active) {
    bytes.writeUInt32LE(link, at);
    at += 4;
  }
  for (const { requirement, state: lamp, margin } of lamps) {
    bytes.writeUInt16LE(requirement, at);
    bytes.writeUInt8(lamp, at + 2);
    bytes.writeDoubleLE(margin, at + 4);
    at += 12;
  }
  return bytes;
}

export function series(signal, points, request, replaces) {
  const bytes = Buffer.alloc(16 + points.length * 24);
  bytes.writeUInt8(2, 0);
  bytes.writeUInt8(replaces ? 1 : 0, 1);
  bytes.writeUInt32LE(signal, 4);
  bytes.writeUInt32LE(points.length, 8);
  bytes.writeUInt32LE(request, 12);
  points.forEach((point, i) => point.forEach((value, k) => bytes.writeDoubleLE(value, 16 + 24 * i + 8 * k)));
  return bytes;
}

export function window(request, frames) {
  const head = Buffer.alloc(12);
  head.writeUInt8(3, 0);
  head.writeUInt32LE(request, 4);
  head.writeUInt32LE(frames.length, 8);
  const parts = [head];
  for (const one of frames) {
    const length = Buffer.alloc(4);
    length.writeUInt32LE(one.length, 0);
    parts.push(length, one);
  }
  return Buffer.concat(parts);
}

export function ground({ rows, columns, north, east, stepNorth, stepEast, down }) {
  const bytes = Buffer.alloc(44 + rows * columns * 4);
  bytes.writeUInt8(4, 0);
  bytes.writeUInt32LE(rows, 4);
  bytes.writeUInt32LE(columns, 8);
  [north, east, stepNorth, stepEast].forEach((value, i) => bytes.writeDoubleLE(value, 12 + 8 * i));
  down.forEach((value, i) => bytes.writeFloatLE(value, 44 + 4 * i));
  return bytes;
}

export function scans(sensor, request, list) {
  const head = Buffer.alloc(12);
  head.writeUInt8(6, 0);
  head.writeUInt16LE(sensor, 2);
  head.writeUInt32LE(request, 4);
  head.writeUInt32LE(list.length, 8);
  const parts = list.map(([time, distances]) => {
    const bytes = Buffer.alloc(12 + 4 * distances.length);
    bytes.writeDoubleLE(time, 0);
    bytes.writeUInt32LE(distances.length, 8);
    distances.forEach((value, i) => bytes.writeFloatLE(value, 12 + 4 * i));
    return bytes;
  });
  return Buffer.concat([head, ...parts]);
}

export function beams(sensor, distances) {
  const bytes = Buffer.alloc(8 + 4 * distances.length);
  bytes.writeUInt8(5, 0);
  bytes.writeUInt16LE(sensor, 2);
  bytes.writeUInt32LE(distances.length, 4);
  distances.forEach((value, i) => bytes.writeFloatLE(value, 8 + 4 * i));
  return bytes;
}
