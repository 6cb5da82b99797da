// The stage hardware: the spiking network becomes loops, and these a circuit.
#include "tools/spindle/flow/Stage.h"
#include "tools/spindle/stages/ModuleFile.h"

#include "core/network/SpikeTrace.h"
#include "core/run/StageFileNames.h"
#include "core/support/files/FolderLock.h"
#include "core/support/formats/Npz.h"
#include "hw/cosim/Inputs.h"
#include "hw/program/ProgramFile.h"
#include "hw/synthesis/KernelFiles.h"
#include "lib/conversion/snn-to-loops/Passes.h"
#include "lib/conversion/snn-to-loops/SnnToLoops.h"
#include "lib/report/KernelPage.h"
#include "tools/spindle/Commands.h"
#include "tools/spindle/hardware/HardwareFiles.h"

#include "fmt/format.h"

#include <filesystem>

namespace spindle {

/// The network's loops, for as many steps as were emulated.
static llvm::Expected<LoopProgram> loopsOf(const StageRun &run, mlir::MLIRContext &context) {
  context.loadDialect<mlir::affine::AffineDialect, mlir::memref::MemRefDialect,
                      mlir::scf::SCFDialect, hls::HlsDialect>();
  SPINDLE_ASSIGN(auto network, readModule(context, run.file(run::kSnnModule)));
  SPINDLE_ASSIGN(SpikeTrace trace, readSpikeTrace(run.file(run::kSpikes)));
  CircuitOptions options = run.flow.hardware;
  options.steps = trace.steps;
  llvm::Expected<LoopProgram> program = snnToLoops(*network, options);
  if (program)
    return program;
  return llvm::handleErrors(program.takeError(), [](std::unique_ptr<SpindleError> error) {
    if (error->place.empty())
      error->place = "hardware"; // the section of the flow
    return llvm::Error(std::move(error));
  });
}

/// The lines of the outermost loops, one for each layer in their order.
static std::vector<std::string> linesOfLoops(llvm::StringRef text) {
  std::vector<std::string> lines;
  llvm::SmallVector<llvm::StringRef> all;
  text.split(all, '\n');
  for (auto [number, line] : llvm::enumerate(all))
    if (line.starts_with("    affine.for"))
      lines.push_back(fmt::format("original.mlir:{}:5", number + 1));
  return lines;
}

/// Cycles of the layers whose nests have become tasks.
static void addCycles(std::vector<HardwareLayer> &layers, const hls::KernelSchedule &schedule,
                      llvm::StringRef text) {
  std::vector<std::string> lines = linesOfLoops(text);
  for (const hls::ScheduledTask &task : schedule.tasks)
    for (size_t n = 0; n < std::min(lines.size(), layers.size()); ++n)
      if (!task.parent && task.source == lines[n])
        layers[n].cycles = task.cycles;
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

static std::string textOf(mlir::ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream);
  return text;
}

static llvm::Expected<HardwareNetwork>
writeCircuit(const std::string &folder, const std::string &targetName, const LoopProgram &program) {
  SPINDLE_ASSIGN(hls::Target target, hls::readTarget(targetName));
  hls::SynthesisOptions options;
  options.loops.unroll = {1}; // lanes are in the program
  auto context = hls::makeSynthesisContext();
  std::string text = textOf(*program.module);
  SPINDLE_ASSIGN(auto parsed, hls::parseProgram(*context, text, folder + "/original.mlir"));
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
  addCycles(network.layers, schedule, text);
  return network;
}

llvm::Expected<std::string> runHardware(const StageRun &run) {
  auto context = makeNetworkContext();
  SPINDLE_ASSIGN(LoopProgram program, loopsOf(run, *context));
  std::string folder = std::filesystem::path(run.output(run::kHardware)).parent_path().string();
  SPINDLE_RETURN_IF_ERROR(makeFolder(folder));
  const std::string &target = run.flow.hardwareTarget;
  SPINDLE_ASSIGN(HardwareNetwork network,
                 writeCircuit(folder, target.empty() ? hls::kDefaultTarget : target, program));
  for (const ProgramArray &array : program.arguments)
    network.arrays.push_back(array.port);
  network.steps = uint32_t(program.steps);
  SPINDLE_RETURN_IF_ERROR(writeWeights(folder + "/" + kHardwareWeights, program));
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
