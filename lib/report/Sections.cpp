#include "lib/report/Sections.h"

#include "core/network/HeldOutFile.h"
#include "lib/report/Quantity.h"

#include "fmt/format.h"

#include <algorithm>
#include <map>
#include <set>

namespace spindle {

Json annSection(const AnnEvaluation &ann) {
  return {
      {"source", run::kAnn},          {"model", ann.model},
      {"model_format", ann.source},   {"accuracy", ratio(double(ann.correct), double(ann.samples))},
      {"samples", ann.samples},       {"correct", ann.correct},
      {"parameters", ann.parameters}, {"layers", ann.layers},
      {"confusion", ann.confusion}};
}

Json conversionSection(const ConversionSummary &conversion) {
  Json section = {{"source", run::kConversion},
                  {"method", conversion.method},
                  {"percentile", conversion.percentile},
                  {"calibration_samples", conversion.calibrationSamples},
                  {"layers", Json::array()}};
  if (conversion.heldOut)
    section["held_out"] = jsonOf(*conversion.heldOut);
  for (const ConversionSummary::Layer &layer : conversion.layers) {
    Json item = {{"name", layer.name}, {"neuron", layer.neuron}, {"scales", layer.scale.size()}};
    if (!layer.scale.empty()) {
      auto [least, most] = std::minmax_element(layer.scale.begin(), layer.scale.end());
      item["scale_min"] = *least;
      item["scale_max"] = *most;
    }
    section["layers"].push_back(item);
  }
  return section;
}

/// Per population, and sums over the neurons of the chip: input populations belong to the host.
static Json populationsOf(const EmulationSummary &snn, uint64_t &neurons, uint64_t &spikes,
                          uint64_t &inputSpikes) {
  Json list = Json::array();
  for (size_t i = 0; i < snn.populations.size(); ++i) {
    const Population &population = snn.populations[i];
    bool isInput = population.kind == PopulationKind::Input;
    double spikesPerSample = ratio(double(snn.spikes[i]), double(snn.samples));
    list.push_back({{"name", population.name},
                    {"kind", isInput ? "input" : "neuron"},
                    {"shape", population.shape},
                    {"neurons", population.size},
                    {"spikes_per_sample", spikesPerSample},
                    {"spike_rate", ratio(spikesPerSample, double(population.size) * snn.steps)}});
    neurons += isInput ? 0 : population.size;
    (isInput ? inputSpikes : spikes) += snn.spikes[i];
  }
  return list;
}

/// The first step from which on the accuracy stays within one point of the ANN's.
static std::optional<uint32_t> stepsWithinOnePoint(const EmulationSummary &snn,
                                                   const AnnEvaluation &ann) {
  double least = ratio(double(ann.correct), double(ann.samples)) - 0.01;
  uint32_t steps = snn.steps;
  while (steps > 0 && double(snn.correctByStep[steps - 1]) >= least * double(snn.samples))
    --steps;
  return steps == snn.steps ? std::nullopt : std::optional<uint32_t>(steps + 1);
}

/// Over a common denominator: the difference of two rounded quotients would end in noise.
static double lossPoints(const AnnEvaluation &ann, const EmulationSummary &snn) {
  double annSamples = double(ann.samples), snnSamples = double(snn.samples);
  double snnCorrect = snn.correctByStep.empty() ? 0 : double(snn.correctByStep.back());
  return ratio(100 * (double(ann.correct) * snnSamples - snnCorrect * annSamples),
               annSamples * snnSamples);
}

static Json breakEven(double spikeRate) {
  return {{"spike_rate", kBreakEvenSpikeRate},
          {"is_below", spikeRate < kBreakEvenSpikeRate},
          {"meaning", "below this mean spike rate an SNN spends less energy than an equally "
                      "quantised ANN (figure for T = 5)"},
          {"source", "Yan, Bai, Tang and Wong 2026, arXiv 2409.08290v4"}};
}

Json snnSection(const EmulationSummary &snn, const std::optional<AnnEvaluation> &ann) {
  double samples = double(snn.samples);
  std::vector<double> accuracyByStep;
  for (uint64_t correct : snn.correctByStep)
    accuracyByStep.push_back(ratio(double(correct), samples));
  uint64_t neurons = 0, spikes = 0, inputSpikes = 0;
  Json populations = populationsOf(snn, neurons, spikes, inputSpikes);
  double spikesPerSample = ratio(double(spikes), samples);
  double spikeRate = ratio(spikesPerSample, double(neurons) * snn.steps);

  Json section = {{"source", run::kEmulation},
                  {"engine", snn.engine},
                  {"encoding", snn.encoding},
                  {"steps", snn.steps},
                  {"samples", snn.samples}};
  if (!accuracyByStep.empty()) // samples have labels
    section["accuracy"] = accuracyByStep.back();
  if (ann) {
    section["loss_points"] = quantity(lossPoints(*ann, snn), "percentage points",
                                      fmt::format("{}, {}", run::kAnn, run::kEmulation));
    if (std::optional<uint32_t> steps = stepsWithinOnePoint(snn, *ann))
      section["steps_within_one_point"] = *steps;
  }
  if (snn.encoding == "direct")
    section["encoding_note"] =
        "constant currents: the host computes the first weighted layer, whose "
        "population is the first on the chip";
  section["neurons"] = neurons;
  section["synapses"] = snn.synapses;
  section["spikes_per_sample"] = spikesPerSample;
  section["input_spikes_per_sample"] = ratio(double(inputSpikes), samples);
  section["synaptic_events_per_sample"] = ratio(double(snn.synapticEvents), samples);
  section["spike_rate"] = spikeRate;
  section["break_even"] = breakEven(spikeRate);
  section["populations"] = populations;
  section["accuracy_by_step"] = accuracyByStep;
  section["confusion"] = snn.confusion;
  return section;
}

Json statisticsSection(const SpikeStatistics &statistics) {
  const char *source = run::kStatistics;
  Json section = {{"source", source},
                  {"step", quantity(statistics.stepMs, "ms", source)},
                  {"recorded_samples", statistics.recordedSamples},
                  {"populations", Json::array()}};
  for (const auto &[population, rate, intervals] : statistics.populations) {
    auto inHertz = [&, ms = statistics.stepMs](double perStep) {
      return quantity(hertz(perStep, ms), "Hz", source);
    };
    Json item = {{"name", population.name},
                 {"rate", inHertz(rate.mean)},
                 {"rate_deviation", inHertz(rate.deviation)},
                 {"rate_min", inHertz(rate.least)},
                 {"rate_max", inHertz(rate.most)},
                 {"silent", ratio(rate.silent, population.size)},
                 {"intervals", intervals.count}};
    if (intervals.count > 0)
      item["interval"] = quantity(intervals.mean * statistics.stepMs, "ms", source);
    if (intervals.cv)
      item["interval_cv"] = *intervals.cv;
    if (intervals.neuronCv)
      item["neuron_cv"] = *intervals.neuronCv;
    section["populations"].push_back(item);
  }
  return section;
}

static Json layerOf(const Diagnosis &diagnosis, const DiagnosedLayer &layer) {
  Json item = {{"name", layer.name},
               {"code", layer.code},
               {"neurons", layer.neurons},
               {"rate_error", layer.rateError},
               {"mean_error", layer.meanError},
               {"saturated", layer.saturated},
               {"dead", layer.dead},
               {"dead_in_ann", layer.deadInAnn},
               {"spikes_per_neuron", layer.neuronSpikes}};
  if (std::optional<double> points = contributionPoints(diagnosis, layer))
    item["contribution_points"] = quantity(*points, "percentage points", run::kDiagnosis);
  else
    item["without_twin"] = layer.withoutTwin;
  return item;
}

Json diagnosisSection(const Diagnosis &diagnosis) {
  double samples = double(diagnosis.samples), rate = hiddenSpikeRate(diagnosis);
  Json section = {
      {"source", run::kDiagnosis},
      {"samples", diagnosis.samples},
      {"steps", diagnosis.steps},
      {"ann_accuracy", ratio(double(diagnosis.annCorrect), samples)},
      {"snn_accuracy", ratio(double(diagnosis.snnCorrect), samples)},
      {"loss_points", quantity(lossPoints(diagnosis), "percentage points", run::kDiagnosis)}};
  section["costliest_layers"] = Json::array();
  for (const DiagnosedLayer *layer : costliestLayers(diagnosis))
    section["costliest_layers"].push_back(layer->name);
  section["hidden_neurons"] = diagnosis.hiddenNeurons;
  section["hidden_spike_rate"] = rate;
  section["break_even"] = breakEven(rate);
  section["layers"] = Json::array();
  for (const DiagnosedLayer &layer : diagnosis.layers)
    section["layers"].push_back(layerOf(diagnosis, layer));
  return section;
}

Json timingSection(const EmulationSummary &snn) {
  Json section = {
      {"emulation_seconds", quantity(snn.seconds, "s", run::kEmulation)},
      {"samples_per_second",
       quantity(ratio(double(snn.samples), snn.seconds), "1/s", run::kEmulation)},
      {"synaptic_events_per_second",
       quantity(ratio(double(snn.synapticEvents), snn.seconds), "1/s", run::kEmulation)},
      {"threads", snn.threads}};
  if (snn.peakBytes > 0)
    section["peak_memory"] = quantity(snn.peakBytes, "B", run::kEmulation);
  return section;
}

Json graphSection(const SpikingGraph &graph) {
  uint32_t fanInMax = 0, driven = 0;
  for (NeuronId neuron = 0; neuron < graph.neurons(); ++neuron) {
    fanInMax = std::max(fanInMax, graph.fanIn(neuron));
    driven += graph.fanIn(neuron) > 0;
  }
  return {{"source", run::kGraph},
          {"neurons", graph.neurons()},
          {"synapses", graph.synapses()},
          {"recorded_samples", graph.samples},
          {"fan_in_mean", ratio(double(graph.synapses()), driven)},
          {"fan_in_max", fanInMax}};
}

Json partitionSection(const Clustering &clusters) {
  uint64_t rows = 0, synapses = 0, partialSums = 0, hostSpikes = 0;
  for (const Cluster &cluster : clusters.clusters) {
    rows += cluster.axons.size();
    synapses += cluster.synapses;
  }
  for (const ClusterLink &link : clusters.links) {
    partialSums += link.partialSums;
    hostSpikes += link.from == kNone ? link.spikes : 0;
  }
  double count = double(clusters.clusters.size());
  return {{"source", run::kClusters},
          {"algorithm", clusters.algorithm},
          {"crossbar_rows", clusters.rows},
          {"crossbar_columns", clusters.columns},
          {"recorded_samples", clusters.samples},
          {"clusters", clusters.clusters.size()},
          {"units", clusters.units.size()},
          {"links", clusters.links.size()},
          {"cut_spikes", clusters.cutSpikes},
          {"host_spikes", hostSpikes},
          {"partial_sums", partialSums},
          {"row_use", ratio(double(rows), count * clusters.rows)},
          {"column_use", ratio(double(clusters.units.size()), count * clusters.columns)},
          {"cell_use", ratio(double(synapses), count * clusters.rows * clusters.columns)}};
}

Json sdfSection(const SdfAnalysis &sdf, const std::optional<SdfGraph> &graph,
                const std::optional<ChipStats> &chip) {
  std::string source = run::kSdfAnalysis;
  Json section = {{"source", source},
                  {"throughput", quantity(sdf.throughput, "samples/cycle", source)},
                  {"period", quantity(sdf.period, "cycles", source)},
                  {"latency", quantity(sdf.latency, "cycles", source)},
                  {"self_timed", sdf.selfTimedAgrees ? "agrees" : "not reached"}};
  if (chip)
    section["samples_per_second"] = quantity(sdf.throughput * chip->clockMhz * 1e6, "1/s",
                                             fmt::format("{}, clock of {}", source, run::kChip));
  if (graph) {
    section["actors"] = graph->actors.size();
    section["channels"] = graph->channels.size();
    section["critical_cycle"] = Json::array();
    for (ActorId actor : sdf.criticalCycle)
      if (actor < graph->actors.size())
        section["critical_cycle"].push_back(graph->actors[actor].name);
  }
  return section;
}

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
