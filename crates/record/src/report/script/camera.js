// An eye that looks at a point of a scene. Places are east, north, up in m.

/** Half of the angle that the shorter side of the picture sees. */
const halfAngle = (17 * Math.PI) / 180;

class Camera {
  constructor() {
    /** What it looks at. */
    this.target = [0, 0, 0];
    /** How far it is from there. */
    this.distance = 10;
    /** Where it looks: 0 to the north, a quarter turn to the west; and how steeply down. */
    this.heading = 0;
    this.steepness = 0.6;
    /** By how much heights are drawn larger than they are. */
    this.stretch = 1;
    [this.width, this.height] = [1, 1];
  }

  /** Its right, its up and its forward; called once before a picture is drawn. */
  prepare(width, height) {
    [this.width, this.height] = [width, height];
    const [sinH, cosH] = [Math.sin(this.heading), Math.cos(this.heading)];
    const [sinS, cosS] = [Math.sin(this.steepness), Math.cos(this.steepness)];
    this.right = [cosH, sinH, 0];
    this.up = [-sinH * sinS, cosH * sinS, cosS];
    this.forward = [-sinH * cosS, cosH * cosS, -sinS];
    this.focus = Math.min(width, height) / 2 / Math.tan(halfAngle);
    this.near = this.distance * 0.02;
  }

  /** A place as the eye sees it: to the right, up, away. */
  seen([east, north, up]) {
    const [x, y, z] = [east - this.target[0], north - this.target[1], (up - this.target[2]) * this.stretch];
    const along = (axis) => x * axis[0] + y * axis[1] + z * axis[2];
    return [along(this.right), along(this.up), along(this.forward) + this.distance];
  }

  /** Where on the picture something is seen; it must be before the eye. */
  onPicture([right, up, away]) {
    return [this.width / 2 + (this.focus * right) / away, this.height / 2 - (this.focus * up) / away];
  }

  /** Where on the picture a place is; nothing if it is behind the eye. */
  project(place) {
    const seen = this.seen(place);
    return seen[2] > this.near ? this.onPicture(seen) : null;
  }

  /** Where the line from `a` to `b`, as the eye sees them, crosses the plane before the eye. */
  crossing(a, b) {
    const share = (this.near - a[2]) / (b[2] - a[2]);
    return [a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1]), this.near];
  }

  /** Looks at a box so that all of it is seen. */
  frame(low, high) {
    this.target = low.map((part, axis) => (part + high[axis]) / 2);
    const sides = high.map((part, axis) => (part - low[axis]) * (axis === 2 ? this.stretch : 1));
    this.distance = Math.max(Math.hypot(...sides) / 2, 0.5) / Math.sin(halfAngle);
  }

  turn(heading, steepness) {
    this.heading = (this.heading + heading) % (2 * Math.PI);
    this.steepness = clamp(this.steepness + steepness, -Math.PI / 2, Math.PI / 2);
  }

  /** Moves what is looked at, by shares of the distance. */
  move(right, up) {
    const [r, u] = [right * this.distance, up * this.distance];
    this.target = this.target.map((part, axis) => {
      const step = this.right[axis] * r + this.up[axis] * u;
      return part + (axis === 2 ? step / this.stretch : step);
    });
  }
}
