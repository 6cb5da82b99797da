#include "core/chip/ChipStats.h"

#include "core/chip/MeshFile.h"
#include "core/support/formats/JsonValues.h"

#include "fmt/format.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace spindle {

namespace {

constexpr FileFormat kChipStatsFormat = {"spindle-chip-stats", 2};

template <typename Values> uint64_t sumOf(const Values &values) {
  return std::accumulate(values.begin(), values.end(), uint64_t(0));
}

bool nearlyEqual(double a, double b) {
  return std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b));
}

std::string totalsProblem(const ChipStats &stats) {
  if (stats.samples == 0 || stats.steps == 0 || !(stats.clockMhz > 0))
    return fmt::format("{} samples of {} steps at {} MHz", stats.samples, stats.steps,
                       stats.clockMhz);
  if (std::max(stats.mesh.columns, stats.mesh.rows) > kLongestMeshSide)
    return fmt::format("a mesh of {}x{} tiles, expected at most {} on a side", stats.mesh.columns,
                       stats.mesh.rows, kLongestMeshSide);
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

std::string linksProblem(const ChipStats &stats) {
  for (size_t i = 0; i < stats.links.size(); ++i) {
    const LinkLoad &link = stats.links[i];
    if (link.from >= stats.mesh.tiles() || link.to >= stats.mesh.tiles() ||
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

std::string energyProblem(const ChipStats &stats) {
  double total = 0;
  for (const EnergyPart &part : stats.energy) {
    if (!(part.pj >= 0) || !std::isfinite(part.pj))
      return fmt::format("energy part '{}' is {} pJ", part.name, part.pj);
    total += part.pj;
  }
  if (!nearlyEqual(total, stats.energyTotalPj))
    return fmt::format("{} pJ in total, but the parts add up to {}", stats.energyTotalPj, total);
  uint64_t hopsX = 0, hopsY = 0;
  for (const LinkLoad &link : stats.links)
    (stats.mesh.y(link.from) == stats.mesh.y(link.to) ? hopsX : hopsY) += link.flits;
  for (const EnergyPart &part : stats.energy)
    if ((part.name == "hop_x" && part.events != hopsX) ||
        (part.name == "hop_y" && part.events != hopsY))
      return fmt::format("energy part '{}' counts {} hops, the links carry {} along x and {} "
                         "along y",
                         part.name, part.events, hopsX, hopsY);
  return "";
}

std::string problemOf(const ChipStats &stats) {
  for (auto problemIn : {totalsProblem, linksProblem, energyProblem})
    if (std::string problem = problemIn(stats); !problem.empty())
      return problem;
  return "";
}

Json energyToJson(const std::vector<EnergyPart> &energy) {
  Json parts = Json::array();
  for (const EnergyPart &part : energy)
    parts.push_back(
        {{"name", part.name}, {"events", part.events}, {"pj", part.pj}, {"source", part.source}});
  return parts;
}

template <typename Integer> void readUnsigned(const Json &json, const char *key, Integer &value) {
  value = unsignedAt<Integer>(json, key);
}

ChipStats statsFromJson(const Json &json) {
  ChipStats stats;
  stats.chip = textAt(json, "chip");
  stats.mesh = meshFromJson(memberAt(json, "mesh"));
  readUnsigned(json, "samples", stats.samples);
  readUnsigned(json, "steps", stats.steps);
  stats.clockMhz = numberAt(json, "clock_mhz");
  readUnsigned(json, "cycles", stats.cycles);
  readUnsigned(json, "packets", stats.packets);
  readUnsigned(json, "spike_packets", stats.spikePackets);
  readUnsigned(json, "partial_sum_packets", stats.partialSumPackets);
  readUnsigned(json, "deliveries", stats.deliveries);
  readUnsigned(json, "local_deliveries", stats.localDeliveries);
  stats.latencyMeanCycles = numberAt(json, "latency_mean_cycles");
  readUnsigned(json, "latency_max_cycles", stats.latencyMaxCycles);
  readUnsigned(json, "latency_p50_cycles", stats.latencyP50Cycles);
  readUnsigned(json, "latency_p99_cycles", stats.latencyP99Cycles);
  stats.networkLatencyMeanCycles = numberAt(json, "network_latency_mean_cycles");
  readUnsigned(json, "synaptic_events", stats.synapticEvents);
  stats.tileSpikes = unsignedListAt<uint64_t>(json, "tile_spikes");
  stats.tileSynapticEvents = unsignedListAt<uint64_t>(json, "tile_synaptic_events");
  for (const Json &link : listAt(json, "links"))
    stats.links.push_back({unsignedAt<TileId>(link, "from"), unsignedAt<TileId>(link, "to"),
                           unsignedAt<uint64_t>(link, "flits")});
  for (const Json &part : listAt(json, "energy"))
    stats.energy.push_back({textAt(part, "name"), unsignedAt<uint64_t>(part, "events"),
                            numberAt(part, "pj"), textAt(part, "source")});
  stats.energyTotalPj = numberAt(json, "energy_total_pj");
  return stats;
}

} // namespace

llvm::Error verify(const ChipStats &stats) {
  std::string problem = problemOf(stats);
  return problem.empty() ? llvm::Error::success() : checkError("chip simulation", problem);
}

llvm::Error writeChipStats(const std::string &path, const ChipStats &stats) {
  Json json = jsonHeader(kChipStatsFormat);
  json["chip"] = stats.chip;
  json["mesh"] = meshToJson(stats.mesh);
  json["samples"] = stats.samples;
  json["steps"] = stats.steps;
  json["clock_mhz"] = stats.clockMhz;
  json["cycles"] = stats.cycles;
  json["packets"] = stats.packets;
  json["spike_packets"] = stats.spikePackets;
  json["partial_sum_packets"] = stats.partialSumPackets;
  json["deliveries"] = stats.deliveries;
  json["local_deliveries"] = stats.localDeliveries;
  json["latency_mean_cycles"] = stats.latencyMeanCycles;
  json["latency_max_cycles"] = stats.latencyMaxCycles;
  json["latency_p50_cycles"] = stats.latencyP50Cycles;
  json["latency_p99_cycles"] = stats.latencyP99Cycles;
  json["network_latency_mean_cycles"] = stats.networkLatencyMeanCycles;
  json["synaptic_events"] = stats.synapticEvents;
  json["tile_spikes"] = stats.tileSpikes;
  json["tile_synaptic_events"] = stats.tileSynapticEvents;
  json["links"] = Json::array();
  for (const LinkLoad &link : stats.links)
    json["links"].push_back({{"from", link.from}, {"to", link.to}, {"flits", link.flits}});
  json["energy"] = energyToJson(stats.energy);
  json["energy_total_pj"] = stats.energyTotalPj;
  return writeJson(path, json);
}

llvm::Expected<ChipStats> readChipStats(const std::string &path) {
  SPINDLE_ASSIGN(Json json, readJson(path, kChipStatsFormat));
  SPINDLE_ASSIGN(ChipStats stats, parseJson<ChipStats>(path, json, statsFromJson));
  if (std::string problem = problemOf(stats); !problem.empty())
    return inputError(path, "not valid chip statistics: " + problem);
  return stats;
}

} // namespace spindle
