// What is drawn of a scene: the ground, the sea, what stands there, and where bodies were.

const numbersOfPose = 7;
/** The size of a body in the picture, in pixels. */
const sizeOfBody = 22;

/** Lines that are embedded as north, east, down; a gap ends each. */
function linesOf(text) {
  const numbers = floats(text);
  const lines = [];
  let line = [];
  for (let i = 0; i + 2 < numbers.length; i += 3) {
    if (Number.isFinite(numbers[i])) line.push([numbers[i + 1], numbers[i], -numbers[i + 2]]);
    else {
      lines.push(line);
      line = [];
    }
  }
  return lines;
}

/** A track with the places of its body. */
function trackOf(item) {
  const numbers = floats(item.dataset.poses);
  const count = numbers.length / numbersOfPose;
  const at = (pose, part) => numbers[pose * numbersOfPose + part];
  const places = Array.from({ length: count }, (_, pose) => [at(pose, 2), at(pose, 1), -at(pose, 3)]);
  const attitudes = Array.from({ length: count }, (_, pose) => [at(pose, 4), at(pose, 5), at(pose, 6)]);
  const times = Float64Array.from({ length: count }, (_, pose) => at(pose, 0));
  const { track: name, colour, dashed } = item.dataset;
  return { name, colour: `--c${colour}`, isDashed: dashed !== undefined, times, places, attitudes };
}

/** Where a body is at an instant, and how it is turned: x, y, z of a quaternion. */
function poseAt({ times, places, attitudes }, time) {
  const count = countUntil(times, time);
  if (count === 0) return { place: places[0], attitude: attitudes[0], count: 1 };
  if (count === times.length) return { place: places[count - 1], attitude: attitudes[count - 1], count };
  const share = (time - times[count - 1]) / (times[count] - times[count - 1]);
  const between = (a, b) => a.map((part, axis) => part + share * (b[axis] - part));
  const nearest = share < 0.5 ? count - 1 : count;
  return { place: between(places[count - 1], places[count]), attitude: attitudes[nearest], count };
}

/** A vector of a body (forward, starboard, down) to east, north, up. */
function turned([x, y, z], [a, b, c]) {
  const w = Math.sqrt(Math.max(0, 1 - x * x - y * y - z * z));
  const [p, q, r] = [2 * (y * c - z * b), 2 * (z * a - x * c), 2 * (x * b - y * a)];
  const [north, east, down] = [a + w * p + y * r - z * q, b + w * q + z * p - x * r, c + w * r + x * q - y * p];
  return [east, north, -down];
}

class Scene {
  constructor(figure) {
    this.tracks = [...figure.querySelectorAll("[data-track]")].map(trackOf).filter(({ places }) => places.length > 0);
    const { ground, sea, groundLines, fixedLines, planLines } = figure.dataset;
    this.ground = ground === undefined ? null : -ground;
    this.sea = sea === undefined ? null : -sea;
    this.groundLines = linesOf(groundLines);
    this.fixedLines = linesOf(fixedLines);
    this.planLines = linesOf(planLines);
    const places = this.tracks.flatMap(({ places }) => places);
    const reach = (pick, start) => [0, 1, 2].map((axis) => places.reduce((sum, place) => pick(sum, place[axis]), start));
    [this.low, this.high] = [reach(Math.min, Infinity), reach(Math.max, -Infinity)];
    const times = this.tracks.flatMap(({ times }) => [times[0], times[times.length - 1]]);
    this.span = [Math.min(...times), Math.max(...times)];
    // A level on which heights can be read: the ground, if it is not far away.
    const size = Math.max(...this.high.map((high, axis) => high - this.low[axis]), 1);
    const isNear = this.ground !== null && this.low[2] - this.ground < 2 * size;
    this.floor = isNear ? Math.min(this.ground, this.low[2]) : this.low[2];
    const side = Math.max(this.high[0] - this.low[0], this.high[1] - this.low[1], size / 3) * 1.5;
    this.step = roundStep(side / 12);
    const even = (number) => Math.round(number / this.step) * this.step;
    const middle = [0, 1].map((axis) => even((this.low[axis] + this.high[axis]) / 2));
    const half = Math.ceil(side / 2 / this.step) * this.step;
    this.plate = [middle.map((part) => part - half), middle.map((part) => part + half)];
  }

  /** The box that is to be seen. */
  get box() {
    return [[this.low[0], this.low[1], Math.min(this.low[2], this.floor)], this.high];
  }

  draw(context, camera, time, colours) {
    const pen = new Pen(context, camera);
    const isSubmerged = this.sea !== null && this.low[2] < this.sea;
    const drawSea = () => {
      if (this.sea !== null) pen.area(this.corners(this.sea), colours("--sea"), 0.22);
    };
    if (this.ground !== null && this.floor === Math.min(this.ground, this.low[2])) pen.area(this.corners(this.floor), colours("--ground"), 0.7);
    for (const line of this.plateLines()) pen.line(line, colours("--ground-line"), 1, 0.55);
    for (const line of this.groundLines) pen.line(line, colours("--ground-line"), 1, 0.8);
    for (const line of this.fixedLines) pen.line(line, colours("--fixed"), 1.2, 0.9);
    for (const line of this.planLines) pen.line(line, colours("--plan"), 1.4, 0.8, [5, 4]);
    if (!isSubmerged) drawSea();
    for (const track of this.tracks) {
      const colour = colours(track.colour);
      const { place, count } = poseAt(track, time);
      const below = track.places.map(([east, north]) => [east, north, this.floor]);
      pen.line(below, colours("--faint"), 1, 0.35);
      pen.line(track.places, colour, 1.5, 0.4, track.isDashed ? [5, 4] : []);
      pen.line([...track.places.slice(0, count), place], colour, 2.6, 1, track.isDashed ? [5, 4] : []);
      pen.line([place, [place[0], place[1], this.floor]], colour, 1, 0.8, [2, 3]);
    }
    if (isSubmerged) drawSea();
    for (const track of this.tracks) pen.body(poseAt(track, time), colours(track.colour), colours("--field"));
    pen.names(this.tracks.map((track) => [track.name, poseAt(track, time).place]), colours("--text"), colours("--field"));
    pen.compass(colours("--text"), `grid ${shown(this.step)} m`);
  }

  corners(up) {
    const [[west, south], [east, north]] = this.plate;
    return [[west, south, up], [east, south, up], [east, north, up], [west, north, up]];
  }

  plateLines() {
    const [[west, south], [east, north]] = this.plate;
    const lines = [];
    for (let x = west; x <= east + this.step / 2; x += this.step) lines.push([[x, south, this.floor], [x, north, this.floor]]);
    for (let y = south; y <= north + this.step / 2; y += this.step) lines.push([[west, y, this.floor], [east, y, this.floor]]);
    return lines;
  }
}

/** Draws things of a scene on a picture. */
class Pen {
  constructor(context, camera) {
    [this.context, this.camera] = [context, camera];
  }

  line(places, colour, width, alpha, dashes = []) {
    const { context, camera } = this;
    context.beginPath();
    let before = null;
    for (const place of places) {
      const seen = camera.seen(place);
      const isBefore = seen[2] > camera.near;
      if (before) {
        const wasBefore = before[2] > camera.near;
        if (isBefore && !wasBefore) context.moveTo(...camera.onPicture(camera.crossing(before, seen)));
        if (isBefore) context.lineTo(...camera.onPicture(seen));
        else if (wasBefore) context.lineTo(...camera.onPicture(camera.crossing(before, seen)));
      } else if (isBefore) context.moveTo(...camera.onPicture(seen));
      before = seen;
    }
    context.setLineDash(dashes);
    context.lineJoin = "round";
    Object.assign(context, { strokeStyle: colour, lineWidth: width, globalAlpha: alpha });
    context.stroke();
    context.setLineDash([]);
    context.globalAlpha = 1;
  }

  area(corners, colour, alpha) {
    const { context, camera } = this;
    const seen = corners.map((corner) => camera.seen(corner));
    const cut = seen.flatMap((corner, number) => {
      const next = seen[(number + 1) % seen.length];
      const [isBefore, comesBefore] = [corner[2] > camera.near, next[2] > camera.near];
      const kept = isBefore ? [corner] : [];
      return isBefore === comesBefore ? kept : [...kept, camera.crossing(corner, next)];
    });
    if (cut.length < 3) return;
    context.beginPath();
    for (const corner of cut) context.lineTo(...camera.onPicture(corner));
    context.closePath();
    Object.assign(context, { fillStyle: colour, globalAlpha: alpha });
    context.fill();
    context.globalAlpha = 1;
  }

  /** An arrowhead with a fin, turned like the body; a dot where nobody knows how it is turned. */
  body({ place, attitude }, colour, edge) {
    const { context, camera } = this;
    const middle = camera.seen(place);
    if (middle[2] <= camera.near) return;
    const size = (sizeOfBody * middle[2]) / camera.focus;
    Object.assign(context, { fillStyle: colour, strokeStyle: edge, lineWidth: 1.5 });
    if (!Number.isFinite(attitude[0])) {
      context.beginPath();
      context.arc(...camera.onPicture(middle), 6, 0, 2 * Math.PI);
      context.fill();
      context.stroke();
      return;
    }
    // The body keeps its form where heights are stretched.
    const corner = (part) => {
      const [east, north, up] = turned(attitude, part).map((length) => length * size);
      return camera.project([place[0] + east, place[1] + north, place[2] + up / camera.stretch]);
    };
    const shape = (...parts) => {
      const corners = parts.map(corner);
      if (corners.includes(null)) return;
      context.beginPath();
      for (const point of corners) context.lineTo(...point);
      context.closePath();
      context.fill();
      context.stroke();
    };
    const [nose, tail] = [[1.1, 0, 0], [-0.45, 0, 0]];
    shape(nose, [-0.85, -0.75, 0], tail);
    shape(nose, [-0.85, 0.75, 0], tail);
    shape([0.1, 0, 0], [-0.75, 0, -0.55], tail);
  }

  /** Names beside bodies; one that would cover another is left out. */
  names(named, colour, halo) {
    const { context, camera } = this;
    context.font = "12px system-ui, sans-serif";
    const taken = [];
    for (const [name, place] of named) {
      const at = camera.project(place);
      if (!at) continue;
      const [left, top] = [at[0] + 14, at[1] - 12];
      const right = left + context.measureText(name).width;
      if (taken.some((box) => left < box.right && right > box.left && Math.abs(top - box.top) < 14)) continue;
      taken.push({ left, right, top });
      Object.assign(context, { strokeStyle: halo, fillStyle: colour, lineWidth: 3 });
      context.strokeText(name, left, top);
      context.fillText(name, left, top);
    }
  }

  /** Which way is north, east and up, and how wide the grid is. */
  compass(colour, text) {
    const { context, camera } = this;
    const [x, y] = [44, camera.height - 44];
    Object.assign(context, { strokeStyle: colour, fillStyle: colour, lineWidth: 1.5 });
    context.font = "11px system-ui, sans-serif";
    for (const [axis, name] of ["E", "N", "up"].entries()) {
      const [right, up] = [camera.right[axis], camera.up[axis]];
      if (Math.hypot(right, up) < 0.12) continue;
      context.beginPath();
      context.moveTo(x, y);
      context.lineTo(x + right * 26, y - up * 26);
      context.stroke();
      context.fillText(name, x + right * 35 - 4, y - up * 35 + 4);
    }
    context.fillText(text, 90, camera.height - 12);
  }
}
