// The mesh: tiles coloured by a load, and lines for what goes over the links. Used for whole runs, and
// for frames and packets (lapse.js).

/// Where tiles and routers of a mesh stand on a canvas of some width. The routers of a tree that are at
/// no tile have numbers behind those of the tiles.
function meshPlace({ columns, rows, routers }) {
  const margin = 4, tiles = columns * rows;
  const pitchOf = (width) => Math.min((width - 2 * margin) / columns, 520 / rows, 90);
  const corner = (tile, pitch) => [margin + (tile % columns) * pitch, margin + Math.floor(tile / columns) * pitch];
  return {
    tiles, pitchOf, corner,
    height: (width) => rows * pitchOf(width) + 2 * margin,
    middle: (at, pitch) => at < tiles ? corner(at, pitch).map((c) => c + pitch / 2) : routers[at - tiles].map((c) => margin + c * pitch),
    /// The tile at a point, if there is one.
    tileAt(px, py, width) {
      const pitch = pitchOf(width), x = Math.floor((px - margin) / pitch), y = Math.floor((py - margin) / pitch);
      return x < 0 || y < 0 || x >= columns || y >= rows ? undefined : y * columns + x;
    },
  };
}

const tileName = (mesh, tile) =>
  `tile (${tile % mesh.columns + mesh.first_column}, ${Math.floor(tile / mesh.columns) + mesh.first_row})`;

/// Tiles in `tileColour(tile)` and on them links {from, to, width, colour, alpha}, each on the right-hand
/// side of its way, so that both directions are seen; width in parts of the distance of two tiles.
function drawMesh(context, canvasWidth, mesh, tileColour, links) {
  const place = meshPlace(mesh), pitch = place.pitchOf(canvasWidth), side = pitch * 0.62, inset = (pitch - side) / 2;
  context.lineCap = "round";
  const drawLink = ({ from, to, width, colour, alpha }) => {
    const [x1, y1] = place.middle(from, pitch), [x2, y2] = place.middle(to, pitch);
    const length = Math.hypot(x2 - x1, y2 - y1) || 1, dx = (x2 - x1) / length, dy = (y2 - y1) / length, off = pitch * 0.11;
    const begin = from < place.tiles ? side / 2 : 0, end = to < place.tiles ? side / 2 : 0;
    context.strokeStyle = colour;
    context.globalAlpha = alpha;
    context.lineWidth = Math.max(0.8, pitch * width);
    context.beginPath();
    context.moveTo(x1 + dx * begin - dy * off, y1 + dy * begin + dx * off);
    context.lineTo(x2 - dx * end - dy * off, y2 - dy * end + dx * off);
    context.stroke();
    context.globalAlpha = 1;
  };
  const isLow = ({ from, to }) => from < place.tiles && to < place.tiles;
  links.filter(isLow).forEach(drawLink);
  for (let tile = 0; tile < place.tiles; ++tile) {
    const [x, y] = place.corner(tile, pitch);
    context.fillStyle = tileColour(tile);
    context.fillRect(x + inset, y + inset, side, side);
  }
  links.filter((link) => !isLow(link)).forEach(drawLink);
  mesh.routers.forEach((_, number) => {
    const [x, y] = place.middle(place.tiles + number, pitch);
    context.fillStyle = styleOf("--ann");
    context.beginPath();
    context.arc(x, y, Math.max(1.5, pitch * 0.06), 0, 2 * Math.PI);
    context.fill();
  });
}

/// Links by their loads, `flits(i)` of `most`.
function loadedLinks(count, ends, flits, most) {
  const colour = styleOf("--ann");
  return Array.from({ length: count }, (_, i) => {
    const share = shareOf(flits(i), most);
    return { ...ends(i), colour, width: 0.13 * share, alpha: 0.18 + 0.82 * share };
  });
}

const placeOfMost = (values) => values.reduce((best, value, at) => (value > values[best] ? at : best), 0);

/// Where a link from one tile to another leads; those of a torus also from one end of a row or column to
/// the other.
function wayOf(columns, from, to) {
  const dx = to % columns - from % columns, dy = Math.floor(to / columns) - Math.floor(from / columns);
  const ahead = (d) => (d > 0) === (Math.abs(d) === 1);
  return dx ? (ahead(dx) ? "east" : "west") : ahead(dy) ? "south" : "north";
}

/// `2 flits east` of the links that leave a tile, and what comes to it from above.
function linkLines(tile, { columns, rows }, count, ends, flits) {
  const tiles = columns * rows;
  const lines = [];
  for (let i = 0; i < count; ++i) {
    const { from, to } = ends(i);
    if (from === tile) {
      lines.push(`${number(flits(i))} flits ${to >= tiles ? "up" : wayOf(columns, tile, to)}`);
    } else if (to === tile && from >= tiles) {
      lines.push(`${number(flits(i))} flits from above`);
    }
  }
  return lines;
}

function addLinkLegend(plot, mostFlits) {
  plot.querySelector(".legend").append(
    element("i", { style: "width:60px;background:linear-gradient(90deg,transparent,var(--ann))" }), `links up to ${number(mostFlits)} flits`);
}

/// The loads of a whole run.
function meshMap(plot, mesh, layer) {
  const { links } = mesh, count = links.length / 3, place = meshPlace(mesh);
  const ends = (i) => ({ from: links[3 * i], to: links[3 * i + 1] }), flits = (i) => links[3 * i + 2];
  const most = largest(layer.values);
  let mostFlits = 0;
  for (let i = 0; i < count; ++i) mostFlits = Math.max(mostFlits, flits(i));
  const draw = (context, width) => {
    const ramp = colours("--ramp");
    const colour = (tile) => layer.values[tile] ? rampColour(ramp, 0.12 + 0.88 * shareOf(layer.values[tile], most)) : ramp[0];
    drawMesh(context, width, mesh, colour, loadedLinks(count, ends, flits, mostFlits));
  };
  const hover = (px, py) => {
    const tile = place.tileAt(px, py, plot.clientWidth);
    if (tile === undefined) return;
    return [tileName(mesh, tile), ...mesh.layers.map((one) => `${number(one.values[tile])} ${one.name}`),
      ...linkLines(tile, mesh, count, ends, flits)].join("\n");
  };
  const fullest = placeOfMost(layer.values);
  canvasFigure(plot, place.height, draw, hover, `Most ${layer.name}: ${number(layer.values[fullest])} at ${tileName(mesh, fullest)}; links up to ${number(mostFlits)} flits`);
  addLegend(plot, most, layer.name);
  if (count) addLinkLegend(plot, mostFlits);
}
