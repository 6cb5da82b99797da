// Accuracy as the chip delivers the spikes, and with its memory cells.

/// Accuracy against the time of a step (logarithmic), with the ideal as a dashed line and the knee.
function stepTimeChart({ delivered, ideal_accuracy: ideal, knee }) {
  const width = 580, height = 280, left = 48, right = 16, top = 18, bottom = 36;
  const byStep = [...delivered].sort((a, b) => a.step.value - b.step.value), steps = byStep.map((point) => point.step.value);
  const low = Math.floor(Math.min(ideal, ...byStep.map((point) => point.accuracy)) * 10) / 10;
  const span = Math.log(steps[steps.length - 1] / steps[0]) || 1;
  const x = (step) => left + 10 + (Math.log(step / steps[0]) / span) * (width - left - right - 20);
  const y = (value) => top + ((1 - value) / Math.max(1e-9, 1 - low)) * (height - top - bottom);
  const told = byStep.map((point) => `${scaled(point.step).join(" ")}: ${percent(point.accuracy)}`).join(", ");
  const svg = element("svg", { class: "chart", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `Accuracy by time of a step; ${told}; ideally ${percent(ideal)}` });
  for (const tick of ticks(low, 1, 5))
    svg.append(element("line", { x1: left, x2: width - right, y1: y(tick), y2: y(tick), stroke: "var(--line)" }),
      element("text", { x: left - 7, y: y(tick) + 4, "text-anchor": "end" }, `${Number((tick * 100).toFixed(1))} %`));
  svg.append(element("line", { x1: left, x2: width - right, y1: y(ideal), y2: y(ideal), stroke: "var(--ann)", "stroke-width": 1.6, "stroke-dasharray": "6 5" }),
    element("text", { x: left + 6, y: y(ideal) - 6, style: "fill:var(--ann)" }, `every spike in its step: ${percent(ideal)}`));
  if (knee)
    svg.append(element("line", { x1: x(knee.value), x2: x(knee.value), y1: top, y2: height - bottom, stroke: "var(--good)", "stroke-dasharray": "2 4" }),
      element("text", { x: x(knee.value), y: top - 6, "text-anchor": "middle", style: "fill:var(--good)" }, "knee"));
  const line = byStep.map((point, i) => `${i ? "L" : "M"}${x(point.step.value).toFixed(1)} ${y(point.accuracy).toFixed(1)}`).join("");
  svg.append(element("path", { d: line, fill: "none", stroke: "var(--snn)", "stroke-width": 2.4, "stroke-linejoin": "round" }));
  let written = -Infinity;
  for (const point of byStep) {
    const dot = element("circle", { cx: x(point.step.value), cy: y(point.accuracy), r: 4.5, fill: "var(--snn)" });
    dot.addEventListener("mousemove", (event) => showTip(event, `${scaled(point.step).join(" ")}: ${percent(point.accuracy)}`));
    dot.addEventListener("mouseleave", () => showTip());
    svg.append(dot);
    if (x(point.step.value) - written < 52) continue;
    written = x(point.step.value);
    svg.append(element("text", { x: written, y: height - 18, "text-anchor": "middle" }, scaled(point.step).join(" ")));
  }
  svg.append(element("text", { x: (left + width - right) / 2, y: height - 2, "text-anchor": "middle" }, "time of a step"));
  return svg;
}

function fillAssessment() {
  if (!assessment) return;
  const { delivered, devices, knee } = assessment;
  const late = ` A spike whose row is read after its step ` +
    (assessment.late === "drop" ? "is lost." : "counts in the update after the reading, or is lost when the sample ends before.");
  const { plot } = openCard("assessment",
    `${percent(assessment.ideal_accuracy)} ideally, on ${number(assessment.samples)} samples.` + (delivered.length ? late : "") +
    (devices.length ? " With the chip's memory cells: mean and standard deviation over seeds, every spike in its step." : "") +
    (knee ? ` Knee: ${scaled(knee).join(" ")}, the shortest step of which neither it nor a longer one costs more than a point.` : ""));
  const share = (part, all) => all ? percent(part / all, 2) : "";
  const rows = delivered.flatMap((point) => point.layers.filter((layer) => layer.spikes + layer.partial_sums).map((layer, index) =>
    tableRow("td", [index ? "" : scaled(point.step).join(" "), index ? "" : percent(point.accuracy), index ? "" : points(point.loss_points.value), layer.name,
      number(layer.spikes), share(layer.late_spikes, layer.spikes), share(layer.lost_spikes, layer.spikes), number(layer.partial_sums),
      share(layer.late_partial_sums, layer.partial_sums), share(layer.lost_partial_sums, layer.partial_sums)], (column) => column !== 3)));
  const head = ["Step", "Accuracy", "Lost", "Layer", "Spikes at crossbars", "Late", "Lost", "Partial sums", "Late", "Lost"];
  const table = (names, body, isNumber) => element("table", {}, element("thead", {}, tableRow("th", names, isNumber)), element("tbody", {}, ...body));
  const cells = devices.map((point) => tableRow("td", [percent(point.variation), point.adc_bits || "exact", percent(point.accuracy),
    points(point.deviation_points.value), percent(point.same_spikes), number(point.seeds)], () => true));
  plot.replaceChildren(...(delivered.length > 1 ? [element("div", { class: "charts wide" }, stepTimeChart(assessment))] : []), ...(delivered.length ? [table(head, rows, (column) => column !== 3)] : []),
    ...(devices.length ? [table(["Variation", "ADC bits", "Accuracy", "Deviation", "Samples with the ideal spikes", "Seeds"], cells, () => true)] : []));
}
