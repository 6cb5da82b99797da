#include "tests/report/SampleRun.h"

#include "core/support/CounterRandom.h"
#include "tests/report/SampleCircuit.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

namespace spindle {

namespace {

constexpr uint32_t steps = 64, samples = 1000, recordedSamples = 2, classes = 10;
constexpr uint32_t crossbarRows = 256, crossbarColumns = 128;

AnnEvaluation makeAnn() {
  AnnEvaluation ann{"models/onnx/lenet </script><b> & \"quoted\".onnx",
                    "onnx",
                    {"/conv1/Conv", "conv2", "dense1", "dense2"},
                    61706,
                    samples,
                    0,
                    {}};
  ann.confusion.assign(classes, std::vector<uint64_t>(classes, 0));
  for (uint32_t label = 0; label < classes; ++label) {
    ann.confusion[label][label] = 99;
    ann.confusion[label][(label * 7 + 3) % classes] += 1;
  }
  for (uint32_t label = 0; label < classes; ++label)
    ann.correct += ann.confusion[label][label];
  return ann;
}

std::vector<Population> makePopulations() {
  return {{"/conv1/Conv", PopulationKind::Neuron, {6, 24, 24}, 0, 3456},
          {"conv2", PopulationKind::Neuron, {16, 8, 8}, 3456, 1024},
          {"dense1", PopulationKind::Neuron, {120}, 4480, 120},
          {"dense2", PopulationKind::Neuron, {10}, 4600, 10}};
}

/// Rates differ from neuron to neuron, as those of feature maps do.
SpikeTrace makeTrace(uint64_t seed) {
  SpikeTrace trace;
  trace.populations = makePopulations();
  trace.steps = steps;
  trace.samples = samples;
  uint32_t neurons = neuronCount(trace.populations);
  trace.counts.assign(neurons, 0);
  CounterRandom random(seed);
  std::vector<double> rate(neurons);
  for (NeuronId n = 0; n < neurons; ++n)
    rate[n] = 0.25 * std::pow(random.uniform(), 4) * (1 + std::sin(n / 40.0)) / 1.2;
  for (uint32_t sample = 0; sample < recordedSamples; ++sample) {
    std::vector<Spike> &spikes = trace.recorded.emplace_back();
    for (uint32_t step = 0; step < steps; ++step)
      for (NeuronId n = 0; n < neurons; ++n)
        if (random.uniform() < rate[n]) {
          spikes.push_back({step, n});
          trace.counts[n] += samples / recordedSamples;
        }
  }
  return trace;
}

/// Every neuron is driven by a window of the layer before; the host computes the first layer.
SpikingGraph makeGraph(const SpikeTrace &trace) {
  const uint32_t fanIn[] = {0, 150, 200, 120};
  SpikingGraph graph;
  graph.populations = trace.populations;
  graph.samples = recordedSamples;
  graph.steps = steps;
  graph.spikes.assign(neuronCount(trace.populations), 0);
  for (const std::vector<Spike> &spikes : trace.recorded)
    for (const Spike &spike : spikes)
      ++graph.spikes[spike.neuron];
  graph.offsets = {0};
  for (size_t layer = 0; layer < graph.populations.size(); ++layer)
    for (uint32_t j = 0; j < graph.populations[layer].size; ++j) {
      if (layer > 0) {
        const Population &before = graph.populations[layer - 1];
        uint32_t room = before.size - fanIn[layer];
        uint32_t start = before.first + j * room / graph.populations[layer].size;
        for (uint32_t i = 0; i < fanIn[layer]; ++i) {
          graph.sources.push_back(start + i);
          graph.weights.push_back(0.01f * float(int(i % 7) - 3));
        }
      }
      graph.offsets.push_back(graph.sources.size());
    }
  return graph;
}

/// Fills crossbars with neurons in order.
Clustering makeClusters(const SpikingGraph &graph) {
  Clustering clusters;
  clusters.algorithm = "greedy";
  clusters.rows = crossbarRows;
  clusters.columns = crossbarColumns;
  clusters.neurons = graph.neurons();
  clusters.samples = graph.samples;
  clusters.steps = graph.steps;
  std::map<NeuronId, uint32_t> rows; // of the open crossbar: driving neuron, cells
  auto closeCrossbar = [&] {
    for (const auto &[neuron, cells] : rows) {
      clusters.clusters.back().axons.push_back({neuron, cells, graph.spikes[neuron]});
      clusters.clusters.back().synapses += cells;
    }
    rows.clear();
  };
  for (NeuronId n = 0; n < graph.neurons(); ++n) {
    std::map<NeuronId, uint32_t> grown = rows;
    for (uint64_t s = graph.offsets[n]; s < graph.offsets[n + 1]; ++s)
      ++grown[graph.sources[s]];
    bool fits = !clusters.clusters.empty() && grown.size() <= crossbarRows &&
                clusters.clusters.back().units < crossbarColumns;
    if (!fits) {
      closeCrossbar();
      clusters.clusters.emplace_back();
      grown.clear();
      for (uint64_t s = graph.offsets[n]; s < graph.offsets[n + 1]; ++s)
        ++grown[graph.sources[s]];
    }
    rows = std::move(grown);
    ++clusters.clusters.back().units;
    ++clusters.clusters.back().neurons;
    clusters.units.push_back({n, ClusterId(clusters.clusters.size() - 1), kNone});
  }
  closeCrossbar();
  std::map<std::pair<ClusterId, ClusterId>, uint64_t> links;
  for (ClusterId to = 0; to < clusters.clusters.size(); ++to)
    for (const Axon &axon : clusters.clusters[to].axons)
      if (ClusterId from = clusters.units[axon.neuron].cluster; from != to)
        links[{from, to}] += axon.spikes;
  for (const auto &[ends, spikes] : links) {
    clusters.links.push_back({ends.first, ends.second, spikes, 0});
    clusters.cutSpikes += spikes;
  }
  return clusters;
}

EmulationSummary makeEmulation(const SpikeTrace &trace, const AnnEvaluation &ann,
                               const SpikingGraph &graph) {
  EmulationSummary summary;
  summary.engine = "compiled";
  summary.encoding = "direct";
  summary.steps = steps;
  summary.samples = samples;
  summary.populations = trace.populations;
  summary.confusion = ann.confusion;
  summary.confusion[4][4] -= 3; // three answers more are wrong
  summary.confusion[4][9] += 3;
  for (uint32_t step = 1; step <= steps; ++step)
    summary.correctByStep.push_back(
        uint64_t(double(ann.correct - 3) * (1 - 0.9 * std::exp(-double(step * step) / 60.0))));
  summary.correctByStep.back() = ann.correct - 3;
  for (const Population &population : trace.populations) {
    uint64_t &spikes = summary.spikes.emplace_back(0);
    for (uint32_t i = 0; i < population.size; ++i)
      spikes += trace.counts[population.first + i];
  }
  summary.synapses = graph.synapses();
  for (NeuronId source : graph.sources)
    summary.synapticEvents += trace.counts[source];
  summary.seconds = 1.75;
  summary.threads = 2;
  summary.peakBytes = 170u << 20;
  return summary;
}

/// One actor per cluster, busy for a while per neuron and spike; the slowest one sets the period.
SdfGraph makeSdf(const Clustering &clusters) {
  SdfGraph graph;
  graph.name = "clusters";
  for (ClusterId c = 0; c < clusters.clusters.size(); ++c) {
    uint64_t spikes = 0;
    for (const Axon &axon : clusters.clusters[c].axons)
      spikes += axon.spikes / recordedSamples;
    graph.actors.push_back(
        {"cluster" + std::to_string(c), steps * clusters.clusters[c].units + spikes});
    graph.channels.push_back({c, c, 1, 1, 1, 0});
  }
  for (const ClusterLink &link : clusters.links)
    graph.channels.push_back({link.from, link.to, 1, 1, 0, 32});
  return graph;
}

SdfAnalysis analyzeSdf(const SdfGraph &graph) {
  SdfAnalysis analysis;
  analysis.repetitions.assign(graph.actors.size(), 1);
  for (ActorId a = 0; a < graph.actors.size(); ++a)
    if (double(graph.actors[a].executionTime.total()) > analysis.period) {
      analysis.period = double(graph.actors[a].executionTime.total());
      analysis.criticalCycle = {a};
    }
  analysis.throughput = 1 / analysis.period;
  analysis.latency = 4 * uint64_t(analysis.period);
  analysis.selfTimedAgrees = true;
  return analysis;
}

uint64_t hopsOf(const Clustering &clusters, const Mesh &mesh,
                const std::vector<Placement> &placements) {
  uint64_t hops = 0;
  for (const ClusterLink &link : clusters.links)
    hops += link.spikes * mesh.hops(placements[link.from].tile, placements[link.to].tile);
  return hops;
}

/// Clusters in a snake through the mesh: neighbours in the network are neighbours on the chip.
Mapping makeMapping(const Clustering &clusters, uint64_t seed) {
  Mapping mapping;
  mapping.algorithm = "annealing";
  mapping.chip = "mesh-256";
  mapping.mesh = {12, 10};
  for (uint32_t c = 0; c < clusters.clusters.size(); ++c) {
    uint32_t row = c / 9, column = row % 2 == 0 ? c % 9 : 8 - c % 9;
    mapping.placements.push_back({mapping.mesh.at(column, row), 0});
  }
  for (const ClusterLink &link : clusters.links)
    mapping.routes.push_back(
        {link.from, link.to,
         mapping.mesh.route(mapping.placements[link.from].tile, mapping.placements[link.to].tile)});
  mapping.spikeHops = hopsOf(clusters, mapping.mesh, mapping.placements);
  mapping.randomSeeds = 10;
  CounterRandom random(seed, 1);
  for (uint32_t i = 0; i < mapping.randomSeeds; ++i) {
    std::vector<Placement> placements(mapping.mesh.tiles());
    for (TileId tile = 0; tile < placements.size(); ++tile)
      placements[tile] = {tile, 0};
    for (uint32_t j = mapping.mesh.tiles() - 1; j > 0; --j)
      std::swap(placements[j], placements[random.below(j + 1)]);
    mapping.randomSpikeHops +=
        double(hopsOf(clusters, mapping.mesh, placements)) / mapping.randomSeeds;
  }
  return mapping;
}

/// Two packets that meet at tile 1: one stays in its row, one goes on and down the column.
TimeLapse makeLapse(const ChipStats &chip) {
  TimeLapse lapse;
  lapse.chip = chip.chip;
  lapse.mesh = chip.mesh;
  lapse.clockMhz = chip.clockMhz;
  lapse.synchronisation = chip.synchronisation;
  lapse.steps = 3;
  lapse.slots = 3;
  lapse.slotsPerFrame = 2;
  const TileId below = 1 + chip.mesh.columns;
  lapse.links = {{0, 1}, {1, below}};
  const size_t tiles = chip.mesh.tiles();
  for (uint64_t f = 0; f < 2; ++f) {
    LapseFrame frame{100 * f, 100 * f + 100 - 50 * f, {2 - f, 1}, {}, {}, {}, {}};
    frame.sourceCycles.assign(tiles, 0);
    frame.routerCycles.assign(tiles, 0);
    frame.routerCycles[1] = 50 * (f + 1);
    frame.sourceCycles[0] = 25;
    frame.pj.assign(tiles, 1.5);
    frame.celsius.assign(tiles, 45.0);
    frame.celsius[1] += double(f);
    lapse.frames.push_back(frame);
  }
  lapse.spikes = 40;
  lapse.ways = {
      {"conv1", 12, 0, {{0, 3, 5, {{0, 10, 10}}, {{1, 14, 14}}}}},
      {"dense2", 1, 2, {{0, 4, 9, {{0, 14, 15}, {1, 19, 20}}, {{1, 18, 19}, {below, 23, 24}}}}},
      {"conv1", 13, 2, {{0, 30, 30, {{0, 35, 35}}, {{1, 39, 39}}}}}};
  return lapse;
}

ChipStats makeChip(const Clustering &clusters, const Mapping &mapping, const SpikingGraph &graph) {
  ChipStats chip;
  chip.chip = mapping.chip;
  chip.mesh = mapping.mesh;
  chip.samples = recordedSamples;
  chip.steps = steps;
  chip.clockMhz = 100;
  chip.synchronisation = "barrier";
  chip.cycles = 2 * 1234567;
  chip.latencyMeanCycles = 17.25;
  chip.latencyMaxCycles = 212;
  chip.tileSpikes.assign(chip.mesh.tiles(), 0);
  chip.tileSynapticEvents.assign(chip.mesh.tiles(), 0);
  for (const Unit &unit : clusters.units)
    chip.tileSpikes[mapping.placements[unit.cluster].tile] += graph.spikes[unit.neuron];
  for (ClusterId c = 0; c < clusters.clusters.size(); ++c)
    for (const Axon &axon : clusters.clusters[c].axons)
      chip.tileSynapticEvents[mapping.placements[c].tile] += axon.spikes * axon.synapses.all();
  for (uint64_t events : chip.tileSynapticEvents)
    chip.synapticEvents += events;
  std::map<std::pair<TileId, TileId>, uint64_t> flits;
  for (size_t i = 0; i < mapping.routes.size(); ++i) {
    const std::vector<TileId> &tiles = mapping.routes[i].tiles;
    chip.packets += clusters.links[i].spikes;
    for (size_t hop = 0; hop + 1 < tiles.size(); ++hop)
      flits[{tiles[hop], tiles[hop + 1]}] += clusters.links[i].spikes;
  }
  chip.spikePackets = chip.deliveries = chip.packets;
  uint64_t hopsX = 0, hopsY = 0, spikes = 0;
  for (const auto &[ends, count] : flits)
    if (count > 0) {
      chip.links.push_back({ends.first, ends.second, count, double(count) * 3.08});
      chip.traffic.flitHops += count;
      (chip.mesh.y(ends.first) == chip.mesh.y(ends.second) ? hopsX : hopsY) += count;
    }
  for (uint64_t count : graph.spikes)
    spikes += count;
  auto add = [&](const char *name, uint64_t events, double price, const char *source) {
    chip.energy.push_back({name, events, double(events) * price, source});
    chip.energyTotalPj += chip.energy.back().pj;
  };
  const char *noxim = "Noxim router, 32-bit flits, depth 4";
  const char *neurosim = "NeuroSim, 32 nm, 240 kOhm, 0.5 V, 10 ns";
  add("hop_x", hopsX, 3.08, noxim);
  add("hop_y", hopsY, 3.08, noxim);
  add("synapse", chip.synapticEvents, 0.0104, neurosim);
  add("neuron_update", uint64_t(graph.neurons()) * steps * recordedSamples, 0.1,
      "assumption: 0.1 pJ");
  add("neuron_spike", spikes, 1.5, "assumption: 1.5 pJ");
  chip.tileDynamicPj.assign(chip.mesh.tiles(), 0);
  chip.tileClockPj = chip.tileLeakagePj = chip.tileDynamicPj;
  for (const LinkLoad &link : chip.links)
    chip.tileDynamicPj[link.from] += link.pj;
  for (TileId tile = 0; tile < chip.mesh.tiles(); ++tile)
    chip.tileDynamicPj[tile] += double(chip.tileSynapticEvents[tile]) * 0.0104;
  double neurons = chip.energy[3].pj + chip.energy[4].pj; // all of them at the first cluster
  chip.tileDynamicPj[mapping.placements[0].tile] += neurons;
  chip.layers = {{graph.populations[1].name, chip.energyTotalPj - neurons},
                 {graph.populations[2].name, neurons}};
  chip.tileCelsius.assign(chip.mesh.tiles(), 45);
  chip.tileCelsius[0] = 51.5;
  chip.mostRead = {mapping.placements[0].tile, 0, 3, 1234, 12.5};
  return chip;
}

/// The second layer loses most, the third gains by spiking, the fourth has no twin.
Diagnosis makeDiagnosis() {
  return {steps,
          samples,
          990,
          978,
          4600,
          21'000'000,
          {{"/conv1/Conv", "rate", 3456, 0.031, 0.004, 0.0125, 0.11, 0.1, 5.1, "", 981},
           {"conv2", "rate", 1024, 0.084, 0.0125, 0.043, 0.21, 0.2, 6.4, "", 986},
           {"dense1", "rate", 120, 0.05, -0.01, 0.002, 0.05, 0, 3.2, "", 976},
           {"dense2", "first_spike", 10, 0.02, 0, 0, 0, 0, 0.9, "<b>no</b> twin", 0}}};
}

Assessment makeAssessment(const EmulationSummary &emulation) {
  Assessment assessment{"mesh", emulation.steps, 1000, 980, LateSpikes::Next, {}, {}, {}};
  DeliveredPoint tight{0.25, 850, {}}, wide{1.5, 980, {}};
  for (const Population &population : emulation.populations) {
    assessment.populations.push_back(population.name);
    tight.populations.push_back({1000, 400, 20, 300, 30, 3});
    wide.populations.push_back({1100, 0, 0, 300, 0, 0});
  }
  assessment.delivered = {tight, wide};
  assessment.devices = {{0, 0, {980, 980}, {1000, 1000}}, {0.1, 6, {940, 960}, {0, 3}}};
  return assessment;
}

/// Half of the clusters at a time.
MultiplexedRun makeLoads(const Clustering &clusters) {
  auto all = static_cast<uint32_t>(clusters.clusters.size());
  MultiplexedRun run;
  run.chip = "mesh-small";
  run.crossbars = (all + 1) / 2;
  run.samples = recordedSamples;
  run.clockMhz = 100;
  run.prices = {{100, "assumption: a test"}, {10, "assumption: a test"}};
  run.loads = {{{}, {}, 100, {5000, 20000, 300, 40000, 1e6}},
               {{}, {}, 50, {2500, 10000, 100, 10000, 5e5}}};
  for (ClusterId c = 0; c < all; ++c) {
    run.loads[c / run.crossbars].clusters.push_back(c);
    run.loads[c / run.crossbars].placements.push_back({c % run.crossbars, 0});
  }
  run.crossbarsAtOnce = all;
  run.atOnce = {0, 25000, 300, 50000, 1.25e6};
  return run;
}

} // namespace

StageFiles makeSampleRun(uint64_t seed) {
  StageFiles files;
  files.ann = makeAnn();
  files.conversion = ConversionSummary{"percentile",
                                       99.9,
                                       1000,
                                       {{"/conv1/Conv", "if", {0.9, 1.2, 0.4, 2.25, 1, 1}},
                                        {"conv2", "if", {3.5}},
                                        {"dense2", "integrator", {}}}};
  files.conversion->heldOut = {500, 0.2, 0.1, true, 30, {{4, 0.25, 0.3}}};
  files.spikes = makeTrace(seed);
  files.statistics = spikeStatistics(*files.spikes);
  files.graph = makeGraph(*files.spikes);
  files.diagnosis = makeDiagnosis();
  files.emulation = makeEmulation(*files.spikes, *files.ann, *files.graph);
  files.clusters = makeClusters(*files.graph);
  files.sdfGraph = makeSdf(*files.clusters);
  files.sdfAnalysis = analyzeSdf(*files.sdfGraph);
  files.mapping = makeMapping(*files.clusters, seed);
  files.loads = makeLoads(*files.clusters);
  files.chip = makeChip(*files.clusters, *files.mapping, *files.graph);
  files.lapse = makeLapse(*files.chip);
  files.assessment = makeAssessment(*files.emulation);
  addSampleCircuit(files);
  return files;
}

llvm::Error writeStageFiles(const std::string &folder, const StageFiles &files) {
  using namespace run;
  std::filesystem::create_directories(folder);
  auto path = [&](const char *name) { return (std::filesystem::path(folder) / name).string(); };
  if (files.ann)
    SPINDLE_RETURN_IF_ERROR(writeAnnEvaluation(path(kAnn), *files.ann));
  if (files.conversion)
    SPINDLE_RETURN_IF_ERROR(writeConversionSummary(path(kConversion), *files.conversion));
  if (files.emulation)
    SPINDLE_RETURN_IF_ERROR(writeEmulationSummary(path(kEmulation), *files.emulation));
  if (files.spikes)
    SPINDLE_RETURN_IF_ERROR(writeSpikeTrace(path(kSpikes), *files.spikes));
  if (files.statistics)
    SPINDLE_RETURN_IF_ERROR(writeSpikeStatistics(path(kStatistics), *files.statistics));
  if (files.diagnosis)
    SPINDLE_RETURN_IF_ERROR(writeDiagnosis(path(kDiagnosis), *files.diagnosis));
  if (files.graph)
    SPINDLE_RETURN_IF_ERROR(writeSpikingGraph(path(kGraph), *files.graph));
  if (files.clusters)
    SPINDLE_RETURN_IF_ERROR(writeClustering(path(kClusters), *files.clusters));
  if (files.sdfGraph)
    SPINDLE_RETURN_IF_ERROR(writeSdfGraph(path(kSdfGraph), *files.sdfGraph));
  if (files.sdfGraph && files.sdfAnalysis)
    SPINDLE_RETURN_IF_ERROR(
        writeSdfAnalysis(path(kSdfAnalysis), *files.sdfGraph, *files.sdfAnalysis));
  if (files.mapping)
    SPINDLE_RETURN_IF_ERROR(writeMapping(path(kMapping), *files.mapping));
  if (files.loads)
    SPINDLE_RETURN_IF_ERROR(writeMultiplexedRun(path(kLoads), *files.loads));
  if (files.chip)
    SPINDLE_RETURN_IF_ERROR(writeChipStats(path(kChip), *files.chip));
  if (files.lapse)
    SPINDLE_RETURN_IF_ERROR(writeTimeLapse(path(kLapse), *files.lapse));
  if (files.assessment)
    SPINDLE_RETURN_IF_ERROR(writeAssessment(path(kAssessment), *files.assessment));
  return writeCircuits(folder, files);
}

} // namespace spindle
