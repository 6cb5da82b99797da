// Fills the page from the report. A part whose stage is absent stays hidden.
const { report, figures } = JSON.parse(document.getElementById("data").textContent);
const { ann, conversion, snn, statistics, diagnosis, timing, partition, sdf, mapping, loads, chip, assessment, hardware } = report;

function fillHeader() {
  const stages = [["import", "ann"], ["convert", "conversion"], ["emulate", "snn"], ["diagnose", "diagnosis"], ["graph", "graph"],
    ["partition", "partition"], ["analyze", "sdf"], ["map", "mapping"], ["load", "loads"], ["simulate", "chip"], ["assess", "assessment"], ["hardware", "hardware"]];
  document.getElementById("stages").append(
    ...stages.filter(([name, section]) => !["diagnose", "load", "assess", "hardware"].includes(name) || report[section]).map(([name, section]) => element("li", report[section] ? { class: "done" } : {}, name)));
  const model = ann?.model.split("/").pop();
  document.getElementById("title").textContent = model || "Spindle report";
  document.title = model ? `${model} · Spindle report` : "Spindle report";
  const facts = [];
  if (snn) facts.push(`${number(snn.neurons)} neurons, ${number(snn.synapses)} synapses, ${number(snn.steps)} steps, ${snn.encoding} encoding`);
  const methods = { percentile: `scaled by the ${conversion?.percentile}th percentile`, max: "scaled by the maximum", calibrated: "calibrated layer by layer",
    first_spike: "coded by first spikes", none: "a spiking model" };
  if (conversion) facts.push(methods[conversion.method] || conversion.method);
  const held = conversion?.held_out;
  if (held) facts.push(`${held.loss_points.toFixed(2)} ± ${held.margin_points.toFixed(2)} points lost on ${held.samples} images kept back, ${held.proven ? "" : "not "}proven`);
  if (chip || mapping || loads) facts.push(`on ${chip?.name || mapping?.chip || loads.chip}`);
  document.getElementById("subtitle").textContent = facts.join(" · ");
}

/// One headline: label, value, unit, what it means.
function addTile(label, value, unit, meaning) {
  document.getElementById("tiles").append(
    element("div", { class: "tile" }, element("span", { class: "label" }, label),
      element("b", {}, value, ...(unit ? [element("small", {}, unit)] : [])), element("span", {}, meaning)));
}

function fillTiles() {
  if (ann) addTile("ANN accuracy", (ann.accuracy * 100).toFixed(2), "%", `${number(ann.samples)} test samples`);
  if (snn?.accuracy !== undefined) addTile(`SNN accuracy, T = ${snn.steps}`, (snn.accuracy * 100).toFixed(2), "%", `${number(snn.samples)} test samples`);
  if (snn?.loss_points)
    addTile("Loss", snn.loss_points.value.toFixed(2), "points",
      snn.steps_within_one_point ? `within one point from step ${snn.steps_within_one_point}` : "never within one point of the ANN");
  if (snn)
    addTile("Spikes per sample", number(Math.round(snn.spikes_per_sample)), "",
      `rate ${percent(snn.spike_rate, 1)}, ${snn.break_even.is_below ? "below" : "above"} the ${percent(snn.break_even.spike_rate, 1)} break-even`);
  if (chip) {
    addTile("Energy per sample", ...scaled(chip.energy_per_sample), `${number(chip.energy_per_synaptic_event.value)} pJ per synaptic event`);
    addTile("Spike latency", number(chip.latency_cycles.mean.value), "cycles", `at most ${number(chip.latency_cycles.max.value)} cycles`);
  }
  const circuit = hardware?.simulation?.cycles_per_sample ? hardware.simulation : hardware;
  if (circuit?.cycles_per_sample)
    addTile("Circuit", number(circuit.cycles_per_sample.value), "cycles",
      `per sample, ${number(Math.round(circuit.samples_per_second.value))} samples/s at ${number(hardware.clock.value)} MHz; ` +
      hardware.layers.map((layer) => `${layer.name}: ${layer.lanes} of ${layer.neurons} neurons side by side`).join(", "));
  if (partition)
    addTile("Clusters", number(partition.clusters), "", `${percent(partition.column_use, 0)} of columns, ${percent(partition.row_use, 0)} of rows in use`);
  if (mapping?.saving !== undefined)
    addTile("Spike hops", number(mapping.spike_hops), "", `${percent(Math.abs(mapping.saving), 1)} ${mapping.saving < 0 ? "above" : "below"} random placement`);
  if (mapping?.prediction)
    addTile("Predicted", number(Math.round(mapping.prediction.cycles_per_sample.value)), "cycles",
      `per sample, from ${number(mapping.prediction.steps_in_detail)} of ${number(mapping.prediction.steps)} steps packet by packet`);
  if (loads) {
    const { cycles_per_sample: cycles, write_cycles: written } = loads.together;
    addTile(`In ${number(loads.order.length)} load${loads.order.length === 1 ? "" : "s"}`, number(Math.round(cycles.value)), "cycles",
      `per sample on ${number(loads.crossbars)} crossbars, ${number(Math.round(written.value))} of them writing weights; ` +
      `${number(Math.round(loads.at_once.cost.cycles_per_sample.value))} on ${number(loads.at_once.crossbars)} crossbars`);
  }
  if (sdf) {
    const rate = sdf.samples_per_second ? scaled(sdf.samples_per_second) : [number(sdf.throughput.value), "samples/cycle"];
    addTile("Throughput", rate[0], rate[1].replace("/s", " samples/s").trim(), `a sample every ${number(sdf.period.value)} cycles`);
  }
  if (timing)
    addTile("Emulation", ...scaled(timing.synaptic_events_per_second).map((part, i) => (i ? part.replace("/s", " events/s").trim() : part)),
      `${number(timing.samples_per_second.value)} samples/s on ${timing.threads} thread${timing.threads === 1 ? "" : "s"}` +
      (timing.peak_memory ? `, ${scaled(timing.peak_memory).join(" ")} at most` : ""));
}

function fillAccuracy() {
  if (snn?.accuracy_by_step?.length) {
    const { plot } = openCard("accuracy", snn.encoding_note ? `Encoding: ${snn.encoding_note}.` : `Encoding: ${snn.encoding}.`);
    accuracyChart(plot, snn.accuracy_by_step, ann?.accuracy);
  }
  const tables = [["SNN", snn?.confusion], ["ANN", ann?.confusion]].filter(([, table]) => table?.length);
  if (!tables.length) return;
  const { plot, choice } = openCard("confusion", "Rows: label. Columns: answer.");
  addChoice(choice, tables.map(([name]) => name), (index) => {
    const table = tables[index][1];
    if (table.length <= 20) return confusionTable(plot, table);
    const cells = table.flatMap((row, label) => row.flatMap((count, answer) => (count ? [label, answer, count] : [])));
    matrixMap(plot, { bins: Math.max(table.length, table[0].length), cells, rowName: "label", columnName: "answer", unit: "samples", label: String });
  });
}

function fillRaster() {
  const raster = figures.raster;
  if (!raster) return;
  const thinned = raster.populations.filter((population) => population.stride > 1);
  const note = [`${number(raster.spikes)} spikes in ${raster.steps} steps.`];
  if (thinned.length)
    note.push("Reduced for this page: " + thinned.map((p) => `${p.name} shows every ${p.stride}${["th", "st", "nd", "rd"][p.stride % 100 >= 11 && p.stride % 100 <= 13 ? 0 : p.stride % 10] || "th"} of ${number(p.neurons)} neurons`).join(", ") + ".");
  rasterMap(openCard("raster", note.join(" ")).plot, raster);
}

function fillPopulations() {
  if (!snn) return;
  const { plot } = openCard("populations",
    `Spike rate: mean spikes per neuron and step. The mark is the break-even with an equally quantised ANN, ${percent(snn.break_even.spike_rate, 1)} (${snn.break_even.source}).`);
  const most = Math.max(...snn.populations.map((p) => p.spike_rate), snn.break_even.spike_rate) * 1.1;
  const scales = new Map((conversion?.layers || []).filter((l) => l.scales).map((l) => [l.name, l]));
  const head = ["Population", "Kind", "Shape", "Neurons", "Spikes per sample", "Rate", ""];
  if (scales.size) head.push("Scale");
  const rows = snn.populations.map((p) => {
    const meter = element("div", { class: "meter" }, element("i", { style: `width:${(100 * p.spike_rate / most).toFixed(2)}%` }),
      element("u", { style: `left:${(100 * snn.break_even.spike_rate / most).toFixed(2)}%` }));
    const scale = scales.get(p.name);
    const cells = [p.name, p.kind, p.shape.join(" × "), number(p.neurons), number(p.spikes_per_sample), percent(p.spike_rate, 2), meter];
    if (scales.size)
      cells.push(!scale ? "" : scale.scales > 1 ? `${number(scale.scale_min)} … ${number(scale.scale_max)} per channel` : number(scale.scale_min));
    return element("tr", {}, ...cells.map((cell, i) => element("td", i >= 3 && i <= 5 ? { class: "right" } : {}, cell)));
  });
  plot.replaceChildren(element("table", {},
    element("thead", {}, element("tr", {}, ...head.map((name, i) => element("th", i >= 3 && i <= 5 ? { class: "right" } : {}, name)))),
    element("tbody", {}, ...rows)));
}

/// A table row; cells of the columns that `right` holds for stand to the right.
function tableRow(tag, cells, right) {
  return element("tr", {}, ...cells.map((cell, i) => element(tag, right(i) ? { class: "right" } : {}, cell)));
}

function fillStatistics() {
  if (!statistics) return;
  const { plot } = openCard("statistics",
    `Rates over all samples, with steps of ${number(statistics.step.value)} ms; ± is the spread over neurons. Intervals between successive spikes of a neuron within a sample, over ` +
    `${number(statistics.recorded_samples)} recorded samples; CV: standard deviation / mean of all intervals, and the mean of the neurons' own.`);
  const cell = (value, text = number) => value === undefined ? "" : text(value);
  const rows = statistics.populations.map((p) => tableRow("td", [p.name, `${number(p.rate.value)} ± ${number(p.rate_deviation.value)} Hz`,
    `${number(p.rate_min.value)} … ${number(p.rate_max.value)} Hz`, percent(p.silent, 1), number(p.intervals),
    cell(p.interval, (interval) => `${number(interval.value)} ms`), cell(p.interval_cv), cell(p.neuron_cv)], (column) => column > 0));
  const head = tableRow("th", ["Population", "Rate", "Range", "Silent neurons", "Intervals", "Mean interval", "CV", "CV of neurons"], (column) => column > 0);
  plot.replaceChildren(element("div", { class: "scroll" }, element("table", {}, element("thead", {}, head), element("tbody", {}, ...rows))));
  const charts = element("div", { class: "charts" });
  for (const population of figures.intervals.populations)
    if (population.counts.length) charts.append(intervalChart(population, figures.intervals));
  if (charts.childElementCount) plot.append(charts);
}

function fillDiagnosis() {
  if (!diagnosis) return;
  const { layers, costliest_layers: worst } = diagnosis;
  const where = worst.length ? `${worst.join(" and ")} cost${worst.length > 1 ? "" : "s"} most.` : "No layer costs accuracy by itself.";
  const { plot } = openCard("diagnosis",
    `${points(diagnosis.loss_points.value)} lost on ${number(diagnosis.samples)} samples. ${where} Cost: accuracy gained with an exact analog layer in its place; ` +
    `costs need not add up to the loss. Error: activation / scale less spikes per step. Hidden neurons spike in ${percent(diagnosis.hidden_spike_rate, 1)} of all steps, ` +
    `${diagnosis.break_even.is_below ? "below" : "above"} the break-even of ${percent(diagnosis.break_even.spike_rate, 1)}.`);
  const most = Math.max(...layers.map((l) => Math.abs(l.contribution_points?.value ?? 0)), 1e-9);
  const isNumber = (column) => column > 0 && column !== 2;
  const rows = layers.map((l) => {
    const cost = l.contribution_points?.value;
    const bar = element("div", { class: "meter" }, element("i", { class: cost < 0 ? "gain" : "", style: `width:${(100 * Math.abs(cost ?? 0) / most).toFixed(2)}%` }));
    const without = element("span", { title: l.without_twin || "" }, "no analog twin");
    const cells = [l.name, cost === undefined ? without : points(cost), cost === undefined ? "" : bar, number(l.neurons), l.rate_error.toFixed(4),
      l.mean_error.toFixed(4), percent(l.saturated, 2), percent(l.dead, 1), percent(l.dead_in_ann, 1), number(l.spikes_per_neuron)];
    return tableRow("td", cells, isNumber);
  });
  const head = ["Layer", "Cost", "", "Neurons", "Error (RMS)", "Error (mean)", "Saturated", "Dead", "Dead in ANN", "Spikes per neuron"];
  plot.replaceChildren(element("table", {}, element("thead", {}, tableRow("th", head, isNumber)), element("tbody", {}, ...rows)));
}

function fillMaps() {
  const { traffic, mesh } = figures;
  if (traffic) {
    const per = traffic.clusters_per_bin;
    const note = `Packets (spikes and partial sums) over ${number(partition.recorded_samples)} recorded samples.` +
      (per > 1 ? ` Reduced for this page: each cell adds up ${per} × ${per} clusters.` : "") +
      (traffic.cells.includes(-1) ? " The top row is the host." : "");
    const label = (bin) => bin < 0 ? "host" : per > 1 ? `clusters ${bin * per} to ${Math.min(traffic.clusters, (bin + 1) * per) - 1}` : `cluster ${bin}`;
    matrixMap(openCard("traffic", note).plot, { ...traffic, rowName: "from cluster", columnName: "to cluster", unit: "packets", label });
  }
  if (mesh) {
    const topology = mesh.mesh.topology === "mesh" ? "" : ` (${mesh.mesh.topology.replace("_", " ")})`;
    const whole = `${mesh.mesh.columns} × ${mesh.mesh.rows} tiles${topology}`;
    const part = mesh.columns * mesh.rows < mesh.mesh.columns * mesh.mesh.rows
      ? `The ${mesh.columns} × ${mesh.rows} tiles in use of ${whole}` : whole;
    const note = `${part}, ${mesh.source === "80-chip.json" ? "as simulated" : "as planned by the mapping"}.` +
      (mesh.has_links ? "" : " Links are left out of this page: too many.");
    const { plot, choice } = openCard("mesh", note);
    addChoice(choice, mesh.layers.map((layer) => layer.name), (index) => meshMap(plot, mesh, mesh.layers[index]));
  }
}

function fillEnergy() {
  if (!chip) return;
  const { plot } = openCard("energy", `${scaled(chip.energy_pj.total).join(" ")} for ${number(chip.samples)} samples. Right: where each price comes from.`);
  barList(plot, Object.entries(chip.energy_pj.by_part).map(([name, part]) => ({
    name: name.replaceAll("_", " "), quantity: part, note: `${number(part.events)} events · ${part.source}` })));
  const parts = [...chip.energy_pj.by_layer.map(({ name, energy }) => ({ name, quantity: energy, note: "what its neurons cause" })),
    { name: "shared", quantity: chip.energy_pj.shared, note: "clock, leakage, barriers" }];
  const byLayer = element("div");
  plot.append(element("p", { class: "note" }, "By layer:"), byLayer);
  barList(byLayer, parts);
  if (chip.most_read)
    plot.append(element("p", { class: "note" }, `The row of cells read most: ${number(chip.most_read.reads)} times, neuron ${chip.most_read.neuron} in ${chip.most_read.name}` +
      (chip.most_read.life ? `; at this rate its cells last ${scaled(chip.most_read.life).join(" ")}.` : ".")));
}

/// Every number below `value` as [path, value, unit, source]; lists drawn as figures are left out.
function listNumbers(path, value, source, rows) {
  if (typeof value === "number" || typeof value === "boolean") return rows.push([path, value, "", source]);
  if (value === null || typeof value !== "object") return;
  if (typeof value.value === "number" && value.unit) {
    rows.push([path, value.value, value.unit, value.source]);
    if ("events" in value) rows.push([`${path}.events`, value.events, "", report.chip.source]);
    return;
  }
  const within = typeof value.source === "string" ? value.source : source;
  for (const [key, member] of Object.entries(value))
    if (!["confusion", "accuracy_by_step", "shape", "published"].includes(key))
      listNumbers(path ? `${path}.${Array.isArray(value) && member?.name ? member.name : key}` : key, member, within, rows);
}

function fillNumbers() {
  const numbers = [];
  for (const [section, value] of Object.entries(report)) if (typeof value === "object") listNumbers(section, value, "", numbers);
  const body = element("tbody", {}, ...numbers.map(([path, value, unit, source]) =>
    element("tr", {}, element("td", {}, element("code", {}, path)), element("td", { class: "right", title: String(value) }, number(value)),
      element("td", {}, unit), element("td", { class: "wide" }, source))));
  const head = element("tr", {}, ...["Name", "Value", "Unit", "Source"].map((name, i) => element("th", i === 1 ? { class: "right" } : {}, name)));
  document.querySelector("#numbers .plot").replaceChildren(element("table", {}, element("thead", {}, head), body));
  document.getElementById("filter").addEventListener("input", (event) => {
    const words = event.target.value.toLowerCase().split(/\s+/);
    for (const row of body.rows) row.hidden = !words.every((word) => row.textContent.toLowerCase().includes(word));
  });
}

for (const fill of [fillHeader, fillTiles, fillAccuracy, fillRaster, fillPopulations, fillStatistics, fillDiagnosis, fillAssessment, fillMaps, fillLapse, fillEnergy, fillHardware, fillNumbers]) fill();
