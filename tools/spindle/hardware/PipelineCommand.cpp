// `pipeline`: loops to software-pipelined loops, for other tools.
#include "tools/spindle/hardware/HardwareCommands.h"

#include "core/support/files/File.h"
#include "hw/hls/prepare/Prepare.h"
#include "hw/hls/software-pipelining/PrintCode.h"
#include "hw/hls/software-pipelining/SoftwarePipelining.h"
#include "hw/program/ProgramFile.h"
#include "tools/spindle/hardware/OptionChecks.h"

#include "CLI/CLI.hpp"
#include "fmt/format.h"

#include <algorithm>
#include <memory>

namespace spindle {

namespace {
struct PipelineArguments {
  std::string program, top, target, out, bind, resources, emit = "affine";
  hls::SoftwarePipeliningOptions options;
  int only = -1;
};
} // namespace

static llvm::Error pipelineProgram(PipelineArguments arguments) {
  SPINDLE_ASSIGN(hls::Target target, hls::readTarget(arguments.target));
  SPINDLE_ASSIGN(hls::Bindings bind, hls::parseBindings(arguments.bind));
  SPINDLE_ASSIGN(arguments.options.units,
                 hls::parseUnitLimits(arguments.resources, target, "--resources"));
  if (arguments.only >= 0)
    arguments.options.only = unsigned(arguments.only);
  std::unique_ptr<mlir::MLIRContext> context = hls::makeProgramContext();
  mlir::DialectRegistry registry;
  hls::registerCodeDialects(registry);
  context->appendDialectRegistry(registry);
  SPINDLE_ASSIGN(auto program, hls::readProgram(*context, arguments.program));
  SPINDLE_ASSIGN(mlir::func::FuncOp function, hls::prepare(*program, {arguments.top, bind}));
  SPINDLE_ASSIGN(auto loops, hls::pipelineLoops(function, target, arguments.options));
  for (const hls::PipelinedLoop &loop : loops) {
    fmt::print("loop {} ({}): ", loop.number, loop.place);
    if (loop.interval > 0)
      fmt::print("interval {}, depth {}, {} stages; {}{}", loop.interval, loop.depth, loop.stages,
                 loop.limit, loop.isRewritten ? "" : "; ");
    fmt::print("{}\n", loop.isRewritten ? "" : "left as it is: " + loop.reason);
  }
  auto name =
      std::find(std::begin(hls::kCodeFormatNames), std::end(hls::kCodeFormatNames), arguments.emit);
  auto format = static_cast<hls::CodeFormat>(name - std::begin(hls::kCodeFormatNames));
  SPINDLE_ASSIGN(std::string text, hls::printCode(*program, format));
  return writeFile(arguments.out, text);
}

void addPipelineCommand(CLI::App &app, Command &command) {
  auto arguments = std::make_shared<PipelineArguments>();
  CLI::App *sub = app.add_subcommand("pipeline", "overlap the iterations of innermost loops");
  sub->add_option("program", arguments->program, "program in MLIR")->type_name("FILE")->required();
  sub->add_option("--top", arguments->top, "function; the only public one if not given");
  sub->add_option("--target", arguments->target,
                  "latencies and delays: a name of configs/targets or a file (YAML)")
      ->type_name("FILE")
      ->default_val(hls::kDefaultTarget);
  sub->add_option("--bind", arguments->bind, "values of arguments, e.g. 0=20,1=25");
  sub->add_option("--resources", arguments->resources,
                  "units that a loop may use, e.g. addf=1,mulf_f64=2");
  sub->add_option("--loop", arguments->only, "number of the one innermost loop to pipeline")
      ->check(CLI::NonNegativeNumber);
  sub->add_option("--schedule", arguments->options.externalSchedule,
                  "schedule of another tool: lines vertex;cycle;functional_unit")
      ->type_name("FILE");
  sub->add_option("--interval", arguments->options.externalInterval,
                  "initiation interval of that schedule; the smallest that holds if not given")
      ->check(countFromZero());
  sub->add_option("--emit", arguments->emit, "affine, llvm or cpp")
      ->check(CLI::IsMember(std::vector<std::string>(std::begin(hls::kCodeFormatNames),
                                                     std::end(hls::kCodeFormatNames))))
      ->capture_default_str();
  sub->add_option("--graph", arguments->options.graphFolder,
                  "folder for dependence graphs (JSON, GraphML) and resources (XML)")
      ->type_name("FOLDER");
  sub->add_option("--out", arguments->out, "file to write")->type_name("FILE")->required();
  sub->callback([=, &command] { command = [=] { return pipelineProgram(*arguments); }; });
}

} // namespace spindle
