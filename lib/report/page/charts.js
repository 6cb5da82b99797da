// Charts in SVG and HTML: lines over steps, bars, confusion tables.

/// Round tick positions from `low` to `high`, about `count` of them.
function ticks(low, high, count) {
  const raw = (high - low) / count || 1;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((f) => f * power).find((s) => s >= raw);
  const list = [];
  for (let t = Math.ceil(low / step) * step; t <= high + step * 1e-6; t += step) list.push(Number(t.toPrecision(10)));
  return list;
}

/// Accuracy after each step, with the ANN's as a dashed line.
function accuracyChart(plot, byStep, annAccuracy) {
  const width = 580, height = 300, left = 44, right = 16, top = 16, bottom = 34;
  const last = byStep.length;
  const low = Math.floor(Math.min(...byStep, annAccuracy ?? 1) * 10) / 10;
  const x = (step) => left + ((step - 1) / Math.max(1, last - 1)) * (width - left - right);
  const y = (value) => top + ((1 - value) / Math.max(1e-9, 1 - low)) * (height - top - bottom);
  const told = `Accuracy over steps: ${percent(byStep[0])} after the first, ${percent(byStep[last - 1])} after step ${last}` + (annAccuracy === undefined ? "" : `; ANN ${percent(annAccuracy)}`);
  const svg = element("svg", { class: "chart", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": told });
  for (const tick of ticks(low, 1, 5))
    svg.append(
      element("line", { x1: left, x2: width - right, y1: y(tick), y2: y(tick), stroke: "var(--line)" }),
      element("text", { x: left - 7, y: y(tick) + 4, "text-anchor": "end" }, `${Number((tick * 100).toFixed(1))} %`));
  for (const tick of new Set([1, ...ticks(1, last, 8).filter((t) => Number.isInteger(t) && t > 1)]))
    svg.append(element("text", { x: x(tick), y: height - 16, "text-anchor": "middle" }, tick));
  svg.append(element("text", { x: (left + width - right) / 2, y: height - 1, "text-anchor": "middle" }, "step"));
  if (annAccuracy !== undefined)
    svg.append(
      element("line", { x1: left, x2: width - right, y1: y(annAccuracy), y2: y(annAccuracy), stroke: "var(--ann)", "stroke-width": 1.6, "stroke-dasharray": "6 5" }),
      element("text", { x: width - right, y: y(annAccuracy) + 17, "text-anchor": "end", style: "fill:var(--ann)" }, `ANN ${percent(annAccuracy)}`));
  const path = byStep.map((value, i) => `${i ? "L" : "M"}${x(i + 1).toFixed(1)} ${y(value).toFixed(1)}`).join("");
  svg.append(element("path", { d: path, fill: "none", stroke: "var(--snn)", "stroke-width": 2.4, "stroke-linejoin": "round" }));
  const dot = element("circle", { cx: x(last), cy: y(byStep[last - 1]), r: 4.5, fill: "var(--snn)" });
  svg.append(dot);
  svg.addEventListener("mousemove", (event) => {
    const box = svg.getBoundingClientRect();
    const share = ((event.clientX - box.left) * width / box.width - left) / (width - left - right);
    const step = Math.max(1, Math.min(last, Math.round(1 + share * (last - 1))));
    dot.setAttribute("cx", x(step));
    dot.setAttribute("cy", y(byStep[step - 1]));
    showTip(event, `step ${step}: ${percent(byStep[step - 1])}`);
  });
  svg.addEventListener("mouseleave", () => showTip());
  plot.replaceChildren(svg);
}

/// The intervals of one population; bars are as high as their share of all intervals by their width.
function intervalChart({ name, from, counts }, { logarithmic, step_ms: stepMs }) {
  const width = 380, height = 180, left = 12, right = 12, top = 26, bottom = 34;
  const total = counts.reduce((a, b) => a + b, 0);
  const place = logarithmic ? (step) => Math.log2(step + 1) : (step) => step;
  const end = place(from[from.length - 1]), start = place(from[0]);
  const x = (step) => left + ((place(step) - start) / (end - start)) * (width - left - right);
  const heights = counts.map((count, i) => count / total / (place(from[i + 1]) - place(from[i])));
  const most = Math.max(...heights);
  const svg = element("svg", { class: "chart", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `Intervals of ${name}` },
    element("text", { x: left, y: 14, style: "fill:var(--ink);font-weight:600" }, name));
  counts.forEach((count, i) => {
    const tall = (height - top - bottom) * heights[i] / most, last = from[i + 1] - 1;
    const bar = element("rect", { x: x(from[i]), width: Math.max(0.5, x(from[i + 1]) - x(from[i]) - 0.7), y: height - bottom - tall, height: tall, fill: "var(--snn)" });
    const steps = from[i] === last ? `${last} step${last === 1 ? "" : "s"}` : `${from[i]} to ${last} steps`;
    bar.addEventListener("mousemove", (event) => showTip(event, `${steps}: ${number(count)} (${percent(count / total, 1)})`));
    bar.addEventListener("mouseleave", () => showTip());
    svg.append(bar);
  });
  svg.append(element("line", { x1: left, x2: width - right, y1: height - bottom, y2: height - bottom, stroke: "var(--line)" }));
  const marks = logarithmic ? from.slice(0, -1).filter((step) => Number.isInteger(Math.log2(step)) && Math.log2(step) % 2 === 0)
    : ticks(from[0], from[from.length - 1] - 1, 6).filter(Number.isInteger);
  for (const step of marks)
    svg.append(element("text", { x: (x(step) + (logarithmic ? x(step) : x(step + 1))) / 2, y: height - 18, "text-anchor": "middle" }, step));
  svg.append(element("text", { x: (left + width - right) / 2, y: height - 3, "text-anchor": "middle" }, `interval in steps of ${number(stepMs)} ms`));
  return svg;
}

/// Rows are labels, columns answers; right answers blue, wrong ones orange, by share of the row.
function confusionTable(plot, table) {
  const head = element("tr", {}, element("th", {}, ""), ...table[0].map((_, answer) => element("th", { scope: "col" }, answer)));
  const rows = table.map((counts, label) => {
    const total = counts.reduce((a, b) => a + b, 0) || 1;
    const cells = counts.map((count, answer) => {
      const share = count / total;
      const strength = label === answer ? 12 + 78 * share : count ? 10 + 320 * share : 0;
      const colour = `color-mix(in srgb, var(${label === answer ? "--snn" : "--ann"}) ${Math.min(85, strength)}%, var(--card))`;
      const ink = strength > 45 ? "var(--card)" : count ? "var(--ink)" : "var(--line)";
      return element("td", { style: `background:${colour};color:${ink}`, title: `label ${label}, answer ${answer}: ${count} (${percent(share, 1)})` }, count);
    });
    return element("tr", {}, element("th", { scope: "row" }, label), ...cells);
  });
  plot.replaceChildren(element("table", { class: "confusion" }, element("thead", {}, head), element("tbody", {}, ...rows)));
}

/// Horizontal bars: rows of {name, quantity, note}, longest first.
function barList(plot, rows) {
  const most = Math.max(...rows.map((row) => row.quantity.value), 1e-300);
  const total = rows.reduce((sum, row) => sum + row.quantity.value, 0) || 1;
  const list = element("div", { class: "bars" });
  for (const row of [...rows].sort((a, b) => b.quantity.value - a.quantity.value)) {
    const [value, unit] = scaled(row.quantity);
    list.append(
      element("span", {}, row.name),
      element("div", { style: `width:${(100 * row.quantity.value / most).toFixed(2)}%` }),
      element("span", {}, `${value} ${unit} · ${percent(row.quantity.value / total, 1)}`),
      element("em", {}, row.note));
  }
  plot.replaceChildren(list);
}

