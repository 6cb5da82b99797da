// `synth`: a program in MLIR to a circuit in SystemVerilog.
#include "tools/spindle/Commands.h"

#include "dialects/hls/Hls.h"
#include "dialects/rtl/SystemVerilog.h"
#include "hw/cosim/ProgramFile.h"
#include "hw/hls/lower/BuildKernel.h"
#include "hw/hls/lower/PredictCycles.h"
#include "hw/hls/lower/ScheduleKernel.h"
#include "hw/hls/lower/rtl/KernelModule.h"
#include "hw/hls/prepare/Prepare.h"
#include "hw/rtl/UnitSources.h"
#include "lib/core/KernelInterface.h"
#include "lib/support/DataPath.h"
#include "lib/support/File.h"
#include "tools/spindle/BusFiles.h"
#include "tools/spindle/KernelFiles.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

#include "CLI/CLI.hpp"
#include "fmt/format.h"

#include <filesystem>
#include <memory>

namespace spindle {

using namespace hls;

namespace {

struct SynthArguments {
  std::string program, top, target, out, bind, resources, bus;
  bool sequential = false;
};

/// `fadd=1,fmul=2` or names of units, `mulf_f64=2`: fadd and fmul stand for the kernel's own float
/// types.
llvm::Expected<UnitLimits> parseResources(const std::string &text, const Target &target) {
  static const std::map<std::string, std::string> shorts = {
      {"fadd", "addf"}, {"fmul", "mulf"}, {"fdiv", "divf"}, {"fsqrt", "sqrt"},
      {"fcmp", "cmpf"}, {"mul", "muli"},  {"div", "divsi"}};
  UnitLimits limits;
  llvm::SmallVector<llvm::StringRef> entries;
  llvm::StringRef(text).split(entries, ',', -1, false);
  for (llvm::StringRef entry : entries) {
    auto [name, count] = entry.split('=');
    unsigned number = 0;
    if (count.getAsInteger(10, number) || number == 0)
      return inputError("--resources",
                        fmt::format("'{}', expected a unit and a number of at least 1, e.g. fmul=2",
                                    entry.str()));
    auto known = shorts.find(name.str());
    std::string stem = known == shorts.end() ? name.str() : known->second + "_";
    bool isFound = false;
    for (const FunctionalUnit &unit : target.units) {
      bool fits = known == shorts.end() ? unit.name == stem : unit.name.rfind(stem, 0) == 0;
      if (fits)
        limits[unit.name] = number;
      isFound |= fits;
    }
    if (!isFound)
      return inputError("--resources",
                        fmt::format("target '{}' has no unit '{}'", target.name, name.str()));
  }
  return limits;
}

llvm::Error runPasses(mlir::ModuleOp module, const char *name) {
  mlir::PassManager passes(module.getContext());
  passes.addPass(mlir::createCanonicalizerPass());
  passes.addPass(mlir::createCSEPass());
  if (mlir::failed(passes.run(module)))
    return checkError(name, "simplifying the design failed");
  return llvm::Error::success();
}

} // namespace

static llvm::Error synthesize(const SynthArguments &arguments) {
  SPINDLE_ASSIGN(Target target, readTarget(arguments.target));
  SPINDLE_ASSIGN(Bindings bind, parseBindings(arguments.bind));
  SPINDLE_ASSIGN(std::optional<AxiOptions> bus, parseBus(arguments.bus));
  SPINDLE_ASSIGN(std::string text, readFile(arguments.program));
  std::unique_ptr<mlir::MLIRContext> context = makeProgramContext();
  context->loadDialect<HlsDialect, rtl::RtlDialect>();
  SPINDLE_ASSIGN(auto program, parseProgram(*context, text, arguments.program));
  SPINDLE_ASSIGN(mlir::func::FuncOp function, prepare(*program, {arguments.top, bind}));
  std::string top = function.getName().str();
  SPINDLE_ASSIGN(KernelOp kernel, buildKernel(function, target));
  ScheduleOptions options;
  options.concurrent = !arguments.sequential;
  SPINDLE_ASSIGN(options.units, parseResources(arguments.resources, target));
  SPINDLE_RETURN_IF_ERROR(scheduleKernel(kernel, target, options));
  SPINDLE_ASSIGN(auto design, buildKernelModule(kernel, top));
  SPINDLE_RETURN_IF_ERROR(runPasses(*design, top.c_str()));

  KernelInterface interface = interfaceOf(kernel, top, bind);
  interface.predictedCycles = predictCycles(kernel);
  SPINDLE_RETURN_IF_ERROR(writeKernelFiles(arguments.out, kernel, *design, interface, text));
  if (!bus)
    return llvm::Error::success();
  SPINDLE_ASSIGN(interface, readKernelInterface(arguments.out + "/kernel.json"));
  return writeBusFiles(arguments.out, *design, interface, *bus);
}

void addSynthCommand(CLI::App &app, Command &command) {
  auto arguments = std::make_shared<SynthArguments>();
  CLI::App *sub = app.add_subcommand("synth", "make a circuit from a program");
  sub->add_option("program", arguments->program, "program in MLIR")->required();
  sub->add_option("--top", arguments->top,
                  "function to synthesise; the only public one if not given");
  sub->add_option("--target", arguments->target, "what it is made for (YAML)")
      ->default_val("configs/targets/zynq-7020-100mhz.yaml");
  sub->add_option("--out", arguments->out, "folder to write")->required();
  sub->add_option("--bind", arguments->bind, "values of arguments, e.g. 0=20,1=25");
  sub->add_option("--resources", arguments->resources,
                  "units that may be used, e.g. fadd=1,fmul=2; as many as the initiation interval "
                  "needs if not given");
  sub->add_flag("--sequential", arguments->sequential,
                "never run independent nests at the same time");
  sub->add_option(
      "--bus", arguments->bus,
      "also put it behind AXI4-Lite, its arrays behind AXI4-Stream (stream) or AXI4 (memory)");
  sub->callback([=, &command] { command = [=] { return synthesize(*arguments); }; });
}

} // namespace spindle
