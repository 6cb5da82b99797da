#include "core/chip/lapse/TimeLapse.h"

#include "core/chip/Chip.h"
#include "core/chip/MeshFile.h"
#include "core/chip/routing/Ports.h"
#include "core/support/formats/JsonMapping.h"

#include "fmt/format.h"

#include <algorithm>
#include <set>

namespace spindle {

namespace {

constexpr FileFormat kTimeLapseFormat = {"spindle-time-lapse", 1};

bool areNeighbours(const Mesh &mesh, const LapseLink &link) {
  if (link.from >= mesh.routers() || link.to >= mesh.routers() || link.from == link.to)
    return false;
  for (uint32_t port = 0; port < kPorts; ++port)
    if (!leadsToTile(mesh, link.from, port) && neighbourOf(mesh, link.from, port) == link.to)
      return true;
  return false;
}

std::string headFault(const TimeLapse &lapse) {
  if (std::string fault = faultOf(lapse.mesh); !fault.empty())
    return fault;
  if (!(lapse.clockMhz > 0 && lapse.clockMhz <= 1e9))
    return fmt::format("a clock of {} MHz", lapse.clockMhz);
  if (std::ranges::find(kSynchronisationNames, lapse.synchronisation) ==
      std::end(kSynchronisationNames))
    return fmt::format("synchronisation '{}', expected barrier, pipeline or free",
                       lapse.synchronisation.substr(0, 80));
  const LapseLink *before = nullptr;
  for (const LapseLink &link : lapse.links) {
    if (!areNeighbours(lapse.mesh, link))
      return fmt::format("a link from {} to {}, which are no neighbours", link.from, link.to);
    if (before && std::pair(before->from, before->to) >= std::pair(link.from, link.to))
      return fmt::format("the links do not ascend at {} -> {}", link.from, link.to);
    before = &link;
  }
  if (lapse.steps == 0 || lapse.steps > lapse.slots)
    return fmt::format("{} steps in {} slots", lapse.steps, lapse.slots);
  uint64_t per = lapse.slotsPerFrame, frames = lapse.frames.size();
  if (per == 0 || frames != lapse.slots / per + (lapse.slots % per != 0))
    return fmt::format("{} frames of {} slots for {} slots", frames, per, lapse.slots);
  if (lapse.ways.size() > lapse.spikes)
    return fmt::format("the ways of {} spikes of {}", lapse.ways.size(), lapse.spikes);
  return "";
}

std::string framesFault(const TimeLapse &lapse) {
  const size_t tiles = lapse.mesh.tiles();
  for (size_t f = 0; f < lapse.frames.size(); ++f) {
    const LapseFrame &frame = lapse.frames[f];
    uint64_t before = f == 0 ? frame.beginCycle : lapse.frames[f - 1].endCycle;
    if (frame.beginCycle != before || frame.endCycle < frame.beginCycle)
      return fmt::format("frame {} from cycle {} to {} after one that ends at {}", f,
                         frame.beginCycle, frame.endCycle, before);
    bool hasHeat = !lapse.frames[0].celsius.empty();
    if (frame.linkFlits.size() != lapse.links.size() || frame.sourceCycles.size() != tiles ||
        frame.routerCycles.size() != tiles || frame.pj.size() != tiles ||
        frame.celsius.size() != (hasHeat ? tiles : 0))
      return fmt::format("frame {} with figures of {} links of {}, and of {}, {}, {} and {} tiles "
                         "of {}",
                         f, frame.linkFlits.size(), lapse.links.size(), frame.sourceCycles.size(),
                         frame.routerCycles.size(), frame.pj.size(), frame.celsius.size(), tiles);
    for (double pj : frame.pj)
      if (!(pj >= 0 && pj <= 1e30))
        return fmt::format("frame {} with {} pJ in a tile", f, pj);
    for (double celsius : frame.celsius)
      if (!(celsius >= -273.15 && celsius <= 1e30))
        return fmt::format("frame {} with a tile of {} °C", f, celsius);
  }
  return "";
}

/// Each link starts where the packet has come before, and each end is there, too.
std::string wayFault(const TimeLapse &lapse, const PacketWay &way) {
  if (way.source >= lapse.mesh.tiles() || way.injectedCycle < way.madeCycle)
    return fmt::format("a packet from tile {}, made in cycle {} and sent in {}", way.source,
                       way.madeCycle, way.injectedCycle);
  std::set<TileId> reached{way.source};
  auto isReached = [&](TileId router) { return reached.count(router) > 0; };
  uint64_t last = way.injectedCycle;
  for (const WayHop &hop : way.hops) {
    if (hop.link >= lapse.links.size() || !isReached(lapse.links[hop.link].from))
      return fmt::format("a packet from tile {} over link {}, where it has not come", way.source,
                         hop.link);
    if (hop.headCycle < last || hop.tailCycle < hop.headCycle)
      return fmt::format("a packet from tile {} whose head passes link {} in cycle {}, after {}, "
                         "and its tail in {}",
                         way.source, hop.link, hop.headCycle, last, hop.tailCycle);
    last = hop.headCycle;
    reached.insert(lapse.links[hop.link].to);
  }
  if (way.ends.empty())
    return fmt::format("a packet from tile {} to no tile", way.source);
  for (size_t i = 1; i < way.ends.size(); ++i)
    if (way.ends[i - 1].tile >= way.ends[i].tile)
      return fmt::format("a packet from tile {} whose targets do not ascend at {}", way.source,
                         way.ends[i].tile);
  for (const WayEnd &end : way.ends)
    if (!isReached(end.tile) || end.headCycle < way.injectedCycle || end.tailCycle < end.headCycle)
      return fmt::format("a packet from tile {} that tile {} receives in the cycles {} to {}",
                         way.source, end.tile, end.headCycle, end.tailCycle);
  return "";
}

std::string faultOf(const TimeLapse &lapse) {
  for (auto faultIn : {headFault, framesFault})
    if (std::string fault = faultIn(lapse); !fault.empty())
      return fault;
  for (const SpikeWay &spike : lapse.ways) {
    if (spike.packets.empty())
      return fmt::format("a spike of '{}' without a packet", spike.layer.substr(0, 80));
    for (const PacketWay &way : spike.packets)
      if (std::string fault = wayFault(lapse, way); !fault.empty())
        return fault;
  }
  return "";
}

} // namespace

static void describe(auto &file, MaybeConst<LapseLink> auto &link) {
  file.entries(link.from, link.to);
}

static void describe(auto &file, MaybeConst<LapseFrame> auto &frame) {
  file.field("begin_cycle", frame.beginCycle);
  file.field("end_cycle", frame.endCycle);
  file.field("link_flits", frame.linkFlits);
  file.field("source_cycles", frame.sourceCycles);
  file.field("router_cycles", frame.routerCycles);
  file.field("pj", frame.pj);
  file.fieldUnless("celsius", frame.celsius, {});
}

static void describe(auto &file, MaybeConst<WayHop> auto &hop) {
  file.entries(hop.link, hop.headCycle, hop.tailCycle);
}

static void describe(auto &file, MaybeConst<WayEnd> auto &end) {
  file.entries(end.tile, end.headCycle, end.tailCycle);
}

static void describe(auto &file, MaybeConst<PacketWay> auto &way) {
  file.field("source", way.source);
  file.field("made_cycle", way.madeCycle);
  file.field("injected_cycle", way.injectedCycle);
  file.field("hops", way.hops);
  file.field("ends", way.ends);
}

static void describe(auto &file, MaybeConst<SpikeWay> auto &spike) {
  file.field("layer", spike.layer);
  file.field("neuron", spike.neuron);
  file.field("step", spike.step);
  file.field("packets", spike.packets);
}

static void describe(auto &file, MaybeConst<TimeLapse> auto &lapse) {
  file.field("chip", lapse.chip);
  file.field("mesh", lapse.mesh);
  file.field("clock_mhz", lapse.clockMhz);
  file.field("synchronisation", lapse.synchronisation);
  file.field("steps", lapse.steps);
  file.field("slots", lapse.slots);
  file.field("slots_per_frame", lapse.slotsPerFrame);
  file.field("links", lapse.links);
  file.field("frames", lapse.frames);
  file.field("spikes", lapse.spikes);
  file.field("ways", lapse.ways);
}

llvm::Error verify(const TimeLapse &lapse) {
  std::string fault = faultOf(lapse);
  return fault.empty() ? llvm::Error::success() : checkError("time-lapse", fault);
}

llvm::Error writeTimeLapse(const std::string &path, const TimeLapse &lapse) {
  return writeDescribed(path, kTimeLapseFormat, lapse);
}

llvm::Expected<TimeLapse> readTimeLapse(const std::string &path) {
  SPINDLE_ASSIGN(TimeLapse lapse, readDescribed<TimeLapse>(path, kTimeLapseFormat));
  if (std::string fault = faultOf(lapse); !fault.empty())
    return inputError(path, "not a valid time-lapse: " + fault);
  return lapse;
}

} // namespace spindle
