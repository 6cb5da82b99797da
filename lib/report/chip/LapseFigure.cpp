#include "lib/report/chip/LapseFigure.h"

#include "core/run/StageFileNames.h"
#include "lib/report/chip/MeshPart.h"

#include "fmt/format.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>

namespace spindle {

namespace {

/// A map of the tiles in each frame.
struct Layer {
  std::string name;
  std::vector<std::vector<double>> values; // per frame and tile
};

/// Some figure of a frame for each of its cycles; of a frame without any, zero.
template <typename Figure>
Layer perCycle(const TimeLapse &lapse, std::string name, Figure LapseFrame::*figure,
               double factor) {
  Layer layer{std::move(name), {}};
  for (const LapseFrame &frame : lapse.frames) {
    const uint64_t cycles = frame.endCycle - frame.beginCycle;
    std::vector<double> &values = layer.values.emplace_back();
    for (auto value : frame.*figure)
      values.push_back(cycles == 0 ? 0 : double(value) * factor / double(cycles));
  }
  return layer;
}

bool isAnyAboveZero(const Layer &layer) {
  return std::ranges::any_of(layer.values, [](const std::vector<double> &values) {
    return std::ranges::any_of(values, [](double value) { return value > 0; });
  });
}

/// Temperatures stay as they are: every tile is warm.
std::vector<Layer> layersOf(const TimeLapse &lapse) {
  std::vector<Layer> layers = {
      perCycle(lapse, "packets in the router", &LapseFrame::routerCycles, 1),
      perCycle(lapse, "packets waiting at their source", &LapseFrame::sourceCycles, 1)};
  // 1 pJ in a cycle of 1 µs / MHz is 1e-6 W · MHz.
  Layer power = perCycle(lapse, "mW of power", &LapseFrame::pj, lapse.clockMhz * 1e-3);
  if (isAnyAboveZero(power))
    layers.push_back(std::move(power));
  if (!lapse.frames.empty() && !lapse.frames.front().celsius.empty()) {
    layers.push_back({"°C if the power lasted", {}});
    for (const LapseFrame &frame : lapse.frames)
      layers.back().values.push_back(frame.celsius);
  }
  return layers;
}

/// Four digits, and of temperatures the millikelvin, which nobody tells from all of them.
Json shortened(double value) {
  std::string digits = fmt::format("{:.{}g}", value, std::abs(value) >= 10 ? 6 : 4);
  double rounded = std::strtod(digits.c_str(), nullptr);
  return rounded == 0 ? Json(0) : Json(rounded);
}

MeshPart partOf(const TimeLapse &lapse, const std::vector<Layer> &layers, uint32_t wholeTiles) {
  MeshPart part(lapse.mesh, wholeTiles);
  for (const LapseLink &link : lapse.links) {
    part.include(link.from);
    part.include(link.to);
  }
  for (const SpikeWay &spike : lapse.ways)
    for (const PacketWay &way : spike.packets) {
      part.include(way.source);
      for (const WayEnd &end : way.ends)
        part.include(end.tile);
    }
  for (const Layer &layer : llvm::ArrayRef(layers).take_front(2)) // queues
    for (const std::vector<double> &values : layer.values)
      for (TileId tile = 0; tile < values.size(); ++tile)
        if (values[tile] > 0)
          part.include(tile);
  return part;
}

Json wayJson(const PacketWay &way, MeshPart &part) {
  Json hops = Json::array(), ends = Json::array();
  for (const WayHop &hop : way.hops)
    for (uint64_t number : {uint64_t(hop.link), hop.headCycle, hop.tailCycle})
      hops.push_back(number);
  for (const WayEnd &end : way.ends)
    for (uint64_t number : {uint64_t(part.at(end.tile)), end.headCycle, end.tailCycle})
      ends.push_back(number);
  return {{"source", part.at(way.source)},
          {"made", way.madeCycle},
          {"injected", way.injectedCycle},
          {"hops", hops},
          {"ends", ends}};
}

} // namespace

/// Of a large part the ways alone, and the links on them.
static TimeLapse waysOf(const TimeLapse &lapse) {
  TimeLapse ways = lapse;
  ways.frames.clear();
  std::set<uint32_t> used;
  for (const SpikeWay &spike : lapse.ways)
    for (const PacketWay &way : spike.packets)
      for (const WayHop &hop : way.hops)
        used.insert(hop.link);
  std::vector<uint32_t> placeOf(lapse.links.size());
  ways.links.clear();
  for (uint32_t link : used) {
    placeOf[link] = static_cast<uint32_t>(ways.links.size());
    ways.links.push_back(lapse.links[link]);
  }
  for (SpikeWay &spike : ways.ways)
    for (PacketWay &way : spike.packets)
      for (WayHop &hop : way.hops)
        hop.link = placeOf[hop.link];
  return ways;
}

Json lapseFigure(const TimeLapse &lapse, const FigureLimits &limits) {
  std::vector<Layer> layers = layersOf(lapse);
  if (!lapse.frames.empty() &&
      partOf(lapse, layers, limits.wholeMeshTiles).tiles() > limits.meshTiles)
    return lapseFigure(waysOf(lapse), limits);
  MeshPart part = partOf(lapse, layers, limits.wholeMeshTiles);
  Json figure = {{"source", run::kLapse},
                 {"clock_mhz", lapse.clockMhz},
                 {"steps", lapse.steps},
                 {"slots", lapse.slots},
                 {"slots_per_frame", lapse.slotsPerFrame},
                 {"links", Json::array()},
                 {"layers", Json::array()},
                 {"frames", Json::array()},
                 {"spikes", lapse.spikes},
                 {"ways", Json::array()}};
  for (const LapseLink &link : lapse.links)
    for (TileId router : {link.from, link.to})
      figure["links"].push_back(part.at(router));
  for (const Layer &layer : layers)
    figure["layers"].push_back(layer.name);
  for (size_t f = 0; f < lapse.frames.size(); ++f) {
    const LapseFrame &frame = lapse.frames[f];
    Json item = {{"begin", frame.beginCycle},
                 {"end", frame.endCycle},
                 {"flits", frame.linkFlits},
                 {"layers", Json::array()}};
    for (const Layer &layer : layers) {
      std::vector<Json> cut(part.tiles(), 0);
      for (TileId tile = 0; tile < layer.values[f].size(); ++tile)
        if (part.holds(tile))
          cut[part.at(tile)] = shortened(layer.values[f][tile]);
      item["layers"].push_back(cut);
    }
    figure["frames"].push_back(std::move(item));
  }
  for (const SpikeWay &spike : lapse.ways) {
    Json packets = Json::array();
    for (const PacketWay &way : spike.packets)
      packets.push_back(wayJson(way, part));
    figure["ways"].push_back({{"layer", spike.layer},
                              {"neuron", spike.neuron},
                              {"step", spike.step},
                              {"packets", std::move(packets)}});
  }
  figure.update(part.json());
  return figure;
}

} // namespace spindle
