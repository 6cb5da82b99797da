// Workloads of other simulators, one thread, simulation only. Prints a table.
// Usage: workload-bench [engine…]
#include "lib/emulation/Emulation.h"
#include "tests/bench/SpikingWorkloads.h"

#include "fmt/format.h"

using namespace spindle;

int main(int argc, char **argv) {
  std::vector<std::string> engines(argv + 1, argv + argc);
  if (engines.empty())
    engines = {"layers", "lanes"};
  for (const bench::SpikingWorkload &workload : {bench::kMlp, bench::kLenet, bench::kCuba4k}) {
    test::NetworkBuilder builder(workload.input);
    workload.build(builder);
    mlir::ModuleOp module = builder.finish();
    bool isRecurrent = workload.name == std::string("cuba4k");
    Samples samples = bench::sparseSamples(workload.input, isRecurrent ? 1 : 100);
    for (const std::string &engine : engines) {
      EmulationOptions options;
      options.steps = isRecurrent ? 10000 : 100;
      options.threads = 1;
      options.recordSamples = 1;
      options.engine = engine == "layers" ? EmulationEngine::Layers : EmulationEngine::Lanes;
      double best = 1e9, compile = 0;
      EmulationResult result;
      for (int repetition = 0; repetition < 5; ++repetition) {
        result = llvm::cantFail(emulate(module, samples, options));
        best = std::min(best, result.summary.seconds);
        compile = result.compileSeconds;
      }
      fmt::print("{:6} {:7} {:.4f} s, compile {:.2f} s, {:.3g} events:", workload.name, engine,
                 best, compile, double(result.summary.synapticEvents));
      for (size_t p = 0; p < result.summary.populations.size(); ++p)
        fmt::print(" {:.1f}%", 100. * double(result.summary.spikes[p]) / 1e4 /
                                   double(result.summary.populations[p].size));
      fmt::print("\n");
    }
  }
}
