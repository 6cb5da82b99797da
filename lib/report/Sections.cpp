#include "lib/report/Sections.h"

#include "core/network/HeldOutFile.h"
#include "lib/report/Quantity.h"

#include "fmt/format.h"

#include <algorithm>

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
                  {"period", quantity(sdf.period, "cycles", source)}};
  if (sdf.latency)
    section["latency"] = quantity(*sdf.latency, "cycles", source);
  section["self_timed"] = sdf.selfTimedAgrees ? "agrees" : "not reached";
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

} // namespace spindle
