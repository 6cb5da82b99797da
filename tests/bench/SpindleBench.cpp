// Benchmarks against bounds of the machine and other simulators: `./spindle bench …`. Exit codes as
// of the tool: 0 done, 1 the user's input is wrong, 2 a check of ours failed.
#include "tests/bench/EmulationCommand.h"
#include "tests/bench/hls/HlsCommand.h"
#include "tests/bench/scale/ScaleCommand.h"

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
  bench::HlsBenchOptions hlsOptions;
  CLI::App *hls = app.add_subcommand(
      "hls", "kernels through synthesis and co-simulation beside published cycles");
  hls->add_option("--set", hlsOptions.sets, "only these sets of kernels (several are possible)");
  hls->add_option("--kernel", hlsOptions.kernels, "only these kernels (several are possible)");
  hls->add_option("--out", hlsOptions.folder, "where circuits and simulations are left")
      ->capture_default_str();
  hls->add_flag("--area", hlsOptions.area, "LUT, FF, DSP and block memories by Yosys, too");
  hls->add_option("--csv", hlsOptions.csvPath, "writes the table to this file");
  bench::ScaleBenchOptions scaleOptions;
  CLI::App *scale = app.add_subcommand(
      "scale", "large networks through partition, analysis and mapping: seconds, memory, files");
  scale->add_option("NETWORK", scaleOptions.networks,
                    "vgg-70k, vgg-277k, vgg-467k, vgg-14m (all of them unless some are given)");
  scale->add_option("--out", scaleOptions.folder, "where networks and results are left")
      ->capture_default_str();
  scale->add_option("--csv", scaleOptions.csvPath, "writes the table to this file");
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success &success) { // --help
    return app.exit(success);
  } catch (const CLI::ParseError &error) {
    fmt::print(stderr, "error: {}; see spindle bench --help\n", error.what());
    return 1;
  }
  llvm::Error error = hls->parsed()     ? bench::benchHls(hlsOptions)
                      : scale->parsed() ? bench::benchScale(scaleOptions)
                                        : bench::benchEmulation(options);
  if (!error)
    return 0;
  int code = kindOf(error) == ErrorKind::Input ? 1 : 2;
  fmt::print(stderr, "{}\n", toText(std::move(error)));
  return code;
}
