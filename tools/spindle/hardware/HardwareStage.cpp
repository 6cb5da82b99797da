// The stage hardware: the spiking network becomes loops, and these a circuit.
#include "tools/spindle/flow/Stage.h"
#include "tools/spindle/stages/ModuleFile.h"

#include "core/network/Evaluation.h"
#include "core/network/SpikeTrace.h"
#include "core/run/StageFileNames.h"
#include "core/support/files/DataPath.h"
#include "core/support/files/File.h"
#include "core/support/files/FileHash.h"
#include "core/support/files/FolderLock.h"
#include "core/support/formats/Npz.h"
#include "hw/cosim/Inputs.h"
#include "hw/program/ProgramFile.h"
#include "hw/synthesis/BusFiles.h"
#include "hw/synthesis/KernelFiles.h"
#include "hw/synthesis/NetworkBus.h"
#include "hw/synthesis/tile/TileFiles.h"
#include "lib/conversion/snn-to-loops/IsolateLayer.h"
#include "lib/conversion/snn-to-loops/Passes.h"
#include "lib/conversion/snn-to-loops/SnnToLoops.h"
#include "lib/conversion/snn-to-loops/tensor/Int8Ann.h"
#include "lib/conversion/trials/HeldSamples.h"
#include "lib/emulation/HostValues.h"
#include "lib/emulation/RecordSignal.h"
#include "lib/report/KernelPage.h"
#include "tools/spindle/Commands.h"
#include "tools/spindle/hardware/HardwareFiles.h"
#include "tools/spindle/hardware/NetworkCircuit.h"

#include "fmt/format.h"

#include <algorithm>
#include <filesystem>

namespace spindle {

/// The network's loops.
static llvm::Expected<LoopProgram> loopsOf(const StageRun &run, mlir::ModuleOp network,
                                           const SpikeTrace &trace, const CircuitOptions &options) {
  llvm::Expected<LoopProgram> program = snnToLoops(network, options);
  if (!program)
    return inSection(program.takeError(), "hardware");
  if (trace.maxSpikes > 1) // of inputs: a population of several is refused above
    return inputError(run.file(run::kSpikes),
                      fmt::format("an element of the input has up to {} events in a step, expected "
                                  "1, which is what a circuit takes; give dataset.binary: true",
                                  trace.maxSpikes));
  return program;
}

/// Weights as the circuit's arrays, by the names of `cosim --in`.
static llvm::Error writeWeights(const std::string &path, const LoopProgram &program) {
  std::vector<NpzMember> members;
  for (auto [index, array] : llvm::enumerate(program.arguments))
    if (array.port.role == ArrayRole::Weights)
      members.push_back(
          {fmt::format("arg{}", index),
           hls::toNpy(hls::makeIntegers({hls::ElementType::Kind::Integer, array.port.bits},
                                        array.port.shape, array.values))});
  return writeNpz(path, members);
}

/// The samples that were recorded.
static llvm::Expected<Samples> openRecorded(const StageRun &run, size_t recorded) {
  SPINDLE_ASSIGN(Samples samples, openDataset(run.flow.dataset, PathResolver(run.flow.path)));
  if (samples.count() < recorded)
    return inputError(run.file(run::kSpikes),
                      fmt::format("has spikes of {} samples, and the data set holds {} now; run "
                                  "the stage emulate again, or raise dataset.limit",
                                  recorded, samples.count()));
  return samples;
}

/// What the host computes of the recorded samples under direct coding: currents or pixels.
static llvm::Error writeGiven(const StageRun &run, const std::string &folder,
                              mlir::ModuleOp network, const LoopProgram &program, size_t recorded) {
  if (!program.given)
    return llvm::Error::success();
  SPINDLE_ASSIGN(Samples samples, openRecorded(run, recorded));
  SPINDLE_ASSIGN(std::vector<float> values, hostValues(network, program.given, samples, recorded));
  int64_t size = recorded == 0 ? 0 : int64_t(values.size() / recorded);
  auto port = llvm::find_if(program.arguments,
                            [](const ProgramArray &each) { return isGiven(each.port.role); });
  std::string name = givenName(port->port.role);
  return writeNpz(folder + "/" + name + ".npz",
                  {{name, makeNpy({int64_t(recorded), size}, values)}});
}

/// What the emulator answers to the recorded samples, where tensor layers make the answer.
static llvm::Error writeAnswers(const StageRun &run, const std::string &folder,
                                mlir::ModuleOp network, const LoopProgram &program,
                                const SpikeTrace &trace) {
  std::string path = folder + "/" + kHardwareAnswers;
  std::filesystem::remove(path);
  bool areSums = llvm::any_of(program.arguments, [](const ProgramArray &each) {
    return goesOut(each.port.role) && each.port.answer == AnswerKind::Sums;
  });
  if (!areSums)
    return llvm::Error::success();
  size_t recorded = trace.recorded.size();
  SPINDLE_ASSIGN(Samples samples, openRecorded(run, recorded));
  std::vector<float> answers;
  SPINDLE_RETURN_IF_ERROR(recordSignal(
      network, {"", SignalTap::Answer}, firstOf(std::move(samples), recorded), trace.steps,
      uint64_t(run.flow.emulation.seed),
      /*threads=*/1, [&](size_t, llvm::ArrayRef<float> signal) { // of all steps, in order
        llvm::append_range(answers, signal.take_back(signal.size() / trace.steps));
      }));
  int64_t size = recorded == 0 ? 0 : int64_t(answers.size() / recorded);
  return writeNpz(path, {{"answers", makeNpy({int64_t(recorded), size}, answers)}});
}

llvm::Error checkTarget(const Flow &flow) {
  return inSection(targetOf(flow).takeError(), flow.places.at("hardware"));
}

/// A circuit with given lanes has a budget, too.
static llvm::Error checkBudget(const CircuitOptions &options, const CircuitCost &cost) {
  std::string excess = hls::excessText(cost.whole, options.budget);
  if (excess.empty())
    return llvm::Error::success();
  auto largest = std::max_element(cost.layers.begin(), cost.layers.end(),
                                  [](auto &a, auto &b) { return a.second.lut < b.second.lut; });
  std::string layer;
  if (largest != cost.layers.end())
    layer = fmt::format("; its largest layer is '{}' with {}", largest->first,
                        hls::areaText(largest->second));
  return inputError("hardware", fmt::format("budget is too small: the circuit needs {}{}; give "
                                            "fewer lanes, or lanes: auto",
                                            excess, layer));
}

/// Of an earlier circuit in the folder.
static void removeBusFiles(const std::string &folder) {
  std::error_code status;
  std::filesystem::remove(folder + "/axi.json", status);
  std::filesystem::remove_all(folder + "/driver", status);
}

/// What a layer takes, by the estimate; its cycles, where the schedule has them apart.
static llvm::Expected<HardwareNetwork>
writeCircuit(const std::string &folder, const hls::Target &target, const LoopProgram &program,
             const CircuitOptions &options, const std::optional<hls::AxiOptions> &bus,
             std::optional<HardwareTile> tile) {
  SPINDLE_ASSIGN(NetworkCircuit circuit, makeCircuit(program, target, folder + "/original.mlir"));
  SPINDLE_RETURN_IF_ERROR(checkBudget(options, circuit.cost));
  const hls::KernelInterface &interface = circuit.made.interface;
  SPINDLE_RETURN_IF_ERROR(hls::writeKernelFiles(folder, circuit.made, circuit.text));
  SPINDLE_RETURN_IF_ERROR(hls::writeKernelSchedule(folder + "/schedule.json", circuit.schedule));
  SPINDLE_RETURN_IF_ERROR(
      writeFile(folder + "/report.html", renderKernelPage(interface, circuit.schedule)));

  HardwareNetwork network;
  network.top = interface.top;
  network.target = interface.target;
  network.clockPeriodNs = interface.clockPeriodNs;
  network.predictedCycles = interface.predictedCycles;
  network.layers = program.layers;
  for (const ProgramArray &array : program.arguments)
    network.arrays.push_back(array.port);
  network.steps = uint32_t(program.steps);
  if (bus)
    SPINDLE_RETURN_IF_ERROR(
        inSection(hls::writeBusFiles(folder, *circuit.made.design, interface,
                                     hls::busOptions(network, bus->data, bus->channels),
                                     hls::meaningsOf(network)),
                  "hardware"));
  if (tile) {
    tile->top = interface.top + "_tile";
    network.tile = std::move(tile);
    SPINDLE_RETURN_IF_ERROR(inSection(
        hls::writeTileFiles(folder, *circuit.made.design, interface, network), "hardware"));
  }
  for (HardwareLayer &layer : network.layers) {
    const CircuitCost &cost = circuit.cost;
    if (auto cycles = cost.cycles.find(layer.name); cycles != cost.cycles.end())
      layer.cycles = cycles->second;
    if (auto area = cost.layers.find(layer.name); area != cost.layers.end())
      layer.estimate = area->second;
    if (auto tasks = circuit.tasks.find(layer.name); tasks != circuit.tasks.end())
      layer.tasks = tasks->second;
  }
  return network;
}

/// Of every population, in the mean of all samples.
static SpikeRates ratesOf(const SpikeTrace &trace) {
  SpikeRates rates;
  for (const Population &population : trace.populations) {
    double spikes = 0;
    for (uint64_t neuron = 0; neuron < population.size; ++neuron)
      spikes += double(trace.counts[population.first + neuron]);
    rates[population.name] = trace.samples == 0 ? 0 : spikes / double(trace.samples);
  }
  return rates;
}

/// Within the budget, or what the part has; errors are about the section of the flow.
static llvm::Expected<CircuitOptions> lanesFor(const StageRun &run, mlir::ModuleOp network,
                                               const SpikeTrace &trace, const hls::Target &target) {
  CircuitOptions options = run.flow.hardware;
  options.steps = trace.steps;
  if (options.picksKinds) {
    SPINDLE_ASSIGN(ConversionSummary chosen, readConversionSummary(run.file(run::kConversion)));
    for (const ConversionSummary::Kernel &kernel : chosen.kernels)
      options.layers[kernel.name] = {kernel.lanes, kernel.inputs, LayerStyle::Event,
                                     LayerKind::Tensor};
  }
  if (!options.picksLanes)
    return options;
  if (options.budget == kUnlimited && target.capacity)
    options.budget = *target.capacity;
  auto measure = [&](const LoopProgram &program) -> llvm::Expected<CircuitCost> {
    SPINDLE_ASSIGN(NetworkCircuit circuit, makeCircuit(program, target, "original.mlir"));
    return std::move(circuit.cost);
  };
  llvm::Expected<LaneChoice> choice = chooseLanes(network, options, ratesOf(trace), measure);
  if (!choice)
    return inSection(choice.takeError(), "hardware");
  return std::move(choice->options);
}

/// The layer for a tile of a chip.
static llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>> layerAlone(const StageRun &run,
                                                                    mlir::ModuleOp network) {
  llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>> layer =
      isolateLayer(network, run.flow.hardware.tile);
  if (!layer)
    return inSection(layer.takeError(), "hardware");
  return std::move(*layer);
}

/// What makes of the flow the int8 ANN of the network, for the report; none of what is one already.
static std::vector<std::string> int8AnnOf(const StageRun &run, mlir::ModuleOp network,
                                          const hls::Target &target,
                                          const std::vector<HardwareLayer> &layers) {
  bool isAnn = llvm::all_of(
      layers, [](const HardwareLayer &layer) { return layer.kind == LayerKind::Tensor; });
  bool isConverted = isThere(run.file(run::kAnn)); // else it spiked from the start
  if (isAnn || !isConverted || !run.flow.hardware.tile.empty())
    return {};
  return int8AnnSettings(network, run.flow.settings.at("hardware").value("target", ""),
                         target.capacity ? target.capacity->dsp : kUnlimited.dsp);
}

/// Where the neurons of the layer, and of the one that drives it, are in the network.
static std::optional<HardwareTile> tileOf(const LoopProgram &program, const SpikeTrace &trace,
                                          const CircuitOptions &options) {
  if (options.tile.empty())
    return std::nullopt;
  HardwareTile tile;
  tile.layer = options.tile;
  tile.targets = uint32_t(options.tileTargets);
  for (const ProgramArray &array : program.arguments)
    if (array.port.role == ArrayRole::Input)
      tile.source = array.port.layer;
  for (const Population &population : trace.populations) {
    if (population.name == tile.layer)
      tile.first = population.first;
    if (population.name == tile.source)
      tile.firstInput = population.first;
  }
  return tile;
}

llvm::Expected<std::string> runHardware(const StageRun &run) {
  if (run.flow.hardwareBus && !run.flow.hardware.tile.empty())
    return inputError("hardware", "found a bus beside a tile, whose network interface is the only "
                                  "one, expected one of both");
  if ((run.flow.hardware.encodes || run.flow.hardware.classifies) &&
      !run.flow.hardware.tile.empty())
    return inputError("hardware", "found encoder: circuit or answer: class beside a tile, whose "
                                  "layer takes and makes spikes, expected one of both");
  if (run.flow.hardware.system && !run.flow.hardware.tile.empty())
    return inputError("hardware",
                      "found system beside a tile, whose circuit is one layer, expected "
                      "one of both");
  auto context = makeNetworkContext();
  SPINDLE_ASSIGN(auto snn, readModule(*context, run.file(run::kSnnModule)));
  SPINDLE_ASSIGN(SpikeTrace trace, readSpikeTrace(run.file(run::kSpikes)));
  context->loadDialect<mlir::affine::AffineDialect, mlir::memref::MemRefDialect,
                       mlir::scf::SCFDialect, hls::HlsDialect>();
  SPINDLE_ASSIGN(hls::Target target, targetOf(run.flow));
  if (!run.flow.hardware.tile.empty()) {
    SPINDLE_ASSIGN(snn, layerAlone(run, *snn));
  }
  SPINDLE_ASSIGN(CircuitOptions options, lanesFor(run, *snn, trace, target));
  SPINDLE_ASSIGN(LoopProgram program, loopsOf(run, *snn, trace, options));
  std::string folder = std::filesystem::path(run.output(run::kHardware)).parent_path().string();
  SPINDLE_RETURN_IF_ERROR(makeFolder(folder));
  removeBusFiles(folder);
  std::optional<hls::AxiOptions> bus;
  if (run.flow.hardwareBus) {
    bus.emplace().data = *run.flow.hardwareBus;
    bus->channels = unsigned(run.flow.hardwareChannels);
  }
  SPINDLE_ASSIGN(HardwareNetwork network, writeCircuit(folder, target, program, options, bus,
                                                       tileOf(program, trace, options)));
  network.int8Ann = int8AnnOf(run, *snn, target, network.layers);
  SPINDLE_ASSIGN(network.spikesHash, hashFile(run.file(run::kSpikes)));
  SPINDLE_RETURN_IF_ERROR(writeWeights(folder + "/" + kHardwareWeights, program));
  SPINDLE_RETURN_IF_ERROR(writeGiven(run, folder, *snn, program, trace.recorded.size()));
  SPINDLE_RETURN_IF_ERROR(writeAnswers(run, folder, *snn, program, trace));
  SPINDLE_RETURN_IF_ERROR(writeHardwareNetwork(run.output(run::kHardware), network));
  std::string cycles = "cycles depend on the data";
  if (network.predictedCycles)
    cycles =
        fmt::format("{} cycles per sample, {:.0f} samples/s at {:g} MHz", *network.predictedCycles,
                    1e9 / (double(*network.predictedCycles) * network.clockPeriodNs),
                    1e3 / network.clockPeriodNs);
  return fmt::format("{} layers in {} steps: {} ({})", network.layers.size(), network.steps, cycles,
                     network.target);
}

} // namespace spindle
