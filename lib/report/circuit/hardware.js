// The circuit of the network: its layers at work, its streams, the int8 ANN beside it, and others'.

/// A share of 0 to 1 as a bar, with its text.
function shareBar(share, label) {
  const text = percent(share, 1);
  return element("div", { class: "meter", role: "img", "aria-label": `${label}: ${text}` }, element("i", { style: `width:${(100 * share).toFixed(2)}%` }));
}

function plainTable(head, rows, right) {
  return element("div", { class: "scroll" }, element("table", {},
    element("thead", {}, tableRow("th", head, right)), element("tbody", {}, ...rows.map((cells) => tableRow("td", cells, right)))));
}

const shown = (value, text = number) => value === undefined ? "–" : text(value);

function circuitTable({ layers, simulation, energy }) {
  const bits = (l) => [l.weight_bits, l.current_bits, l.membrane_bits].map((b) => b || "–").join(" / ");
  const head = ["Layer", "Kind", "Lanes of neurons", "Inputs", "Bits of weights / sums / membranes", "Cycles", "Busy", "", "Without a token", "Without room", "LUT", "FF", "DSP", "BRAM", "Energy"];
  const rows = layers.map((l) => {
    const size = l.area || l.estimate, mark = l.area ? "" : "≈ ";
    const part = energy?.parts.find((one) => one.name === l.name);
    const count = (value) => size ? mark + number(value >= 10 ? Math.round(value) : value) : "–";
    return [l.name, `${l.style}, ${l.as}`, `${number(l.lanes)} of ${number(l.neurons)}`, number(l.inputs), bits(l), shown(l.cycles, (c) => number(c.value)),
      l.use ? shareBar(l.use.busy, `${l.name} busy`) : "", shown(l.use?.busy, (s) => percent(s, 1)), shown(l.use?.without_token, (s) => percent(s, 1)),
      shown(l.use?.without_room, (s) => percent(s, 1)), count(size?.lut + (size?.lut_ram || 0)), count(size?.ff), count(size?.dsp), count(size?.bram), part ? scaled(part).join(" ") : "–"];
  });
  return plainTable(head, rows, (column) => column > 1 && column !== 6);
}

function fifoTable({ fifos }) {
  const rows = fifos.map((f) => [f.name, f.from || "port", f.to || "port", number(f.depth), number(f.most), shareBar(Math.min(1, f.most / f.depth), `${f.name}, fullest`), number(f.mean)]);
  return plainTable(["Stream", "From", "To", "Depth", "Most tokens", "", "Mean"], rows, (column) => column > 2 && column !== 5);
}

function comparisonTable({ rows }) {
  const names = { snn: "spiking", int8_ann: "int8 ANN", equal: "equal" };
  const value = (row, which) => row.name === "accuracy" ? percent(row[which]) : `${scaled({ value: row[which], unit: row.unit }).join(" ")}`;
  return plainTable(["", "Spiking", "int8 ANN", "Better"], rows.map((row) => [row.name, value(row, "snn"), value(row, "int8_ann"), names[row.better]]), (column) => column === 1 || column === 2);
}

function fillHardware() {
  if (!hardware) return;
  const { simulation, area, energy, estimate, int8_ann: ann, int8_commands: commands, comparison } = hardware;
  const facts = [`${hardware.target} at ${number(hardware.clock.value)} MHz, ${number(hardware.steps)} steps.`];
  const speed = simulation?.samples_per_second ? simulation : hardware;
  if (simulation)
    facts.push(`${number(simulation.samples)} samples simulated, ${simulation.agrees ? "as the emulator has them" : "with differences"}.`);
  if (simulation?.latency_cycles)
    facts.push(`${number(simulation.latency_cycles.mean.value)} cycles from the first word to the answer in the mean, ${number(simulation.latency_cycles.min.value)} to ${number(simulation.latency_cycles.max.value)}.`);
  if (speed.samples_per_second)
    facts.push(`A sample every ${number(speed.cycles_per_sample.value)} cycles, ${number(Math.round(speed.samples_per_second.value))} per second.`);
  const size = area || estimate;
  if (size)
    facts.push(`${area ? "" : "About "}${number(Math.round(size.lut + (size.lut_ram || 0)))} LUT, ${number(Math.round(size.ff))} FF, ${number(size.dsp)} DSP, ${number(size.bram)} BRAM ${area ? `by ${area.tool}` : "by the estimate"}.`);
  if (energy) facts.push(`${scaled(energy.per_sample).join(" ")} per sample in cells of ${energy.library}, memories and wires left out.`);
  const { plot } = openCard("hardware", facts.join(" "));
  const note = (text) => element("p", { class: "note" }, text);
  plot.append(circuitTable(hardware));
  if (!simulation) plot.append(note("How busy layers are and how full streams: spindle cosim DIR/90-hardware --images N, then spindle report DIR."));
  if (!area) plot.append(note("Areas marked ≈ are estimates; spindle area DIR/90-hardware counts them."));
  if (simulation?.fifos?.length) plot.append(note("Tokens in streams at the ends of cycles, all samples one after the other:"), fifoTable(simulation));
  if (comparison) {
    plot.append(note(`The same network as an ANN of 8-bit integers by the same stages (${ann.layers.map((l) => `${l.name}: ${l.lanes} × ${l.inputs}`).join(", ")} sums × inputs at a time): ` +
      `of ${comparison.rows.length} quantities the spiking circuit is better in ${comparison.snn}, the int8 ANN in ${comparison.int8_ann}, ${comparison.equal} are equal.`), comparisonTable(comparison));
  } else if (commands) {
    plot.append(note("The same network as an ANN of 8-bit integers has not been made; these commands do, DIR being the folder of this page:"), element("pre", {}, commands.join("\n")));
  }
  plot.append(note("Published accelerators for MNIST, as their authors report them; a dash where they do not say. Tools, parts and clocks differ, so that cells of one row are no measure of another's."),
    plainTable(["Accelerator", "Network", "Tool", "Part", "Clock", "Accuracy", "Time or rate", "Cells", "Energy, power"], hardware.published.map((p) =>
      [p.name, p.network, shown(p.tool, String), shown(p.part, String), shown(p.clock_mhz, (f) => `${f} MHz`), shown(p.accuracy, String), shown(p.time, String), shown(p.area, String), shown(p.energy, String)]),
      (column) => column === 4 || column === 5));
}
