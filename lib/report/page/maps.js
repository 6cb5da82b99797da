// Maps on canvases: spike raster, traffic matrix; the mesh is in chip/mesh.js. Each redraws on resize and on a change of the
// colour scheme.

/// A canvas of the plot's width; `draw(context, width, height)`, `height(width)`, `hover(x, y)` → text.
/// `told` stands for it where it is not seen. Gives back the canvas, and what draws it again.
function canvasFigure(plot, height, draw, hover, told) {
  const canvas = element("canvas", { role: "img", "aria-label": told });
  plot.replaceChildren(canvas);
  const redraw = () => {
    const width = plot.clientWidth, tall = height(width), ratio = devicePixelRatio || 1;
    if (!width) return;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(tall * ratio);
    canvas.style.height = `${tall}px`;
    const context = canvas.getContext("2d");
    context.scale(ratio, ratio);
    context.font = "11.5px " + getComputedStyle(document.body).fontFamily;
    draw(context, width, tall);
  };
  new ResizeObserver(redraw).observe(plot);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
  canvas.addEventListener("mousemove", (event) => {
    const box = canvas.getBoundingClientRect();
    showTip(event, hover(event.clientX - box.left, event.clientY - box.top));
  });
  canvas.addEventListener("mouseleave", () => showTip());
  redraw();
  return { canvas, redraw };
}

/// Square root of the share: spreads the many small loads without hiding the few large ones.
const shareOf = (value, most) => (most > 0 ? Math.sqrt(value / most) : 0);

function addLegend(plot, most, unit) {
  plot.querySelector(".legend")?.remove();
  plot.append(element("div", { class: "legend" }, "0",
    element("i", { style: "background:linear-gradient(90deg,var(--ramp))" }), `${number(most)} ${unit} (square-root scale)`));
}

/// Populations one above the other, a dot for every spike.
function rasterMap(plot, raster) {
  const left = 148, right = 10, gap = 10, axis = 30;
  const bands = raster.populations.map((p) => Math.max(24, Math.min(150, p.rows)));
  const tall = bands.reduce((sum, band) => sum + band + gap, 0) + axis;
  const draw = (context, width, height) => {
    const hues = colours("--hues"), soft = styleOf("--soft"), shade = styleOf("--shade"), ink = styleOf("--ink");
    const stepWidth = (width - left - right) / raster.steps;
    let top = 0;
    raster.populations.forEach((population, i) => {
      const rowHeight = bands[i] / population.rows;
      context.fillStyle = shade;
      context.fillRect(left, top, width - left - right, bands[i]);
      context.fillStyle = hues[i % hues.length];
      const w = Math.max(1, Math.min(5, stepWidth * 0.7)), h = Math.max(1, Math.min(5, rowHeight * 0.85));
      for (let s = 0; s < population.spikes.length; s += 2)
        context.fillRect(left + (population.spikes[s] + 0.5) * stepWidth - w / 2, top + (population.spikes[s + 1] + 0.5) * rowHeight - h / 2, w, h);
      context.textAlign = "right";
      context.fillStyle = ink;
      context.fillText(shorten(population.name, 20), left - 10, top + bands[i] / 2 - 2);
      context.fillStyle = soft;
      context.fillText(`${number(population.spike_count)} spikes`, left - 10, top + bands[i] / 2 + 13);
      top += bands[i] + gap;
    });
    context.textAlign = "center";
    context.fillStyle = soft;
    for (const tick of new Set([1, ...ticks(1, raster.steps, 12).filter((t) => Number.isInteger(t) && t > 1)]))
      context.fillText(tick, left + (tick - 0.5) * stepWidth, height - 16);
    context.fillText("step", left + (width - left - right) / 2, height - 2);
  };
  const hover = (px, py) => {
    const step = Math.floor((px - left) / ((plot.clientWidth - left - right) / raster.steps));
    let top = 0;
    for (let i = 0; i < bands.length; top += bands[i] + gap, ++i)
      if (py >= top && py < top + bands[i] && step >= 0 && step < raster.steps) {
        const population = raster.populations[i];
        const neuron = Math.floor((py - top) / (bands[i] / population.rows)) * population.stride;
        return `${population.name}, neuron ${neuron}, step ${step + 1}`;
      }
  };
  canvasFigure(plot, () => tall, draw, hover, `Spikes by step: ` + raster.populations.map((p) => `${p.name} ${number(p.spike_count)}`).join(", "));
}

const shorten = (text, most) => (text.length > most ? "…" + text.slice(1 - most) : text);

/// A matrix of senders (rows) and receivers (columns); `cells` is [row, column, value, …], row −1 on top.
function matrixMap(plot, { bins, cells, rowName, columnName, unit, label }) {
  const left = 34, axis = 22, values = new Map();
  let most = 0, first = 0;
  for (let i = 0; i < cells.length; i += 3) {
    values.set(`${cells[i]},${cells[i + 1]}`, cells[i + 2]);
    most = Math.max(most, cells[i + 2]);
    first = Math.min(first, cells[i]);
  }
  const rows = bins - first;
  const cellOf = (width) => Math.min((width - left) / bins, 520 / rows, 48);
  const draw = (context, width) => {
    const ramp = colours("--ramp"), cell = cellOf(width);
    context.fillStyle = ramp[0];
    context.fillRect(left, axis, bins * cell, rows * cell);
    for (let i = 0; i < cells.length; i += 3) {
      context.fillStyle = rampColour(ramp, 0.12 + 0.88 * shareOf(cells[i + 2], most));
      context.fillRect(left + cells[i + 1] * cell, axis + (cells[i] - first) * cell, Math.max(1, cell - (cell > 6 ? 1 : 0)), Math.max(1, cell - (cell > 6 ? 1 : 0)));
    }
    context.fillStyle = styleOf("--soft");
    context.fillText(`${columnName} →`, left, axis - 8);
    context.save();
    context.translate(left - 10, axis);
    context.rotate(-Math.PI / 2);
    context.textAlign = "right";
    context.fillText(`← ${rowName}`, 0, 0);
    context.restore();
  };
  const hover = (px, py) => {
    const cell = cellOf(plot.clientWidth);
    const column = Math.floor((px - left) / cell), row = Math.floor((py - axis) / cell) + first;
    if (column < 0 || column >= bins || row < first || row >= bins) return;
    return `${label(row)} → ${label(column)}: ${number(values.get(`${row},${column}`) || 0)} ${unit}`;
  };
  let all = 0, fullest = 0;
  for (let i = 0; i < cells.length; i += 3) {
    all += cells[i + 2];
    if (cells[i + 2] > cells[fullest + 2]) fullest = i;
  }
  const told = `${number(all)} ${unit}` + (all ? `, most from ${label(cells[fullest])} to ${label(cells[fullest + 1])}: ${number(most)}` : "");
  canvasFigure(plot, (width) => axis + rows * cellOf(width) + 2, draw, hover, told);
  addLegend(plot, most, unit);
}
