// Numbers and elements. Text always goes in as a text node, never as markup.
const grouped = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });

/// Three significant digits for small numbers, thousands separators for large ones.
function number(value) {
  if (typeof value !== "number") return String(value);
  const size = Math.abs(value);
  if (Number.isInteger(value) || size >= 1000) return grouped.format(value);
  if (size !== 0 && size < 1e-3) return value.toExponential(3);
  return String(Number(value.toPrecision(4)));
}

const percent = (value, digits = 2) => (value * 100).toFixed(digits) + " %";

const points = (value) => `${value.toFixed(2)} point${Math.abs(value) === 1 ? "" : "s"}`;

const prefixed = {
  pJ: [[1e12, "J"], [1e9, "mJ"], [1e6, "µJ"], [1e3, "nJ"], [0, "pJ"]],
  us: [[1e6, "s"], [1e3, "ms"], [0, "µs"]],
  B: [[2 ** 30, "GiB"], [2 ** 20, "MiB"], [2 ** 10, "KiB"], [0, "B"]],
  "1/s": [[1e9, "G/s"], [1e6, "M/s"], [1e3, "k/s"], [0, "/s"]],
};

/// A quantity {value, unit} with the prefix that keeps it readable: ["1.25", "µJ"].
function scaled({ value, unit }) {
  for (const [least, name] of prefixed[unit] || [])
    if (Math.abs(value) >= least) return [number(least ? value / least : value), name];
  return [number(value), unit];
}

function element(tag, attributes = {}, ...children) {
  const isSvg = ["svg", "path", "line", "text", "circle", "rect", "g"].includes(tag);
  const node = isSvg ? document.createElementNS("http://www.w3.org/2000/svg", tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  for (const child of children) node.append(child);
  return node;
}

/// At least zero. (A call takes no list of a hundred thousand arguments.)
const largest = (values) => values.reduce((most, value) => Math.max(most, value), 0);

const styleOf = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const colours = (name) => styleOf(name).split(",").map((colour) => colour.trim());

/// A colour of the ramp for a share of 0 to 1.
function rampColour(ramp, share) {
  const at = Math.max(0, Math.min(1, share)) * (ramp.length - 1);
  const i = Math.min(Math.floor(at), ramp.length - 2);
  const channel = (colour, k) => parseInt(colour.slice(1 + 2 * k, 3 + 2 * k), 16);
  const mix = [0, 1, 2].map((k) => Math.round(channel(ramp[i], k) + (at - i) * (channel(ramp[i + 1], k) - channel(ramp[i], k))));
  return `rgb(${mix})`;
}

const tip = document.getElementById("tip");
function showTip(event, text) {
  tip.hidden = !text;
  if (!text) return;
  tip.textContent = text;
  const x = Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8);
  tip.style.left = `${x}px`;
  tip.style.top = `${event.clientY + 16}px`;
}

/// The card of a section, shown; its note and plot.
function openCard(id, note) {
  const card = document.getElementById(id);
  card.hidden = false;
  card.querySelector(".note")?.replaceChildren(note || "");
  return { card, plot: card.querySelector(".plot"), choice: card.querySelector(".choice") };
}

/// Buttons of which one is pressed; calls `select(index)` at once and on every press.
function addChoice(place, names, select) {
  const buttons = names.map((name, index) => {
    const button = element("button", { type: "button" }, name);
    button.addEventListener("click", () => press(index));
    return button;
  });
  const press = (index) => {
    buttons.forEach((button, i) => button.setAttribute("aria-pressed", String(i === index)));
    select(index);
  };
  if (names.length > 1) place.replaceChildren(...buttons);
  press(0);
}

