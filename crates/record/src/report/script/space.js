// The trajectory in space: how it is turned, zoomed and played.

/** Seconds that a run takes to be played at most; shorter ones are played in real time. */
const longestPlay = 30;

class SpaceView {
  constructor(figure) {
    this.figure = figure;
    this.scene = new Scene(figure);
    this.camera = new Camera();
    this.time = this.scene.span[1];
    this.isPlaying = false;
    this.isAsked = false;
    this.build();
    this.reset();
    this.listenToPointers();
    this.listenToKeys();
    new ResizeObserver(() => this.draw()).observe(this.canvas);
    shared.listeners.push((what) => {
      if (what === "time" && shared.time !== null && !this.isPlaying) this.setTime(shared.time);
    });
  }

  build() {
    const button = (text, test, act, label = text) =>
      make("button", { type: "button", "data-test": test, "aria-label": label, onclick: act }, text);
    this.canvas = make("canvas", {
      tabindex: "0", role: "application", "data-test": "space-canvas",
      "aria-label": "Trajectory in three dimensions. Arrows turn it, plus and minus zoom, shift and arrows move it, "
        + "T shows it from above, S from the side, 0 resets it, space plays it. The table below has it in numbers.",
    });
    this.stretchButton = button("Stretch height", "view-stretch", () => this.toggleStretch());
    const views = make("div", { class: "views" },
      button("Top", "view-top", () => this.look(0, Math.PI / 2), "View from above"),
      button("Side", "view-side", () => this.look(0, 0), "View from the side"),
      button("Reset", "view-reset", () => this.reset(), "Reset the view"),
      this.stretchButton,
      button("+", "view-in", () => this.zoom(0.8), "Zoom in"),
      button("−", "view-out", () => this.zoom(1.25), "Zoom out"));
    this.playButton = button("▶ Play", "play", () => this.togglePlay());
    const [from, until] = this.scene.span;
    this.slider = make("input", {
      type: "range", min: from, max: until, step: "any", "aria-label": "Time", "data-test": "time-slider",
      oninput: () => {
        this.stop();
        shared.setTime(+this.slider.value);
        this.setTime(+this.slider.value);
      },
    });
    this.output = make("output", { "data-test": "time" });
    this.figure.querySelector("details").before(
      make("div", { class: "stage" }, this.canvas, views),
      make("div", { class: "player" }, this.playButton, this.slider, this.output),
      make("p", { class: "hint" }, "Drag to turn, with shift to move. Click, then use the wheel or + and − to zoom."));
  }

  /** Draws soon, once for all that changes until then. */
  draw() {
    if (this.isAsked) return;
    this.isAsked = true;
    requestAnimationFrame(() => {
      this.isAsked = false;
      const { canvas, camera } = this;
      const [width, height, ratio] = [canvas.clientWidth, canvas.clientHeight, window.devicePixelRatio || 1];
      if (width === 0) return;
      [canvas.width, canvas.height] = [Math.round(width * ratio), Math.round(height * ratio)];
      const context = canvas.getContext("2d");
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
      camera.prepare(width, height);
      this.scene.draw(context, camera, this.time, colourOf);
    });
  }

  setTime(time) {
    this.time = clamp(time, ...this.scene.span);
    this.slider.value = this.time;
    this.output.textContent = `${this.time.toFixed(this.scene.span[1] < 100 ? 2 : 1)} s`;
    this.slider.setAttribute("aria-valuetext", this.output.textContent);
    this.draw();
  }

  look(heading, steepness) {
    Object.assign(this.camera, { heading, steepness });
    this.camera.frame(...this.scene.box);
    this.draw();
  }

  reset() {
    this.camera.stretch = 1;
    this.stretchButton.setAttribute("aria-pressed", "false");
    this.stretchButton.textContent = "Stretch height";
    this.look(-0.5, 0.55);
    this.setTime(this.time);
  }

  /** Flat tracks are stretched until their height is a third of their width. */
  toggleStretch() {
    const { low, high } = this.scene;
    const wide = Math.max(high[0] - low[0], high[1] - low[1]);
    const isStretched = this.camera.stretch !== 1;
    const factor = clamp(Math.round(wide / 3 / Math.max(high[2] - low[2], 1e-3)), 2, 1000);
    this.camera.stretch = isStretched ? 1 : factor;
    this.stretchButton.setAttribute("aria-pressed", String(!isStretched));
    this.stretchButton.textContent = isStretched ? "Stretch height" : `Height × ${factor}`;
    this.look(this.camera.heading, this.camera.steepness);
  }

  zoom(factor) {
    this.camera.distance = clamp(this.camera.distance * factor, 0.1, 1e7);
    this.draw();
  }

  turn(heading, steepness) {
    this.camera.turn(heading, steepness);
    this.draw();
  }

  move(right, up) {
    this.camera.move(right, up);
    this.draw();
  }

  togglePlay() {
    if (this.isPlaying) {
      this.stop();
      return;
    }
    const [from, until] = this.scene.span;
    if (this.time >= until) this.setTime(from);
    this.isPlaying = true;
    this.playButton.textContent = "❚❚ Pause";
    this.playButton.setAttribute("aria-label", "Pause");
    const pace = Math.max(1, (until - from) / longestPlay);
    let before = null;
    const step = (now) => {
      if (!this.isPlaying) return;
      if (before !== null) this.setTime(this.time + ((now - before) / 1000) * pace);
      before = now;
      shared.setTime(this.time);
      if (this.time >= until) this.stop();
      else requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  }

  stop() {
    this.isPlaying = false;
    this.playButton.textContent = "▶ Play";
    this.playButton.setAttribute("aria-label", "Play");
  }

  listenToPointers() {
    const { canvas } = this;
    const pointers = new Map();
    const spread = ([a, b]) => Math.hypot(a.x - b.x, a.y - b.y);
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      canvas.focus({ preventScroll: true });
      pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    });
    canvas.addEventListener("pointermove", (event) => {
      const before = pointers.get(event.pointerId);
      if (!before) return;
      const now = { x: event.clientX, y: event.clientY };
      const [right, down] = [now.x - before.x, now.y - before.y];
      const apart = pointers.size === 2 ? spread([...pointers.values()]) : 0;
      pointers.set(event.pointerId, now);
      const share = 1 / this.camera.focus;
      if (pointers.size === 2) {
        this.zoom(apart / Math.max(1, spread([...pointers.values()])));
        this.move((-right / 2) * share, (down / 2) * share);
      } else if (event.shiftKey || event.buttons === 2) this.move(-right * share, down * share);
      else this.turn(-right * 0.008, down * 0.008);
    });
    for (const kind of ["pointerup", "pointercancel"]) canvas.addEventListener(kind, (event) => pointers.delete(event.pointerId));
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    // The wheel scrolls the page unless the picture was chosen before, or Ctrl is held.
    canvas.addEventListener("wheel", (event) => {
      if (document.activeElement !== canvas && !event.ctrlKey) return;
      event.preventDefault();
      this.zoom(1.0012 ** event.deltaY);
    }, { passive: false });
  }

  listenToKeys() {
    const arrow = (right, up) => (event) => (event.shiftKey ? this.move(right * 0.05, up * 0.05) : this.turn(right * 0.1, up * 0.1));
    const keys = {
      ArrowLeft: arrow(-1, 0), ArrowRight: arrow(1, 0), ArrowUp: arrow(0, 1), ArrowDown: arrow(0, -1),
      "+": () => this.zoom(0.8), "=": () => this.zoom(0.8), "-": () => this.zoom(1.25),
      0: () => this.reset(), t: () => this.look(0, Math.PI / 2), s: () => this.look(0, 0), " ": () => this.togglePlay(),
    };
    this.canvas.addEventListener("keydown", (event) => {
      const act = keys[event.key] ?? keys[event.key.toLowerCase()];
      if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      act(event);
    });
  }
}
