// What a mapped network takes on its chip: map, load, simulate, assess.
#include "lib/report/Quantity.h"
#include "lib/report/Sections.h"

#include "fmt/format.h"

#include <map>
#include <set>

namespace spindle {

static Json predictionOf(const Prediction &prediction) {
  std::string source = run::kPrediction;
  Json waits = Json::object();
  for (const WaitCount &wait : prediction.waits)
    waits[wait.part] = wait.slots;
  return {{"source", source},
          {"cycles_per_sample", quantity(prediction.cycles, "cycles", source)},
          {"least_cycles_per_sample", quantity(prediction.leastCycles, "cycles", source)},
          {"steps", prediction.steps},
          {"steps_in_detail", prediction.worked},
          {"waits", waits}};
}

Json mappingSection(const Mapping &mapping, const std::optional<Prediction> &prediction) {
  std::set<TileId> tiles;
  for (const Placement &placement : mapping.placements)
    tiles.insert(placement.tile);
  Json section = {{"source", run::kMapping},
                  {"algorithm", mapping.algorithm},
                  {"chip", mapping.chip},
                  {"mesh_columns", mapping.mesh.columns},
                  {"mesh_rows", mapping.mesh.rows},
                  {"topology", mapping.mesh.topologyName()},
                  {"tiles_in_use", tiles.size()},
                  {"spike_hops", mapping.spikeHops},
                  {"random_spike_hops", mapping.randomSpikeHops},
                  {"random_seeds", mapping.randomSeeds}};
  if (mapping.randomSpikeHops > 0)
    section["saving"] = 1 - double(mapping.spikeHops) / mapping.randomSpikeHops;
  if (prediction)
    section["prediction"] = predictionOf(*prediction);
  return section;
}

static Json costSection(const SampleCost &cost) {
  const char *source = run::kLoads;
  return {{"cycles_per_sample", quantity(cost.cycles(), "cycles", source)},
          {"write_cycles", quantity(cost.writeCycles, "cycles", source)},
          {"run_cycles", quantity(cost.runCycles, "cycles", source)},
          {"packets_per_sample", cost.packets},
          {"synaptic_events_per_sample", cost.synapticEvents},
          {"energy_per_sample", quantity(cost.energyPj, "pJ", source)}};
}

Json loadsSection(const MultiplexedRun &run) {
  SampleCost together = costOf(run);
  double microseconds = ratio(together.cycles(), run.clockMhz);
  Json section = {
      {"source", run::kLoads},
      {"chip", run.chip},
      {"crossbars", run.crossbars},
      {"samples", run.samples},
      {"clock", quantity(run.clockMhz, "MHz", run::kLoads)},
      {"row", quantity(run.prices.rowCycles.value, "cycles", run.prices.rowCycles.source)},
      {"order", Json::array()},
      {"together", costSection(together)},
      {"at_once", {{"crossbars", run.crossbarsAtOnce}, {"cost", costSection(run.atOnce)}}},
      {"slowdown", ratio(together.cycles(), run.atOnce.cycles())},
      {"time_per_sample", quantity(microseconds, "us", run::kLoads)},
      {"samples_per_second", quantity(ratio(1e6, microseconds), "1/s", run::kLoads)}};
  if (!run.prices.cellPj.source.empty())
    section["cell"] = quantity(run.prices.cellPj.value, "pJ", run.prices.cellPj.source);
  for (size_t l = 0; l < run.loads.size(); ++l) {
    const PlacedLoad &load = run.loads[l];
    section["order"].push_back({{"name", fmt::format("load {}", l + 1)},
                                {"clusters", load.clusters.size()},
                                {"rows", load.rows},
                                {"cost", costSection(load.cost)}});
  }
  return section;
}

/// Mean power of a tile, and how warm it is: of tiles that take any energy.
static Json tilesOf(const ChipStats &chip) {
  Json tiles = Json::array();
  double nanoseconds = double(chip.cycles) * 1e3 / chip.clockMhz; // 1 pJ / 1 ns = 1 mW
  for (TileId tile = 0; tile < chip.mesh.tiles(); ++tile) {
    double pj = chip.tileDynamicPj[tile] + chip.tileClockPj[tile] + chip.tileLeakagePj[tile];
    if (pj == 0)
      continue;
    Json item = {{"name", fmt::format("tile ({}, {})", chip.mesh.x(tile), chip.mesh.y(tile))},
                 {"energy", quantity(pj, "pJ", run::kChip)},
                 {"power", quantity(ratio(pj, nanoseconds), "mW", run::kChip)}};
    if (!chip.tileCelsius.empty())
      item["temperature"] = quantity(chip.tileCelsius[tile], "°C", run::kChip);
    tiles.push_back(std::move(item));
  }
  return tiles;
}

/// By kind and by layer, and what wears.
static void addEnergy(Json &section, const ChipStats &chip) {
  std::map<std::string, double> kinds;
  for (const EnergyPart &part : chip.energy)
    kinds[part.kind] += part.pj;
  for (const auto &[kind, pj] : kinds)
    section["energy_pj"]["by_kind"][kind] = quantity(pj, "pJ", run::kChip);
  Json &layers = section["energy_pj"]["by_layer"] = Json::array();
  for (const LayerEnergy &layer : chip.layers)
    layers.push_back({{"name", layer.name}, {"energy", quantity(layer.pj, "pJ", run::kChip)}});
  section["energy_pj"]["shared"] = quantity(chip.sharedPj, "pJ", run::kChip);
  section["tiles"] = tilesOf(chip);
  if (!chip.mostRead)
    return;
  Json &most = section["most_read"] = {
      {"name", fmt::format("crossbar {} of tile ({}, {})", chip.mostRead->crossbar,
                           chip.mesh.x(chip.mostRead->tile), chip.mesh.y(chip.mostRead->tile))},
      {"neuron", chip.mostRead->neuron},
      {"reads", chip.mostRead->reads}};
  if (chip.mostRead->lifeYears)
    most["life"] = quantity(*chip.mostRead->lifeYears, "years", run::kChip);
}

Json chipSection(const ChipStats &chip) {
  std::string source = run::kChip;
  double samples = chip.samples;
  Json parts = Json::object();
  for (const EnergyPart &part : chip.energy) {
    parts[part.name] = quantity(part.pj, "pJ", part.source);
    parts[part.name]["events"] = part.events;
  }
  double microsecondsPerSample = ratio(double(chip.cycles), samples * chip.clockMhz);
  Json section = {
      {"source", source},
      {"name", chip.chip},
      {"samples", chip.samples},
      {"steps", chip.steps},
      {"clock", quantity(chip.clockMhz, "MHz", source)},
      {"cycles", quantity(chip.cycles, "cycles", source)},
      {"cycles_per_sample", quantity(ratio(double(chip.cycles), samples), "cycles", source)},
      {"time_per_sample", quantity(microsecondsPerSample, "us", source)},
      {"samples_per_second", quantity(ratio(1e6, microsecondsPerSample), "1/s", source)},
      {"packets", chip.packets},
      {"spike_packets", chip.spikePackets},
      {"partial_sum_packets", chip.partialSumPackets},
      {"local_deliveries", chip.localDeliveries},
      {"synaptic_events", chip.synapticEvents},
      {"latency_cycles",
       {{"mean", quantity(chip.latencyMeanCycles, "cycles", source)},
        {"max", quantity(chip.latencyMaxCycles, "cycles", source)}}},
      {"energy_pj", {{"total", quantity(chip.energyTotalPj, "pJ", source)}, {"by_part", parts}}},
      {"energy_per_sample", quantity(ratio(chip.energyTotalPj, samples), "pJ", source)},
      {"energy_per_synaptic_event",
       quantity(ratio(chip.energyTotalPj, double(chip.synapticEvents)), "pJ", source)}};
  addEnergy(section, chip);
  return section;
}

static Json deliveredOf(const Assessment &assessment, const DeliveredPoint &point) {
  Json item = {{"step", quantity(point.stepUs, "us", run::kAssessment)},
               {"accuracy", ratio(double(point.correct), double(assessment.samples))},
               {"loss_points", quantity(lossPoints(assessment, point.correct), "percentage points",
                                        run::kAssessment)}};
  item["layers"] = Json::array();
  for (size_t p = 0; p < point.populations.size(); ++p) {
    const DeliveryCounts &count = point.populations[p];
    item["layers"].push_back({{"name", assessment.populations[p]},
                              {"spikes", count.spikes},
                              {"late_spikes", count.lateSpikes},
                              {"lost_spikes", count.lostSpikes},
                              {"partial_sums", count.sums},
                              {"late_partial_sums", count.lateSums},
                              {"lost_partial_sums", count.lostSums}});
  }
  return item;
}

Json assessmentSection(const Assessment &assessment) {
  Json section = {
      {"source", run::kAssessment},
      {"chip", assessment.chip},
      {"samples", assessment.samples},
      {"steps", assessment.steps},
      {"ideal_accuracy", ratio(double(assessment.idealCorrect), double(assessment.samples))},
      {"late", kLateSpikesNames[static_cast<size_t>(assessment.late)]}};
  section["delivered"] = Json::array();
  for (const DeliveredPoint &point : assessment.delivered)
    section["delivered"].push_back(deliveredOf(assessment, point));
  section["devices"] = Json::array();
  for (const DevicePoint &point : assessment.devices) {
    AccuracySpread spread = spreadOf(assessment, point);
    section["devices"].push_back(
        {{"variation", point.variation},
         {"adc_bits", point.adcBits},
         {"seeds", point.correct.size()},
         {"accuracy", spread.mean / 100},
         {"same_spikes", sameShare(assessment, point)},
         {"deviation_points", quantity(spread.deviation, "percentage points", run::kAssessment)}});
  }
  if (std::optional<size_t> knee = kneeOf(assessment); knee && *knee > 0)
    section["knee"] = quantity(assessment.delivered[*knee].stepUs, "us", run::kAssessment);
  return section;
}

} // namespace spindle
