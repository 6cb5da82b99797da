// `spindle export`: a spiking network for other tools.
#include "tools/spindle/Commands.h"

#include "lib/frontend/nir/NirExport.h"
#include "tools/spindle/stages/ModuleFile.h"

#include "CLI/CLI.hpp"

namespace spindle {

namespace {
struct ExportArguments {
  std::string module, out;
  NirExportOptions options;
};
} // namespace

static llvm::Error exportModule(const ExportArguments &arguments) {
  if (!llvm::StringRef(arguments.out).ends_with(".nir"))
    return inputError(arguments.out, "unknown format, expected a name that ends in .nir");
  auto context = makeNetworkContext();
  SPINDLE_ASSIGN(auto module, readModule(*context, arguments.module));
  SPINDLE_ASSIGN(NirGraph graph, exportNir(*module, arguments.options));
  return writeNirGraph(arguments.out, graph);
}

void addExportCommand(CLI::App &app, Command &command) {
  auto arguments = std::make_shared<ExportArguments>();
  CLI::App *sub = app.add_subcommand("export", "write a spiking network as a NIR graph");
  sub->add_option("module", arguments->module, "spiking network, as 20-snn.mlir")
      ->type_name("FILE")
      ->required();
  sub->add_option("--out", arguments->out, "file to write (.nir)")->type_name("FILE")->required();
  sub->add_option("--dt-ms", arguments->options.dtMs,
                  "duration of a step in ms; default: that of a network file, else 0.1")
      ->check(CLI::Range(1e-6, 1e6));
  sub->callback([=, &command] { command = [=] { return exportModule(*arguments); }; });
}

} // namespace spindle
