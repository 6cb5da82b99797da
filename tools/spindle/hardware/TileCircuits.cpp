#include "tools/spindle/stages/TileCircuits.h"

#include "core/support/files/FolderLock.h"
#include "dialects/hls/interpreter/Interpreter.h"
#include "hw/cosim/samples/SampleTokens.h"
#include "hw/cosim/tile/TileRun.h"
#include "hw/program/ProgramFile.h"
#include "tools/spindle/hardware/CircuitFolder.h"

#include "fmt/format.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace spindle {

namespace {

/// Until a circuit that has been started waits for its first word.
constexpr uint64_t kStartCycles = 64;
/// The cycle of a circuit in which the chip's first one begins.
constexpr uint64_t kFirstCycle = 2;

/// The spikes of a population, by step of all samples one after the other.
using StepSpikes = std::vector<std::vector<uint32_t>>;

StepSpikes spikesOf(const SpikeTrace &trace, uint32_t samples, uint32_t first, uint32_t size) {
  StepSpikes spikes(size_t(samples) * trace.steps);
  for (uint32_t sample = 0; sample < samples; ++sample)
    for (const Spike &spike : trace.recorded[sample])
      if (spike.neuron >= first && spike.neuron - first < size)
        spikes[size_t(sample) * trace.steps + spike.step].push_back(spike.neuron);
  return spikes;
}

/// One circuit in one tile.
class OneCircuit {
public:
  OneCircuit(CircuitFolder opened, const MappedNetwork &network, uint32_t sampleCount)
      : circuit(std::move(opened)), mapped(network), samples(sampleCount),
        steps(network.trace.steps),
        design(hls::tileDesign(circuit.path, circuit.kernel, circuit.network)) {
    const HardwareTile &tile = *circuit.network.tile;
    const HardwareArray *input = findArray(circuit.network, ArrayRole::Input, tile.source);
    inputs = spikesOf(mapped.trace, samples, tile.firstInput, uint32_t(neuronsOf(*input)));
    wanted = spikesOf(mapped.trace, samples, tile.first, circuit.neurons);
  }

  /// With all packets there at once.
  llvm::Expected<CircuitTile> run() {
    SPINDLE_ASSIGN(FolderLock lock, FolderLock::take(circuit.path));
    hls::TileStimulus stimulus = emptyStimulus();
    for (size_t step = 0; step < inputs.size(); ++step)
      for (uint32_t neuron : inputs[step])
        stimulus.packets.push_back({neuron, 0, step});
    stimulus.steps.assign(inputs.size(), kStartCycles);
    SPINDLE_ASSIGN(first, hls::runTile(design, circuit.network, stimulus));
    SPINDLE_RETURN_IF_ERROR(checkSpikes(first));
    SPINDLE_RETURN_IF_ERROR(checkCycles());
    return tileOf(first);
  }

  /// With packets and ends of steps as the chip has them.
  llvm::Error replay(const CircuitTile &tile) {
    SPINDLE_ASSIGN(FolderLock lock, FolderLock::take(circuit.path));
    hls::TileStimulus stimulus = emptyStimulus();
    for (const CircuitArrival &arrival : tile.arrivals) {
      auto step = std::upper_bound(tile.slots.begin(), tile.slots.end(), arrival.slot);
      stimulus.packets.push_back(
          {arrival.neuron, arrival.cycle + kFirstCycle, uint64_t(step - tile.slots.begin())});
    }
    for (uint64_t begin : tile.begins)
      stimulus.steps.push_back(begin + kFirstCycle);
    SPINDLE_ASSIGN(hls::TileOutcome found, hls::runTile(design, circuit.network, stimulus));
    SPINDLE_RETURN_IF_ERROR(checkSpikes(found));
    return checkReplay(stimulus, found);
  }

private:
  hls::TileStimulus emptyStimulus() const {
    hls::TileStimulus stimulus;
    stimulus.samples = samples;
    stimulus.targets.resize(circuit.neurons);
    std::map<uint32_t, std::vector<uint32_t>> targets;
    for (ClusterId c = 0; c < mapped.clustering.clusters.size(); ++c)
      for (const Axon &axon : mapped.clustering.clusters[c].axons)
        if (axon.neuron >= circuit.first() && axon.neuron - circuit.first() < circuit.neurons)
          stimulus.targets[axon.neuron - circuit.first()].push_back(
              mapped.mapping.placements[c].tile);
    for (std::vector<uint32_t> &tiles : stimulus.targets) {
      std::sort(tiles.begin(), tiles.end());
      tiles.erase(std::unique(tiles.begin(), tiles.end()), tiles.end());
    }
    return stimulus;
  }

  std::string nameOf(size_t step) const {
    return fmt::format("sample {}, step {}", step / steps, step % steps);
  }

  llvm::Error refuse(const std::string &text) const { return checkError(circuit.path, text); }

  /// Each step is there, with words in and out; files from strangers may describe another circuit.
  llvm::Error checkSteps(const hls::TileOutcome &found) const {
    if (!found.problem.empty())
      return refuse(found.problem);
    if (found.steps.size() != wanted.size())
      return refuse(fmt::format("layer '{}': the circuit went through {} steps, expected {}",
                                circuit.network.tile->layer, found.steps.size(), wanted.size()));
    for (size_t step = 0; step < wanted.size(); ++step)
      if (found.steps[step].words.empty() || found.steps[step].answers.empty())
        return refuse(fmt::format("layer '{}', {}: found no words that go {} the circuit; "
                                  "hardware.json describes another one, run the stage hardware "
                                  "again",
                                  circuit.network.tile->layer, nameOf(step),
                                  found.steps[step].words.empty() ? "into" : "out of"));
    return llvm::Error::success();
  }

  llvm::Error checkSpikes(const hls::TileOutcome &found) const {
    SPINDLE_RETURN_IF_ERROR(checkSteps(found));
    for (size_t step = 0; step < wanted.size(); ++step) {
      const std::vector<uint32_t> &right = wanted[step], &spikes = found.steps[step].spikes;
      auto differs = std::mismatch(right.begin(), right.end(), spikes.begin(), spikes.end());
      if (differs.first == right.end() && differs.second == spikes.end())
        continue;
      bool isMissing = differs.second == spikes.end() ||
                       (differs.first != right.end() && *differs.first < *differs.second);
      uint32_t neuron = isMissing ? *differs.first : *differs.second;
      return refuse(fmt::format("layer '{}', neuron {}, {}: found {}, expected {} as in the "
                                "emulator",
                                circuit.network.tile->layer, neuron - circuit.first(), nameOf(step),
                                isMissing ? "silence" : "a spike",
                                isMissing ? "a spike" : "silence"));
    }
    return llvm::Error::success();
  }

  /// Every word goes in and comes out in the cycle that the schedule has for these events.
  llvm::Error checkCycles() const {
    size_t in = 0, out = 0;
    SPINDLE_ASSIGN(hls::Interpretation predicted, predict(in, out));
    size_t word = 0, answer = 0;
    for (size_t step = 0; step < first.steps.size(); ++step) {
      for (auto [cycles, next, kind] : {std::tuple(&first.steps[step].words, &word, in),
                                        std::tuple(&first.steps[step].answers, &answer, out)})
        for (uint64_t cycle : *cycles) {
          const std::vector<uint64_t> &right = predicted.streamCycles[kind];
          if (*next >= right.size() || right[*next] != cycle)
            return refuse(
                fmt::format("layer '{}', {}: a word {} the circuit in cycle {}, the "
                            "schedule has cycle {}",
                            circuit.network.tile->layer, nameOf(step),
                            kind == in ? "goes into" : "comes out of", cycle,
                            *next < right.size() ? fmt::format("{}", right[*next]) : "-"));
          ++*next;
        }
    }
    return llvm::Error::success();
  }

  /// The circuit as cosim foresees it, with each word there when the interface has offered it.
  llvm::Expected<hls::Interpretation> predict(size_t &in, size_t &out) const {
    std::vector<hls::KernelArray> arguments;
    std::vector<std::vector<uint64_t>> available(circuit.network.arrays.size());
    for (auto [index, array] : llvm::enumerate(circuit.network.arrays)) {
      arguments.push_back(hls::makeTokens(array, goesOut(array.role) ? 0 : samples));
      out = array.role == ArrayRole::Spikes ? index : out;
      if (array.role != ArrayRole::Input)
        continue;
      in = index;
      for (size_t step = 0; step < inputs.size(); ++step)
        for (uint32_t neuron : inputs[step])
          hls::addSpike(arguments.back(), array, step / steps, step % steps,
                        neuron - circuit.network.tile->firstInput);
      for (const hls::TileOutcome::Step &step : first.steps)
        for (size_t word = 0; word < step.words.size(); ++word)
          available[index].push_back((word == 0 ? step.begin : step.words[word - 1]) + 1);
    }
    auto context = hls::makeProgramContext();
    SPINDLE_ASSIGN(auto scheduled, hls::readProgram(*context, circuit.path + "/scheduled.mlir"));
    auto kernels = scheduled->getOps<hls::KernelOp>();
    if (kernels.empty())
      return inputError(circuit.path + "/scheduled.mlir", "found no hls.kernel, run the stage "
                                                          "hardware again");
    return hls::interpret(*kernels.begin(), std::move(arguments), {}, available);
  }

  /// The same packets, so many cycles after the end of the step, as in the first run.
  llvm::Error checkReplay(const hls::TileStimulus &stimulus, const hls::TileOutcome &found) const {
    for (size_t packet = 0; packet < stimulus.packets.size(); ++packet)
      if (packet >= found.taken.size() || found.taken[packet] != stimulus.packets[packet].cycle)
        return refuse(fmt::format("packet {} of {} is not taken in the cycle in which the mesh "
                                  "brings it",
                                  packet, stimulus.packets.size()));
    for (size_t step = 0; step < first.steps.size(); ++step) {
      const hls::TileOutcome::Step &now = found.steps[step], &before = first.steps[step];
      bool isSame = now.begin == stimulus.steps[step] &&
                    now.end - now.begin == before.end - before.begin &&
                    now.packets.size() == before.packets.size();
      for (size_t packet = 0; isSame && packet < now.packets.size(); ++packet) {
        hls::TileOutcome::Sent sent = now.packets[packet];
        sent.cycle -= now.begin;
        sent.cycle += before.begin;
        isSame = sent == before.packets[packet];
      }
      if (!isSame)
        return refuse(fmt::format("layer '{}', {}: the packets of the circuit leave in other "
                                  "cycles when packets come as the mesh brings them",
                                  circuit.network.tile->layer, nameOf(step)));
    }
    return llvm::Error::success();
  }

  CircuitTile tileOf(const hls::TileOutcome &outcome) const {
    CircuitTile tile;
    tile.tile = circuit.tile;
    tile.cluster = circuit.cluster;
    tile.layer = circuit.network.tile->layer;
    tile.first = circuit.first();
    for (const hls::TileOutcome::Step &step : outcome.steps) {
      CircuitStep made{step.end - step.begin + 1,
                       step.answers.back() - step.words.front(),
                       step.spikes.size(),
                       {}};
      for (const hls::TileOutcome::Sent &sent : step.packets)
        made.packets.push_back({sent.neuron, sent.tile, sent.cycle - step.begin});
      tile.steps.push_back(std::move(made));
    }
    return tile;
  }

  CircuitFolder circuit;
  MappedNetwork mapped;
  uint32_t samples, steps;
  hls::BenchDesign design;
  StepSpikes inputs, wanted;
  hls::TileOutcome first;
};

class FlowCircuits final : public TileCircuits {
public:
  llvm::Error add(OneCircuit one) {
    SPINDLE_ASSIGN(CircuitTile tile, one.run());
    all.push_back(std::move(one));
    made.push_back(std::move(tile));
    return llvm::Error::success();
  }

  llvm::MutableArrayRef<CircuitTile> tiles() override { return made; }

  llvm::Error replay() override {
    for (auto [one, tile] : llvm::zip(all, made))
      SPINDLE_RETURN_IF_ERROR(one.replay(tile));
    return llvm::Error::success();
  }

  std::string summary() const override {
    std::string text;
    for (const CircuitTile &tile : made) {
      uint64_t cycles = 0, spikes = 0;
      for (const CircuitStep &step : tile.steps)
        cycles += step.cycles, spikes += step.spikes;
      text +=
          fmt::format("; '{}' by a circuit in tile {}: {} spikes as emulated, {:.1f} cycles "
                      "per step",
                      tile.layer, tile.tile, spikes, double(cycles) / double(tile.steps.size()));
    }
    return text;
  }

private:
  std::vector<OneCircuit> all;
  std::vector<CircuitTile> made;
};

} // namespace

llvm::Expected<std::unique_ptr<TileCircuits>> makeTileCircuits(const StageRun &run,
                                                               const MappedNetwork &mapped) {
  auto circuits = std::make_unique<FlowCircuits>();
  auto samples =
      uint32_t(std::min<size_t>(run.flow.simulation.samples, mapped.trace.recorded.size()));
  std::map<TileId, std::string> taken;
  std::vector<CircuitFolder> opened;
  for (const CircuitOption &option : run.flow.simulation.tiles) {
    SPINDLE_ASSIGN(CircuitFolder circuit, openCircuit(run, mapped, option));
    if (!taken.emplace(circuit.tile, option.place).second)
      return inputError(option.place,
                        fmt::format("tile [{}, {}] has a circuit already, at {}",
                                    mapped.chip.mesh.x(circuit.tile),
                                    mapped.chip.mesh.y(circuit.tile), taken[circuit.tile]));
    for (const HardwareArray &array : circuit.network.arrays)
      if (array.role == ArrayRole::Images && array.bits < 32 && samples >> array.bits != 0)
        return inputError(option.place, fmt::format("a circuit runs up to {} samples, expected {}; "
                                                    "lower simulation.samples",
                                                    (uint64_t(1) << array.bits) - 1, samples));
    opened.push_back(std::move(circuit));
  }
  for (CircuitFolder &circuit : opened)
    SPINDLE_RETURN_IF_ERROR(circuits->add(OneCircuit(std::move(circuit), mapped, samples)));
  return circuits;
}

} // namespace spindle
