// Benchmarks against bounds of the machine and other simulators: `./spindle bench …`. Exit codes as
// of the tool: 0 done, 1 the user's input is wrong, 2 a check of ours failed.
#include "tests/bench/EmulationCommand.h"

#include "CLI/CLI.hpp"
#include "fmt/format.h"

using namespace spindle;

int main(int argc, char **argv) {
  CLI::App app("Measures what Spindle does against what the machine and other tools can do.",
               "spindle bench");
  app.require_subcommand(1);
  bench::EmulationBenchOptions options;
  CLI::App *emulation = app.add_subcommand(
      "emulation", "workloads of spiking networks: seconds, events per second, bound");
  emulation->add_flag("--peers", options.peers, "PyTorch and Brian2 on the same work, too");
  emulation->add_flag("--lanes", options.lanes, "our engine by lanes, too");
  emulation->add_option("--csv", options.csvPath, "writes the table to this file");
  emulation->add_option("--workload", options.workloads, "only these (several are possible)");
  emulation->add_option("--runs", options.runs, "how often; the fastest run counts")
      ->check(CLI::Range(1, 1000));
  emulation->add_option("--export", options.exportFolder,
                        "writes the files that the peers read, and how to run them, and ends");
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success &success) { // --help
    return app.exit(success);
  } catch (const CLI::ParseError &error) {
    fmt::print(stderr, "error: {}; see spindle bench --help\n", error.what());
    return 1;
  }
  llvm::Error error = bench::benchEmulation(options);
  if (!error)
    return 0;
  int code = kindOf(error) == ErrorKind::Input ? 1 : 2;
  fmt::print(stderr, "{}\n", toText(std::move(error)));
  return code;
}
