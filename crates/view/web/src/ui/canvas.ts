/** A canvas that keeps the size of its box and draws in CSS pixels. */
export class Chart {
  readonly canvas = document.createElement("canvas");

  constructor(private readonly draw: (context: CanvasRenderingContext2D, width: number, height: number) => void) {
    new ResizeObserver(() => this.redraw()).observe(this.canvas);
  }

  redraw(): void {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (width === 0 || height === 0) return;
    const ratio = window.devicePixelRatio;
    if (this.canvas.width !== Math.round(width * ratio) || this.canvas.height !== Math.round(height * ratio)) {
      this.canvas.width = Math.round(width * ratio);
      this.canvas.height = Math.round(height * ratio);
    }
    const context = this.canvas.getContext("2d")!;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    context.font = "11px system-ui, sans-serif";
    context.textBaseline = "middle";
    this.draw(context, width, height);
  }
}
