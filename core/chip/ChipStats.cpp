#include "core/chip/ChipStats.h"

#include "core/chip/MeshFile.h"
#include "core/support/formats/JsonMapping.h"

#include "fmt/format.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace spindle {

namespace {

constexpr FileFormat kChipStatsFormat = {"spindle-chip-stats", 4};

template <typename Values> uint64_t sumOf(const Values &values) {
  return std::accumulate(values.begin(), values.end(), uint64_t(0));
}

bool nearlyEqual(double a, double b) {
  return std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b));
}

std::string totalsFault(const ChipStats &stats) {
  if (stats.samples == 0 || stats.steps == 0 || !(stats.clockMhz > 0))
    return fmt::format("{} samples of {} steps at {} MHz", stats.samples, stats.steps,
                       stats.clockMhz);
  if (std::string fault = faultOf(stats.mesh); !fault.empty())
    return fault;
  if (stats.packets != stats.spikePackets + stats.partialSumPackets)
    return fmt::format("{} packets, but {} of spikes and {} of partial sums", stats.packets,
                       stats.spikePackets, stats.partialSumPackets);
  if (stats.tileSpikes.size() != stats.mesh.tiles() ||
      stats.tileSynapticEvents.size() != stats.mesh.tiles())
    return fmt::format("figures of {} and {} tiles on a mesh of {}", stats.tileSpikes.size(),
                       stats.tileSynapticEvents.size(), stats.mesh.tiles());
  if (uint64_t sum = sumOf(stats.tileSynapticEvents); sum != stats.synapticEvents)
    return fmt::format("{} synaptic events, but the tiles add up to {}", stats.synapticEvents, sum);
  if (stats.deliveries < stats.packets)
    return fmt::format("{} packets, but {} deliveries", stats.packets, stats.deliveries);
  bool plausible = stats.packets == 0
                       ? stats.latencyMeanCycles == 0 && stats.latencyMaxCycles == 0
                       : stats.latencyMeanCycles > 0 &&
                             stats.latencyMeanCycles <= double(stats.latencyMaxCycles) * (1 + 1e-9);
  if (!plausible)
    return fmt::format("a mean latency of {} and a maximum of {} cycles over {} packets",
                       stats.latencyMeanCycles, stats.latencyMaxCycles, stats.packets);
  if (stats.latencyP50Cycles > stats.latencyP99Cycles ||
      stats.latencyP99Cycles > stats.latencyMaxCycles ||
      !(stats.networkLatencyMeanCycles <= stats.latencyMeanCycles * (1 + 1e-9)))
    return fmt::format("latencies of {} cycles at half of the packets, {} at 99 %, {} at most, and "
                       "{} on average from the injection, {} in all",
                       stats.latencyP50Cycles, stats.latencyP99Cycles, stats.latencyMaxCycles,
                       stats.networkLatencyMeanCycles, stats.latencyMeanCycles);
  return "";
}

std::string trafficFault(const ChipStats &stats) {
  const TrafficStats &traffic = stats.traffic;
  uint64_t flitHops = 0;
  for (const LinkLoad &link : stats.links)
    flitHops += link.flits;
  if (traffic.flitHops != flitHops)
    return fmt::format("{} flit-hops, but the links carry {}", traffic.flitHops, flitHops);
  if (stats.networkLatencyP50Cycles > stats.networkLatencyP99Cycles ||
      stats.networkLatencyP99Cycles > stats.networkLatencyMaxCycles ||
      stats.networkLatencyMaxCycles > stats.latencyMaxCycles)
    return fmt::format("latencies from the injection of {} cycles at half of the packets, {} at "
                       "99 %, {} at most, and {} at most in all",
                       stats.networkLatencyP50Cycles, stats.networkLatencyP99Cycles,
                       stats.networkLatencyMaxCycles, stats.latencyMaxCycles);
  if (!(traffic.disorder >= 0 && traffic.disorder <= 1))
    return fmt::format("a disorder of {}, expected 0 to 1", traffic.disorder);
  if (stats.lateRowReads > stats.rowReads)
    return fmt::format("{} late row reads of {}", stats.lateRowReads, stats.rowReads);
  return "";
}

std::string linksFault(const ChipStats &stats) {
  for (size_t i = 0; i < stats.links.size(); ++i) {
    const LinkLoad &link = stats.links[i];
    if (link.from >= stats.mesh.routers() || link.to >= stats.mesh.routers() ||
        stats.mesh.hops(link.from, link.to) != 1)
      return fmt::format("link {} -> {} does not join neighbours", link.from, link.to);
    if (link.flits == 0)
      return fmt::format("link {} -> {} carries nothing", link.from, link.to);
    if (i > 0 &&
        std::pair(stats.links[i - 1].from, stats.links[i - 1].to) >= std::pair(link.from, link.to))
      return fmt::format("the links do not ascend at {} -> {}", link.from, link.to);
  }
  return "";
}

std::string energyFault(const ChipStats &stats) {
  double total = 0;
  for (const EnergyPart &part : stats.energy) {
    if (!(part.pj >= 0) || !std::isfinite(part.pj))
      return fmt::format("energy part '{}' is {} pJ", part.name, part.pj);
    total += part.pj;
  }
  if (!nearlyEqual(total, stats.energyTotalPj))
    return fmt::format("{} pJ in total, but the parts add up to {}", stats.energyTotalPj, total);
  uint64_t hopsX = 0, hopsY = 0, chipLinks = 0;
  for (const LinkLoad &link : stats.links) {
    hopsX += link.flits * stats.mesh.hopsX(link.from, link.to);
    hopsY += link.flits * stats.mesh.hopsY(link.from, link.to);
    chipLinks += link.flits * stats.mesh.crossings(link.from, link.to);
  }
  for (const EnergyPart &part : stats.energy)
    if ((part.name == "hop_x" && part.events != hopsX) ||
        (part.name == "hop_y" && part.events != hopsY))
      return fmt::format("energy part '{}' counts {} hops, the links carry {} along x and {} "
                         "along y",
                         part.name, part.events, hopsX, hopsY);
    else if (part.name == "chip_link" && part.events != chipLinks)
      return fmt::format("energy part 'chip_link' counts {} flits, the links between chips carry "
                         "{}",
                         part.events, chipLinks);
  return "";
}

/// The same energy divided in three ways.
std::string divisionFault(const ChipStats &stats) {
  double tiles = 0, layers = stats.sharedPj, links = 0, hops = 0;
  std::map<std::string, double> kinds, kindsOfTiles;
  for (auto [kind, values] : {std::pair{"dynamic", &stats.tileDynamicPj},
                              {"clock", &stats.tileClockPj},
                              {"leakage", &stats.tileLeakagePj}}) {
    if (values->size() != stats.mesh.tiles())
      return fmt::format("{} energies of {} tiles on a mesh of {}", kind, values->size(),
                         stats.mesh.tiles());
    for (double pj : *values) {
      tiles += pj;
      kindsOfTiles[kind] += pj;
    }
  }
  for (const LayerEnergy &layer : stats.layers)
    layers += layer.pj;
  for (const LinkLoad &link : stats.links)
    links += link.pj;
  for (const EnergyPart &part : stats.energy) {
    bool isHop = part.name == "hop_x" || part.name == "hop_y" || part.name == "chip_link";
    hops += isHop ? part.pj : 0;
    kinds[part.kind.substr(0, part.kind.find('_'))] += part.pj;
  }
  if (!nearlyEqual(tiles, stats.energyTotalPj))
    return fmt::format("{} pJ in total, but the tiles add up to {}", stats.energyTotalPj, tiles);
  for (const auto &[kind, pj] : kinds)
    if (!nearlyEqual(pj, kindsOfTiles[kind]))
      return fmt::format("{} pJ of kind {}, but the tiles add up to {}", pj, kind,
                         kindsOfTiles[kind]);
  if (!nearlyEqual(layers, stats.energyTotalPj))
    return fmt::format("{} pJ in total, but layers and what they share add up to {}",
                       stats.energyTotalPj, layers);
  if (!nearlyEqual(links, hops))
    return fmt::format("{} pJ of hops, but the links add up to {}", hops, links);
  if (!stats.tileCelsius.empty() && stats.tileCelsius.size() != stats.mesh.tiles())
    return fmt::format("temperatures of {} tiles on a mesh of {}", stats.tileCelsius.size(),
                       stats.mesh.tiles());
  return "";
}

std::string circuitsFault(const ChipStats &stats) {
  size_t steps = size_t(stats.samples) * stats.steps;
  for (const CircuitStats &circuit : stats.circuits)
    if (circuit.tile >= stats.mesh.tiles() || circuit.stepCycles.size() != steps ||
        circuit.circuitCycles.size() != steps)
      return fmt::format("a circuit in tile {} of {} with cycles of {} and {} steps, expected {}",
                         circuit.tile, stats.mesh.tiles(), circuit.stepCycles.size(),
                         circuit.circuitCycles.size(), steps);
  return "";
}

std::string faultOf(const ChipStats &stats) {
  for (auto faultIn :
       {totalsFault, linksFault, energyFault, divisionFault, trafficFault, circuitsFault})
    if (std::string fault = faultIn(stats); !fault.empty())
      return fault;
  return "";
}

} // namespace

llvm::Error verify(const ChipStats &stats) {
  std::string fault = faultOf(stats);
  return fault.empty() ? llvm::Error::success() : checkError("chip simulation", fault);
}

static void describe(auto &file, MaybeConst<LinkLoad> auto &link) {
  file.field("from", link.from);
  file.field("to", link.to);
  file.field("flits", link.flits);
  file.field("pj", link.pj);
}

static void describe(auto &file, MaybeConst<EnergyPart> auto &part) {
  file.field("name", part.name);
  file.field("events", part.events);
  file.field("pj", part.pj);
  file.field("source", part.source);
  file.field("kind", part.kind);
}

static void describe(auto &file, MaybeConst<LayerEnergy> auto &layer) {
  file.field("name", layer.name);
  file.field("pj", layer.pj);
}

static void describe(auto &file, MaybeConst<MostRead> auto &row) {
  file.field("tile", row.tile);
  file.field("crossbar", row.crossbar);
  file.field("neuron", row.neuron);
  file.field("reads", row.reads);
  file.optional("life_years", row.lifeYears);
}

static void describe(auto &file, MaybeConst<WaitCount> auto &wait) {
  file.field("part", wait.part);
  file.field("slots", wait.slots);
}

static void describe(auto &file, MaybeConst<TrafficStats> auto &traffic) {
  file.field("fan_out_mean", traffic.fanOutMean);
  file.field("fan_out_max", traffic.fanOutMax);
  file.field("flit_hops", traffic.flitHops);
  file.field("hops_mean", traffic.hopsMean);
  file.field("flits_per_cycle_node", traffic.flitsPerCycleNode);
  file.field("buffered_flits_mean", traffic.bufferedFlitsMean);
  file.field("blocked_flit_cycles", traffic.blockedFlitCycles);
  file.field("isi_distortion_mean_cycles", traffic.isiDistortionMeanCycles);
  file.field("isi_distortion_max_cycles", traffic.isiDistortionMaxCycles);
  file.field("isi_worst_mean_cycles", traffic.isiWorstMeanCycles);
  file.field("isi_worst_neuron", traffic.isiWorstNeuron);
  file.field("isi_worst_tile", traffic.isiWorstTile);
  file.field("disorder", traffic.disorder);
}

static void describe(auto &file, MaybeConst<GatingStats::Parts> auto &parts) {
  file.field("granularity", parts.granularity);
  file.field("on_cycles", parts.onCycles);
  file.field("gated_cycles", parts.gatedCycles);
  file.field("wakes", parts.wakes);
}

static void describe(auto &file, MaybeConst<GatingStats> auto &gating) {
  file.field("on_cycles", gating.onCycles);
  file.field("gated_cycles", gating.gatedCycles);
  file.field("wakes", gating.wakes);
  file.field("wait_cycles", gating.waitCycles);
  file.optional("parts", gating.parts);
}

static void describe(auto &file, MaybeConst<CircuitStats> auto &circuit) {
  file.field("tile", circuit.tile);
  file.field("layer", circuit.layer);
  file.field("spikes", circuit.spikes);
  file.field("packets", circuit.packets);
  file.field("step_cycles", circuit.stepCycles);
  file.field("circuit_cycles", circuit.circuitCycles);
}

static void describe(auto &file, MaybeConst<ChipStats> auto &stats) {
  file.field("chip", stats.chip);
  file.field("mesh", stats.mesh);
  file.field("samples", stats.samples);
  file.field("steps", stats.steps);
  file.field("clock_mhz", stats.clockMhz);
  file.field("synchronisation", stats.synchronisation);
  file.field("cycles", stats.cycles);
  file.field("steady_cycles_per_sample", stats.steadyCyclesPerSample);
  file.fieldUnless("waits", stats.waits, {});
  file.field("row_reads", stats.rowReads);
  file.field("late_row_reads", stats.lateRowReads);
  file.field("lateness_max_cycles", stats.latenessMaxCycles);
  file.field("packets", stats.packets);
  file.field("spike_packets", stats.spikePackets);
  file.field("partial_sum_packets", stats.partialSumPackets);
  file.field("deliveries", stats.deliveries);
  file.field("local_deliveries", stats.localDeliveries);
  file.field("latency_mean_cycles", stats.latencyMeanCycles);
  file.field("latency_max_cycles", stats.latencyMaxCycles);
  file.field("latency_p50_cycles", stats.latencyP50Cycles);
  file.field("latency_p99_cycles", stats.latencyP99Cycles);
  file.field("network_latency_mean_cycles", stats.networkLatencyMeanCycles);
  file.field("network_latency_max_cycles", stats.networkLatencyMaxCycles);
  file.field("network_latency_p50_cycles", stats.networkLatencyP50Cycles);
  file.field("network_latency_p99_cycles", stats.networkLatencyP99Cycles);
  file.field("traffic", stats.traffic);
  file.field("synaptic_events", stats.synapticEvents);
  file.field("tile_spikes", stats.tileSpikes);
  file.field("tile_synaptic_events", stats.tileSynapticEvents);
  file.field("links", stats.links);
  file.field("energy", stats.energy);
  file.field("energy_total_pj", stats.energyTotalPj);
  file.field("tile_dynamic_pj", stats.tileDynamicPj);
  file.field("tile_clock_pj", stats.tileClockPj);
  file.field("tile_leakage_pj", stats.tileLeakagePj);
  file.fieldUnless("tile_celsius", stats.tileCelsius, {});
  file.field("layers", stats.layers);
  file.field("shared_pj", stats.sharedPj);
  file.optional("most_read", stats.mostRead);
  file.optional("gating", stats.gating);
  file.fieldUnless("circuits", stats.circuits, {});
}

llvm::Error writeChipStats(const std::string &path, const ChipStats &stats) {
  return writeDescribed(path, kChipStatsFormat, stats);
}

llvm::Expected<ChipStats> readChipStats(const std::string &path) {
  SPINDLE_ASSIGN(ChipStats stats, readDescribed<ChipStats>(path, kChipStatsFormat));
  if (std::string fault = faultOf(stats); !fault.empty())
    return inputError(path, "not valid chip statistics: " + fault);
  return stats;
}

} // namespace spindle
