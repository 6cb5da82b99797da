// The mesh as time goes, and single spikes on their way through it.

/// A slider over 0 … count − 1 with a button that plays it, and the text of the place it is at: first of
/// all, `begin`.
function addSlider(place, count, label, begin, select) {
  const alone = count > 1 ? {} : { disabled: "" };
  const slider = element("input", { type: "range", min: 0, max: count - 1, value: begin, "aria-label": label, ...alone });
  const play = element("button", { type: "button", "aria-label": `Play: ${label}`, ...alone }, "▶");
  const text = element("output", {});
  let timer;
  const show = () => {
    const shownText = select(Number(slider.value));
    text.textContent = shownText;
    slider.setAttribute("aria-valuetext", shownText);
  };
  const name = (sign, verb) => {
    play.textContent = sign;
    play.setAttribute("aria-label", `${verb}: ${label}`);
  };
  const stop = () => {
    clearInterval(timer);
    timer = undefined;
    name("▶", "Play");
    text.setAttribute("aria-live", "polite");
  };
  play.addEventListener("click", () => {
    if (timer) return stop();
    if (Number(slider.value) === count - 1) slider.value = 0;
    name("❚❚", "Pause");
    text.setAttribute("aria-live", "off"); // four times a second
    timer = setInterval(() => {
      slider.value = Number(slider.value) + 1;
      show();
      if (Number(slider.value) === count - 1) stop();
    }, 250);
  });
  slider.addEventListener("input", () => { stop(); show(); });
  place.replaceChildren(play, slider, text);
  show();
  return { show, stop };
}

/// All layers work the same step in a slot.
const sharesSteps = (lapse) => lapse.slots === lapse.steps;

/// `slot 3`, or of frames of several `slots 4 to 6`; from 1 on.
function slotText(lapse, frame) {
  const first = frame * lapse.slots_per_frame + 1, last = Math.min(lapse.slots, first + lapse.slots_per_frame - 1);
  const name = sharesSteps(lapse) ? "step" : "slot";
  return first === last ? `${name} ${first}` : `${name}s ${first} to ${last}`;
}

/// A map of the frames: one layer in colour, loads on the links, both on scales that all frames share.
function lapseMap(card, lapse) {
  const place = meshPlace(lapse), count = lapse.links.length / 2, { plot, choice } = card;
  const ends = (i) => ({ from: lapse.links[2 * i], to: lapse.links[2 * i + 1] });
  const mostFlits = largest(lapse.frames.map((frame) => largest(frame.flits)));
  const canvasPlace = element("div"), sliderPlace = element("div", { class: "slider" });
  plot.replaceChildren(sliderPlace, canvasPlace);
  let frame = lapse.frames[0], layer = 0, show = () => {}, range;
  const flits = (i) => frame.flits[i];
  const isHeat = () => lapse.layers[layer].startsWith("°C");
  const colourShare = (value) => isHeat() ? (value - range[0]) / (range[1] - range[0] || 1) : shareOf(value, range[1]);
  const draw = (context, width) => {
    const ramp = colours("--ramp");
    const isShown = (value) => isHeat() || value > 0;
    const colour = (tile) => rampColour(ramp, isShown(frame.layers[layer][tile]) ? 0.12 + 0.88 * colourShare(frame.layers[layer][tile]) : 0);
    drawMesh(context, width, lapse, colour, loadedLinks(count, ends, flits, mostFlits));
  };
  const hover = (px, py) => {
    const tile = place.tileAt(px, py, canvasPlace.clientWidth);
    if (tile === undefined) return;
    return [tileName(lapse, tile), ...lapse.layers.map((name, i) => `${number(frame.layers[i][tile])} ${name}`),
      ...linkLines(tile, lapse, count, ends, flits)].join("\n");
  };
  const { canvas, redraw } = canvasFigure(canvasPlace, place.height, (context, width) => range && draw(context, width), hover, "");
  const select = (index) => {
    frame = lapse.frames[index];
    redraw();
    const values = frame.layers[layer], fullest = placeOfMost(values), carried = frame.flits.reduce((a, b) => a + b, 0);
    const told = `${slotText(lapse, index)}: cycles ${number(frame.begin)} to ${number(frame.end)}, ${number(carried)} flits over links; ` +
      `most ${lapse.layers[layer]}: ${number(values[fullest])} at ${tileName(lapse, fullest)}`;
    canvas.setAttribute("aria-label", told);
    return told;
  };
  addChoice(choice, lapse.layers, (index) => {
    layer = index;
    const values = lapse.frames.flatMap((one) => one.layers[layer]);
    range = values.reduce(([least, most], value) => [Math.min(least, value), Math.max(most, value)], [Infinity, -Infinity]);
    addLegend(canvasPlace, range[1], lapse.layers[layer]);
    if (isHeat()) canvasPlace.querySelector(".legend").replaceChildren(number(range[0]), element("i", { style: "background:linear-gradient(90deg,var(--ramp))" }), `${number(range[1])} ${lapse.layers[layer]}`);
    if (count) addLinkLegend(canvasPlace, mostFlits);
    show();
  });
  const carried = lapse.frames.map((one) => one.flits.reduce((a, b) => a + b, 0));
  show = addSlider(sliderPlace, lapse.frames.length, "Time", placeOfMost(carried), select).show;
}

/// The last cycle in which a target has the whole of a spike.
const spikeEnd = (way) => largest(way.packets.map(({ ends }) => largest(ends.filter((_, i) => i % 3 === 2))));
const spikeBegin = (way) => way.packets.reduce((least, { made }) => Math.min(least, made), Infinity);

/// What happens to a spike, in words.
function wayText(lapse, way) {
  const begin = spikeBegin(way), lines = way.packets.map(({ source, made, injected, ends }) => {
    const targets = [];
    for (let i = 0; i < ends.length; i += 3) targets.push(`${tileName(lapse, ends[i])} after ${number(ends[i + 2] - begin)}`);
    return `from ${tileName(lapse, source)}, made in cycle ${number(made)}, sent in ${number(injected)}, to ${targets.join(", ")} cycles`;
  });
  return `${way.layer}, neuron ${way.neuron}, step ${way.step + 1}: ` + lines.join("; ");
}

/// One spike: the links that its packets take, by when their heads come out of them.
function wayMap(card, lapse) {
  const place = meshPlace(lapse), { plot, choice } = card;
  const canvasPlace = element("div"), sliderPlace = element("div", { class: "slider" });
  plot.replaceChildren(sliderPlace, canvasPlace);
  let way;
  const share = (cycle) => (cycle - spikeBegin(way)) / (spikeEnd(way) - spikeBegin(way) || 1);
  const draw = (context, width) => {
    const ramp = colours("--ramp"), hues = colours("--hues"), targets = new Set(), sources = new Set(way.packets.map(({ source }) => source)), links = [];
    for (const { hops, ends } of way.packets) {
      for (let i = 0; i < ends.length; i += 3) targets.add(ends[i]);
      for (let i = 0; i < hops.length; i += 3)
        links.push({ from: lapse.links[2 * hops[i]], to: lapse.links[2 * hops[i] + 1], width: 0.09, alpha: 1, colour: rampColour(ramp, 0.3 + 0.7 * share(hops[i + 1])) });
    }
    drawMesh(context, width, lapse, (tile) => sources.has(tile) ? hues[4] : targets.has(tile) ? hues[0] : ramp[0], links);
  };
  const hover = (px, py) => {
    const tile = place.tileAt(px, py, canvasPlace.clientWidth);
    if (tile === undefined) return;
    const lines = [tileName(lapse, tile)];
    for (const { source, hops, ends } of way.packets) {
      if (source === tile) lines.push("source");
      for (let i = 0; i < hops.length; i += 3)
        if (lapse.links[2 * hops[i] + 1] === tile) lines.push(`head here in cycle ${number(hops[i + 1])}`);
      for (let i = 0; i < ends.length; i += 3)
        if (ends[i] === tile) lines.push(`received in the cycles ${number(ends[i + 1])} to ${number(ends[i + 2])}`);
    }
    return lines.join("\n");
  };
  const { canvas, redraw } = canvasFigure(canvasPlace, place.height, (context, width) => way && draw(context, width), hover, "");
  canvasPlace.append(element("div", { class: "legend" }, element("b", { style: "background:var(--ann)" }), "source", element("b", { style: "background:var(--snn)" }), "targets",
    "links, from first to last", element("i", { style: "background:linear-gradient(90deg,var(--ramp))" })));
  let slider;
  const choose = (ways) => {
    slider?.stop();
    slider = addSlider(sliderPlace, ways.length, "Spike", 0, (index) => {
      way = ways[index];
      redraw();
      const text = wayText(lapse, way);
      canvas.setAttribute("aria-label", text);
      return text;
    });
  };
  const layers = [...new Set(lapse.ways.map((one) => one.layer))];
  const slowest = lapse.ways.reduce((a, b) => (spikeEnd(b) - spikeBegin(b) > spikeEnd(a) - spikeBegin(a) ? b : a));
  addChoice(choice, ["slowest", ...layers], (index) => choose(index ? lapse.ways.filter((one) => one.layer === layers[index - 1]) : [slowest]));
}

function fillLapse() {
  const { lapse } = figures;
  if (!lapse) return;
  const rest = sharesSteps(lapse) ? "" : " Layers work different steps in a slot, and the next sample follows without a gap.";
  const heat = lapse.layers.some((name) => name.startsWith("°C")) ? " A temperature is that of the steady state, if the power of the moment lasted." : "";
  if (lapse.frames.length)
    lapseMap(openCard("lapse", `The first sample, ${number(lapse.slots)} ${sharesSteps(lapse) ? "steps" : "slots"}. Lines: flits over links.${heat}${rest}`), lapse);
  if (!lapse.ways.length) return;
  const some = lapse.ways.length < lapse.spikes ? `${number(lapse.ways.length)} of the ${number(lapse.spikes)} spikes of the first sample that leave their tile, evenly chosen, and the slowest.`
    : `All ${number(lapse.spikes)} spikes of the first sample that leave their tile.`;
  wayMap(openCard("ways", some), lapse);
}
