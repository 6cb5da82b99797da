#include "hw/cosim/tile/TileRun.h"

#include "hw/cosim/harness/tile/TileBench.h"

#include "fmt/format.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace spindle::hls {

namespace {

constexpr uint64_t kMostStepCycles = 10'000'000; // before a circuit counts as hanging
constexpr uint64_t kLast = 1 << 17, kValid = 1 << 16;

struct TilePin {
  const char *name, *member;
  bool isInput;
  uint32_t bits; // 0: any
};

constexpr TilePin tilePins[] = {{"clk", "clock", true, 1},
                                {"rst", "reset", true, 1},
                                {"start", "start", true, 1},
                                {"samples", "samples", true, 0},
                                {"idle", "idle", false, 1},
                                {"in_valid", "inValid", true, 1},
                                {"in_ready", "inReady", false, 1},
                                {"in_neuron", "inNeuron", true, 32},
                                {"stray", "stray", false, 1},
                                {"step", "step", true, 1},
                                {"done", "done", false, 1},
                                {"table_write", "tableWrite", true, 1},
                                {"table_entry", "tableEntry", true, 0},
                                {"table_data", "tableData", true, 18},
                                {"out_valid", "outValid", false, 1},
                                {"out_ready", "outReady", true, 1},
                                {"out_neuron", "outNeuron", false, 32},
                                {"out_tile", "outTile", false, 16},
                                {"spike", "spike", false, 1},
                                {"spike_neuron", "spikeNeuron", false, 32},
                                {"word_moved", "wordMoved", false, 1},
                                {"spikes_moved", "spikesMoved", false, 1}};

std::string adapterText(const std::string &top) {
  std::string text = "// The pins of " + top + R"(.
#pragma once

#include "Vkernel.h"

#include "hw/cosim/harness/tile/TileBench.h"

namespace spindle::hls {

using BenchPins = TilePins;

inline void connect(Vkernel &kernel, TilePins &pins) {
)";
  for (const TilePin &pin : tilePins)
    text += fmt::format("  pins.{} = pinOf(kernel.{});\n", pin.member, pin.name);
  return text + "}\n\n} // namespace spindle::hls\n";
}

/// Entry t of neuron n is word n · targets + t. Errors: a neuron with too many.
llvm::Expected<Words> tableOf(const HardwareTile &tile, const TileStimulus &stimulus) {
  Words table;
  for (size_t neuron = 0; neuron < stimulus.targets.size(); ++neuron) {
    const std::vector<uint32_t> &targets = stimulus.targets[neuron];
    if (targets.size() > tile.targets)
      return inputError(
          "", fmt::format("neuron {} of layer '{}' sends its spikes to {} tiles, and "
                          "the table of the circuit has room for {}; give "
                          "hardware.tile.targets: {} and run the stage hardware again",
                          neuron, tile.layer, targets.size(), tile.targets, targets.size()));
    for (size_t entry = 0; entry < tile.targets; ++entry)
      table.push_back(entry < targets.size()
                          ? kValid | (entry + 1 == targets.size() ? kLast : 0) | targets[entry]
                          : 0);
  }
  return table;
}

/// Words of a sample that a process moves in a step.
size_t wordsPerStep(const HardwareNetwork &network, ArrayRole role, const std::string &layer) {
  const HardwareArray *array = findArray(network, role, layer);
  return array && array->shape.size() == 2 ? size_t(array->shape[1]) : 0;
}

TileOutcome outcomeOf(const HardwareNetwork &network, const Response &response) {
  TileOutcome made;
  if (!response.violations.empty())
    made.problem = fmt::format("cycle {}: the circuit {}", response.violations[0].cycle,
                               response.violations[0].text);
  if (response.outcomes.empty() || response.outcomes[0].streams.size() != TileStreams::OutCount)
    return made;
  const std::vector<Words> &streams = response.outcomes[0].streams;
  const Words &ends = streams[TileStreams::Ends];
  made.taken = streams[TileStreams::Taken];
  made.steps.resize(ends.size());
  auto stepAt = [&](uint64_t step) { return step < ends.size() ? &made.steps[step] : nullptr; };
  for (size_t step = 0; step < ends.size(); ++step) {
    made.steps[step].begin = streams[TileStreams::Begins][step];
    made.steps[step].end = ends[step];
  }
  for (size_t i = 0; i < streams[TileStreams::Spikes].size(); ++i)
    if (TileOutcome::Step *step = stepAt(streams[TileStreams::SpikeSteps][i]))
      step->spikes.push_back(uint32_t(streams[TileStreams::Spikes][i]));
  for (size_t i = 0; i < streams[TileStreams::Sent].size(); ++i)
    if (TileOutcome::Step *step = stepAt(streams[TileStreams::SentSteps][i]))
      step->packets.push_back({uint32_t(streams[TileStreams::Sent][i]),
                               uint32_t(streams[TileStreams::SentTiles][i]),
                               streams[TileStreams::SentCycles][i]});
  size_t in = wordsPerStep(network, ArrayRole::Input, network.tile->source);
  size_t out = wordsPerStep(network, ArrayRole::Spikes, network.tile->layer);
  for (size_t i = 0; in > 0 && i < streams[TileStreams::Words].size(); ++i)
    if (TileOutcome::Step *step = stepAt(i / in))
      step->words.push_back(streams[TileStreams::Words][i]);
  for (size_t i = 0; out > 0 && i < streams[TileStreams::Answers].size(); ++i)
    if (TileOutcome::Step *step = stepAt(i / out))
      step->answers.push_back(streams[TileStreams::Answers][i]);
  return made;
}

} // namespace

BenchDesign tileDesign(const std::string &folder, const KernelInterface &kernel,
                       const HardwareNetwork &network) {
  BenchDesign design;
  design.folder = folder;
  design.work = "cosim/tile";
  design.harness = "hw/cosim/harness/tile";
  design.top = network.tile->top;
  design.sources = {design.top + ".sv", "units/spindle_network_interface.sv"};
  for (const std::string &source : kernel.sources)
    if (source.rfind("units/", 0) == 0 && !llvm::is_contained(design.sources, source))
      design.sources.push_back(source);
  design.file = folder + "/hardware.json";
  for (const TilePin &pin : tilePins)
    design.ports[pin.name] = {pin.isInput, pin.bits};
  design.adapter = [top = design.top](const ModulePorts &) { return adapterText(top); };
  return design;
}

llvm::Expected<TileOutcome> runTile(const BenchDesign &design, const HardwareNetwork &network,
                                    const TileStimulus &stimulus) {
  BenchRun run;
  run.stallPercent = stimulus.stallPercent;
  run.scalars = {stimulus.samples};
  run.streams.resize(TileStreams::InCount);
  SPINDLE_ASSIGN(run.streams[TileStreams::Table], tableOf(*network.tile, stimulus));
  for (const TileStimulus::Packet &packet : stimulus.packets) {
    run.streams[TileStreams::Packets].push_back(packet.neuron);
    run.streams[TileStreams::Arrivals].push_back(packet.cycle);
    run.streams[TileStreams::PacketSteps].push_back(packet.step);
  }
  run.streams[TileStreams::Steps] = stimulus.steps;
  run.streams[TileStreams::Settle] = {4};
  Stimulus bench;
  bench.seed = stimulus.seed;
  bench.mostCycles = kMostStepCycles;
  bool isTraced = !stimulus.waveform.empty();
  if (isTraced)
    bench.traceFrom = 0, bench.traceTo = kNever - 1;
  bench.runs.push_back(std::move(run));
  SPINDLE_ASSIGN(std::string program, buildTestBench(design, isTraced ? Tracing::On : Tracing::Off,
                                                     SimulatedTime::Long));
  SPINDLE_ASSIGN(Response response, runTestBench(design, program, bench, stimulus.waveform));
  return outcomeOf(network, response);
}

} // namespace spindle::hls
