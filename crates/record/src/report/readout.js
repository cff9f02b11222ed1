// Shows the numbers under the pointer. The points are those of the drawn paths; the first series is drawn
// last, on top.
for (const plot of document.querySelectorAll("figure.plot")) {
  const canvas = plot.querySelector(".canvas");
  const cursor = plot.querySelector(".cursor");
  const { x0, x1, y0, y1, xs, xu, yu } = plot.dataset;
  let series = null;
  const read = () =>
    [...plot.querySelectorAll("path[data-name]")].reverse().map((path) => ({
      name: path.dataset.name,
      points: [...path.getAttribute("d").matchAll(/(-?[\d.]+),(-?[\d.]+)/g)].map((m) => [+m[1], +m[2]]),
    }));
  const text = (number) => String(+number.toPrecision(4)).replace("-", "−");
  canvas.addEventListener("pointermove", (event) => {
    series ??= read();
    const box = canvas.getBoundingClientRect();
    const share = Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
    const lines = [`${text((+x0 + share * (x1 - x0)) / xs)} ${xu}`];
    for (const { name, points } of series) {
      let low = 0;
      let high = points.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (points[middle][0] <= share * 1000) low = middle + 1;
        else high = middle;
      }
      if (low === 0) continue;
      const value = +y0 + (1 - points[low - 1][1] / 1000) * (y1 - y0);
      lines.push(`${name}: ${text(value)} ${yu}`.trimEnd());
    }
    const label = document.createElement("div");
    label.textContent = lines.join("\n");
    cursor.replaceChildren(label);
    cursor.style.left = `${share * 100}%`;
    cursor.classList.toggle("left", share > 0.6);
    cursor.hidden = false;
  });
  canvas.addEventListener("pointerleave", () => (cursor.hidden = true));
}
