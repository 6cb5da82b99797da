// The stage hardware: the spiking network becomes loops, and these a circuit.
#include "tools/spindle/flow/Stage.h"
#include "tools/spindle/stages/ModuleFile.h"

#include "core/network/SpikeTrace.h"
#include "core/run/StageFileNames.h"
#include "core/support/files/DataPath.h"
#include "core/support/files/FileHash.h"
#include "core/support/files/FolderLock.h"
#include "core/support/formats/Npz.h"
#include "hw/cosim/Inputs.h"
#include "hw/program/ProgramFile.h"
#include "hw/synthesis/KernelFiles.h"
#include "lib/conversion/snn-to-loops/Passes.h"
#include "lib/conversion/snn-to-loops/SnnToLoops.h"
#include "lib/emulation/HostValues.h"
#include "lib/report/KernelPage.h"
#include "tools/spindle/Commands.h"
#include "tools/spindle/hardware/HardwareFiles.h"

#include "fmt/format.h"

#include <filesystem>
#include <map>

namespace spindle {

/// What has no place of its own is about the section of the flow.
static llvm::Error inSection(llvm::Error error, const std::string &section) {
  return llvm::handleErrors(std::move(error), [&](std::unique_ptr<SpindleError> each) {
    if (each->place.empty())
      each->place = section;
    return llvm::Error(std::move(each));
  });
}

/// The network's loops, for as many steps as were emulated.
static llvm::Expected<LoopProgram> loopsOf(const StageRun &run, mlir::ModuleOp network,
                                           const SpikeTrace &trace) {
  network.getContext()
      ->loadDialect<mlir::affine::AffineDialect, mlir::memref::MemRefDialect, mlir::scf::SCFDialect,
                    hls::HlsDialect>();
  CircuitOptions options = run.flow.hardware;
  options.steps = trace.steps;
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

/// Layer → where its nests begin, as schedules have it.
using NestPlaces = std::map<std::string, std::vector<std::string>>;

static NestPlaces placesOfNests(mlir::ModuleOp program) {
  NestPlaces places;
  program.walk([&](mlir::affine::AffineForOp loop) {
    auto layer = loop->getAttrOfType<mlir::StringAttr>(kLayerName);
    auto at = llvm::dyn_cast<mlir::FileLineColLoc>(loop.getLoc());
    if (layer && at)
      places[layer.str()].push_back(
          fmt::format("original.mlir:{}:{}", at.getLine(), at.getColumn()));
  });
  return places;
}

/// Cycles of the layers whose nests have all become tasks.
static void addCycles(std::vector<HardwareLayer> &layers, const hls::KernelSchedule &schedule,
                      NestPlaces places) {
  std::map<std::string, std::optional<uint64_t>> cyclesAt;
  for (const hls::ScheduledTask &task : schedule.tasks)
    if (!task.parent)
      cyclesAt[task.source] = task.cycles;
  for (HardwareLayer &layer : layers) {
    uint64_t sum = 0;
    bool isWhole = !places[layer.name].empty();
    for (const std::string &place : places[layer.name]) {
      isWhole &= cyclesAt[place].has_value();
      sum += cyclesAt[place].value_or(0);
    }
    if (isWhole)
      layer.cycles = sum;
  }
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

/// The currents of the recorded samples that the host computes under direct coding.
static llvm::Error writeCurrents(const StageRun &run, const std::string &path,
                                 mlir::ModuleOp network, const LoopProgram &program,
                                 size_t recorded) {
  if (!program.currents)
    return llvm::Error::success();
  SPINDLE_ASSIGN(Samples samples, openDataset(run.flow.dataset, PathResolver(run.flow.path)));
  SPINDLE_ASSIGN(std::vector<float> values,
                 hostValues(network, program.currents, samples, recorded));
  int64_t size = recorded == 0 ? 0 : int64_t(values.size() / recorded);
  return writeNpz(path, {{"currents", makeNpy({int64_t(recorded), size}, values)}});
}

static std::string textOf(mlir::ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream);
  return text;
}

static llvm::Expected<hls::Target> targetOf(const Flow &flow) {
  const std::string &target = flow.hardwareTarget;
  return hls::readTarget(target.empty() ? hls::kDefaultTarget : target);
}

llvm::Error checkTarget(const Flow &flow) {
  return inSection(targetOf(flow).takeError(), flow.places.at("hardware"));
}

static llvm::Expected<HardwareNetwork>
writeCircuit(const std::string &folder, const hls::Target &target, const LoopProgram &program) {
  hls::SynthesisOptions options;
  options.loops.unroll = {1}; // lanes are in the program
  auto context = hls::makeSynthesisContext();
  std::string text = textOf(*program.module);
  SPINDLE_ASSIGN(auto parsed, hls::parseProgram(*context, text, folder + "/original.mlir"));
  NestPlaces places = placesOfNests(*parsed);
  SPINDLE_ASSIGN(hls::Synthesis made, hls::synthesize(*parsed, target, options));
  SPINDLE_RETURN_IF_ERROR(hls::writeKernelFiles(folder, made, text));
  SPINDLE_ASSIGN(hls::KernelSchedule schedule, hls::writeSchedule(folder, made, target));
  SPINDLE_RETURN_IF_ERROR(
      writeFile(folder + "/report.html", renderKernelPage(made.interface, schedule)));

  HardwareNetwork network;
  network.top = made.interface.top;
  network.target = made.interface.target;
  network.clockPeriodNs = made.interface.clockPeriodNs;
  network.predictedCycles = made.interface.predictedCycles;
  network.layers = program.layers;
  addCycles(network.layers, schedule, std::move(places));
  return network;
}

llvm::Expected<std::string> runHardware(const StageRun &run) {
  auto context = makeNetworkContext();
  SPINDLE_ASSIGN(auto snn, readModule(*context, run.file(run::kSnnModule)));
  SPINDLE_ASSIGN(SpikeTrace trace, readSpikeTrace(run.file(run::kSpikes)));
  SPINDLE_ASSIGN(LoopProgram program, loopsOf(run, *snn, trace));
  std::string folder = std::filesystem::path(run.output(run::kHardware)).parent_path().string();
  SPINDLE_RETURN_IF_ERROR(makeFolder(folder));
  SPINDLE_ASSIGN(hls::Target target, targetOf(run.flow));
  SPINDLE_ASSIGN(HardwareNetwork network, writeCircuit(folder, target, program));
  SPINDLE_ASSIGN(network.spikesHash, hashFile(run.file(run::kSpikes)));
  for (const ProgramArray &array : program.arguments)
    network.arrays.push_back(array.port);
  network.steps = uint32_t(program.steps);
  SPINDLE_RETURN_IF_ERROR(writeWeights(folder + "/" + kHardwareWeights, program));
  SPINDLE_RETURN_IF_ERROR(
      writeCurrents(run, folder + "/" + kHardwareCurrents, *snn, program, trace.recorded.size()));
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
