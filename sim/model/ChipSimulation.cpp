#include "sim/model/ChipSimulation.h"

#include "core/chip/routing/ChannelDependences.h"
#include "core/network/SpikeTrace.h"
#include "core/network/SpikingGraph.h"
#include "core/support/formats/Yaml.h"
#include "sim/model/StepSimulation.h"
#include "sim/model/energy/RouterCycles.h"
#include "sim/model/energy/TemperatureGrid.h"
#include "sim/model/router/ClockedNetwork.h"

#include "fmt/format.h"

#include <algorithm>
#include <optional>

namespace spindle {

void readChipOptions(YamlReader &reader, ChipOptions &options) {
  int64_t samples = options.samples;
  reader.read("samples", samples, 1, 1'000'000);
  options.samples = static_cast<uint32_t>(samples);
  reader.read("trace", options.trace);
  reader.readEnum("engine", options.engine, kEngineNames);
  reader.readEnum("late", options.late, kLateSpikesNames);
  if (!reader.has("tiles"))
    return;
  for (YamlReader &tile : reader.sequence("tiles")) {
    CircuitOption option;
    option.isPlaced = tile.has("at");
    option.place = tile.place(option.isPlaced ? "at" : "rtl");
    tile.require("rtl");
    tile.read("rtl", option.rtl);
    std::vector<int64_t> at = {0, 0};
    tile.read("at", at);
    if (at.size() != 2)
      tile.fail("at", fmt::format("found {} numbers, expected the column and the row of a tile, as "
                                  "at: [1, 2]",
                                  at.size()));
    else
      option.x = at[0], option.y = at[1];
    options.tiles.push_back(std::move(option));
  }
}

/// A neuron that spikes on the chip needs a column there.
static llvm::Error checkColumns(const Clustering &clustering, const SpikeTrace &trace) {
  std::vector<bool> hasColumn(clustering.neurons);
  for (const Unit &unit : clustering.units)
    hasColumn[unit.neuron] = true;
  for (const Population &population : trace.populations)
    for (NeuronId n = population.first; n < population.first + population.size; ++n)
      if (population.kind != PopulationKind::Input && !hasColumn[n])
        return inputError("", fmt::format("neuron {} of population '{}' has no column in the "
                                          "clustering; partition the graph of this trace again",
                                          n - population.first, population.name));
  return llvm::Error::success();
}

/// Routers that go xy or by tables know one way; another route in the mapping would be ignored. The
/// others make routes of their own from the two ends.
static llvm::Error checkRoutes(const Mapping &mapping, const Chip &chip) {
  bool isXY = chip.router.routing == Routing::XY;
  if (!isXY && chip.router.routing != Routing::UpDown)
    return llvm::Error::success();
  Ways ways(chip);
  for (const Route &route : mapping.routes)
    if (route.tiles != ways.route(route.tiles.front(), route.tiles.back()))
      return inputError("", fmt::format("the route from tile {} to tile {} does not go {}, as the "
                                        "routers of the chip do",
                                        route.tiles.front(), route.tiles.back(),
                                        isXY ? "along x first, then along y"
                                             : "up, then down (routing up_down)"));
  return llvm::Error::success();
}

static llvm::Error checkInput(const Clustering &clustering, const Mapping &mapping,
                              const SpikeTrace &trace, const Chip &chip) {
  SPINDLE_RETURN_IF_ERROR(verify(trace));
  SPINDLE_RETURN_IF_ERROR(verify(clustering));
  if (clustering.rows > chip.crossbar.rows || clustering.columns > chip.crossbar.columns)
    return inputError(chip.path, fmt::format("crossbars of {}x{}, but the clusters were made for "
                                             "{}x{}; partition again for this chip",
                                             chip.crossbar.rows, chip.crossbar.columns,
                                             clustering.rows, clustering.columns));
  if (mapping.chip != chip.name || !(mapping.mesh == chip.mesh))
    return inputError(chip.path,
                      fmt::format("chip '{}' of {}x{} tiles{}, but the mapping was made for "
                                  "'{}' of {}x{}{}; map again for this chip",
                                  chip.name, chip.mesh.columns, chip.mesh.rows, hostText(chip.mesh),
                                  mapping.chip, mapping.mesh.columns, mapping.mesh.rows,
                                  hostText(mapping.mesh)));
  SPINDLE_RETURN_IF_ERROR(verify(mapping, clustering, chip));
  if (neuronCount(trace.populations) != clustering.neurons)
    return inputError("", fmt::format("the spike trace has {} neurons, the clustering {}; "
                                      "partition the graph of this trace again",
                                      neuronCount(trace.populations), clustering.neurons));
  if (trace.recorded.empty())
    return inputError("", "the spike trace holds no recorded sample; emulate again with "
                          "record_samples of at least 1");
  SPINDLE_RETURN_IF_ERROR(checkDeadlockFree(chip));
  SPINDLE_RETURN_IF_ERROR(checkRoutes(mapping, chip));
  return checkColumns(clustering, trace);
}

/// Of counts by latency: the least one that so many percent do not exceed.
static uint64_t percentileOf(const std::vector<uint64_t> &counts, uint64_t all, uint64_t percent) {
  uint64_t latency = 0, upTo = counts[0];
  while (100 * upTo < percent * all)
    upTo += counts[++latency];
  return latency;
}

static double meanOf(const std::vector<uint64_t> &counts, uint64_t all) {
  uint64_t sum = 0;
  for (uint64_t latency = 0; latency < counts.size(); ++latency)
    sum += latency * counts[latency];
  return double(sum) / double(all);
}

static void setLatencies(ChipStats &stats, const StepSimulation &simulation) {
  if (stats.deliveries == 0)
    return;
  const std::vector<uint64_t> &counts = simulation.latencyCounts;
  stats.latencyMeanCycles = meanOf(counts, stats.deliveries);
  stats.latencyMaxCycles = counts.size() - 1;
  stats.latencyP50Cycles = percentileOf(counts, stats.deliveries, 50);
  stats.latencyP99Cycles = percentileOf(counts, stats.deliveries, 99);
  const std::vector<uint64_t> &network = simulation.networkLatencyCounts;
  stats.networkLatencyMeanCycles = meanOf(network, stats.deliveries);
  stats.networkLatencyMaxCycles = network.size() - 1;
  stats.networkLatencyP50Cycles = percentileOf(network, stats.deliveries, 50);
  stats.networkLatencyP99Cycles = percentileOf(network, stats.deliveries, 99);
}

static void setTraffic(ChipStats &stats, const StepSimulation &simulation,
                       const PacketNetwork &network) {
  TrafficStats &traffic = stats.traffic;
  for (const LinkLoad &link : stats.links)
    traffic.flitHops += link.flits;
  if (simulation.spikesOut > 0)
    traffic.fanOutMean = double(simulation.spikeTargets) / double(simulation.spikesOut);
  traffic.fanOutMax = simulation.mostSpikeTargets;
  if (stats.deliveries > 0)
    traffic.hopsMean = double(simulation.hopsSum) / double(stats.deliveries);
  BufferUse use = network.bufferUse();
  if (stats.cycles > 0) {
    traffic.flitsPerCycleNode =
        double(simulation.flitsReceived) / double(stats.cycles) / stats.mesh.tiles();
    traffic.bufferedFlitsMean = double(use.flitCycles) / double(stats.cycles);
  }
  traffic.blockedFlitCycles = use.flitCycles - use.leastCycles;
  simulation.timing.fill(traffic);
}

static void countRouters(std::vector<EventCounts> &tiles, ChipStats &stats,
                         const PacketNetwork &network, const Chip &chip) {
  EventCounts all;
  for (TileId router = 0; router < chip.mesh.routers(); ++router) {
    if (!carriesPackets(network, router))
      continue;
    EventCounts counts;
    addRouterCycles(counts, network.gatingUse(router, stats.cycles), stats.cycles, chip.router);
    tiles[chip.mesh.tileBelow(router)] += counts;
    all += counts;
  }
  if (!chip.router.gating)
    return;
  stats.gating = {all.routerOnCycles, all.routerGatedCycles, all.routerWakes,
                  network.gatingUse(stats.cycles).waitCycles};
  if (gatedParts(chip.router) > 0)
    stats.gating->parts = {kGranularityNames[static_cast<size_t>(chip.router.gating->granularity)],
                           all.partOnCycles, all.partGatedCycles, all.partWakes};
}

/// The energy of all, by part; the same by tile and kind, by link, and by layer.
static void setEnergy(ChipStats &stats, const StepSimulation &simulation,
                      const PacketNetwork &network, const SpikeTrace &trace, const Chip &chip) {
  std::vector<EventCounts> tiles = simulation.tileCounts;
  countRouters(tiles, stats, network, chip);
  EventCounts all;
  for (const EventCounts &counts : tiles) {
    all += counts;
    std::vector<EnergyPart> parts = priceEvents(counts, chip);
    stats.tileDynamicPj.push_back(pjOf(parts, kEnergyDynamic));
    stats.tileClockPj.push_back(pjOf(parts, kEnergyClock));
    stats.tileLeakagePj.push_back(pjOf(parts, kEnergyLeakageOn) + pjOf(parts, kEnergyLeakageGated));
  }
  stats.energy = priceEvents(all, chip);
  stats.energyTotalPj = pjOf(stats.energy, "");
  stats.synapticEvents = all.synapticEvents.all();
  EventCounts shared = all; // the events that no layer has
  shared.synapticEvents = 0;
  shared.hopsX = shared.hopsY = shared.chipLinks = shared.axonsOut = shared.axonsIn =
      shared.partialSums = shared.neuronUpdates = shared.neuronAccesses = shared.neuronSpikes = 0;
  stats.sharedPj = pjOf(priceEvents(shared, chip), "");
  for (size_t layer = 0; layer < simulation.layerCounts.size(); ++layer)
    stats.layers.push_back({trace.populations[layer].name,
                            pjOf(priceEvents(simulation.layerCounts[layer], chip), "")});
  for (LinkLoad &link : stats.links) {
    link.pj = double(link.flits) * chip.hopsPj(link.from, link.to);
  }
  if (!chip.thermal || stats.cycles == 0)
    return;
  double seconds = double(stats.cycles) * 1e-6 / chip.clockMhz.value;
  std::vector<double> watts;
  for (TileId tile = 0; tile < chip.mesh.tiles(); ++tile)
    watts.push_back(
        (stats.tileDynamicPj[tile] + stats.tileClockPj[tile] + stats.tileLeakagePj[tile]) * 1e-12 /
        seconds);
  stats.tileCelsius = tileTemperatures(chip.mesh, *chip.thermal, watts);
}

/// All cells of a row are read as often; of several rows the first.
static std::optional<MostRead> mostReadRow(const ChipStats &stats, const StepSimulation &simulation,
                                           const SpikeFanOut &fanOut, const Mapping &mapping,
                                           uint32_t neurons, const Chip &chip) {
  std::optional<MostRead> most;
  const Stop *first = neurons > 0 ? fanOut.stops(0).data() : nullptr;
  for (NeuronId neuron = 0; neuron < neurons; ++neuron)
    for (const Stop &stop : fanOut.stops(neuron)) {
      uint64_t reads = simulation.rowsRead[static_cast<size_t>(&stop - first)];
      if (reads > (most ? most->reads : 0))
        most = {stop.tile, mapping.placements[stop.cluster].crossbar, neuron, reads, std::nullopt};
    }
  if (!most || chip.crossbar.readEndurance.source.empty())
    return most;
  double seconds = double(stats.cycles) * 1e-6 / chip.clockMhz.value;
  constexpr double secondsPerYear = 365.25 * 24 * 3600;
  most->lifeYears =
      chip.crossbar.readEndurance.value / (double(most->reads) / seconds) / secondsPerYear;
  return most;
}

static ChipStats statsOf(const StepSimulation &simulation, const PacketNetwork &network,
                         const Chip &chip) {
  ChipStats stats;
  stats.chip = chip.name;
  stats.mesh = chip.mesh;
  stats.clockMhz = chip.clockMhz.value;
  stats.synchronisation = kSynchronisationNames[static_cast<size_t>(chip.synchronisation)];
  stats.cycles = simulation.cycles;
  if (chip.synchronisation != Synchronisation::Free)
    stats.waits = simulation.waits.counts();
  stats.rowReads = simulation.rowReads;
  stats.lateRowReads = simulation.lateRowReads;
  stats.latenessMaxCycles = simulation.latenessMaxCycles;
  stats.spikePackets = simulation.spikePackets;
  stats.partialSumPackets = simulation.partialSumPackets;
  stats.packets = stats.spikePackets + stats.partialSumPackets;
  stats.localDeliveries = simulation.localDeliveries;
  stats.deliveries = simulation.deliveries;
  setLatencies(stats, simulation);
  stats.tileSpikes = simulation.tileSpikes;
  stats.tileSynapticEvents = simulation.tileSynapticEvents;
  stats.links = simulation.linkLoads();
  setTraffic(stats, simulation, network);
  return stats;
}

static llvm::Error checkCircuits(llvm::ArrayRef<CircuitTile> circuits, const Chip &chip) {
  if (circuits.empty())
    return llvm::Error::success();
  if (chip.synchronisation == Synchronisation::Free)
    return inputError(chip.path, "synchronisation is free, and a circuit in a tile has to be told "
                                 "when a step ends; use barrier or pipeline");
  if (chip.router.multicast != Multicast::Unicast)
    return inputError(chip.path, "multicast is on, and a circuit in a tile sends a packet to each "
                                 "target; use multicast: unicast");
  if (chip.router.packetsTo != PacketTarget::Tile)
    return inputError(chip.path,
                      "packets_to is crossbar, and a circuit in a tile sends a packet to "
                      "each tile; use packets_to: tile");
  if (chip.router.spikePacketFlits != 1)
    return inputError(chip.path, fmt::format("a spike is a packet of {} flits, and the interface "
                                             "of a circuit takes packets of one; use "
                                             "spike_packet_flits: 1",
                                             chip.router.spikePacketFlits));
  return llvm::Error::success();
}

static llvm::Error checkGraph(const SpikingGraph *graph, const Clustering &clustering,
                              const Chip &chip) {
  if (!chip.countsAccesses())
    return llvm::Error::success();
  if (!graph)
    return inputError(chip.path,
                      "neurons at rest are accessed and not updated on this chip "
                      "(neuron_access_pj, neuron_access_cycles), and which are takes the "
                      "graph of the network; run the stage graph");
  SPINDLE_RETURN_IF_ERROR(verify(*graph));
  if (graph->neurons() != clustering.neurons)
    return inputError("", fmt::format("the graph has {} neurons, the clustering {}; partition this "
                                      "graph again",
                                      graph->neurons(), clustering.neurons));
  return llvm::Error::success();
}

static CircuitStats statsOf(const CircuitTile &circuit) {
  CircuitStats stats{circuit.tile, circuit.layer};
  for (const CircuitStep &step : circuit.steps) {
    stats.spikes += step.spikes;
    stats.packets += step.packets.size();
    stats.stepCycles.push_back(step.cycles);
    stats.circuitCycles.push_back(step.circuitCycles);
  }
  return stats;
}

llvm::Expected<ChipStats> simulateChip(const Clustering &clustering, const Mapping &mapping,
                                       const SpikeTrace &trace, const Chip &chip,
                                       const ChipOptions &options, const Progress &progress,
                                       const ChipExtras &extras) {
  SPINDLE_RETURN_IF_ERROR(checkInput(clustering, mapping, trace, chip));
  SPINDLE_RETURN_IF_ERROR(checkCircuits(extras.circuits, chip));
  SPINDLE_RETURN_IF_ERROR(checkGraph(extras.graph, clustering, chip));
  SpikeFanOut fanOut(clustering, mapping);
  std::optional<MulticastPlan> plan;
  if (chip.router.multicast != Multicast::Unicast) {
    SPINDLE_ASSIGN(plan, planMulticast(fanOut, clustering.neurons, chip));
  }
  PacketNetwork *network = extras.network;
  std::unique_ptr<PacketNetwork> model;
  if (!network) {
    model = makeModel(chip.mesh, chip.router);
    network = model.get();
  }
  auto samples = static_cast<uint32_t>(std::min<size_t>(options.samples, trace.recorded.size()));
  // A circuit has its spikes one slot after those that drive it, whatever ends a slot.
  SlotSchedule schedule(clustering, trace,
                        extras.circuits.empty() ? chip.synchronisation : Synchronisation::Pipeline,
                        samples);
  std::optional<LapseRecorder> recorder;
  if (extras.lapse)
    recorder.emplace(chip, schedule, trace.populations, *network, fanOut.usedTiles());
  StepSimulation simulation(clustering, fanOut, chip, *network, schedule, plan ? &*plan : nullptr,
                            extras.log, extras.circuits, extras.graph,
                            recorder ? &*recorder : nullptr);
  for (uint64_t slot = 0; slot < schedule.slots(); ++slot) {
    SPINDLE_RETURN_IF_ERROR(simulation.run(slot));
    if (progress)
      progress(slot + 1, schedule.slots());
  }
  SPINDLE_RETURN_IF_ERROR(simulation.finish());
  ChipStats stats = statsOf(simulation, *network, chip);
  setEnergy(stats, simulation, *network, trace, chip);
  stats.mostRead = mostReadRow(stats, simulation, fanOut, mapping, clustering.neurons, chip);
  stats.samples = samples;
  stats.steps = trace.steps;
  for (const CircuitTile &circuit : extras.circuits)
    stats.circuits.push_back(statsOf(circuit));
  if (simulation.steadySlots > 0)
    stats.steadyCyclesPerSample =
        double(simulation.steadyCycles) * trace.steps / double(simulation.steadySlots);
  SPINDLE_RETURN_IF_ERROR(verify(stats));
  if (recorder) {
    *extras.lapse = recorder->finish(stats.cycles);
    SPINDLE_RETURN_IF_ERROR(verify(*extras.lapse));
  }
  return stats;
}

} // namespace spindle
