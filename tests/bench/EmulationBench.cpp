// How fast networks are emulated: samples × steps per second on two threads and the compile time.
// Usage: emulation-bench [results.csv [commit]]
#include "lib/emulation/Emulation.h"
#include "lib/emulation/EvaluateAnn.h"
#include "tests/emulation/NetworkBuilder.h"

#include "fmt/format.h"

#include <ctime>
#include <fstream>

using namespace spindle;
using namespace spindle::test;

namespace {

struct Workload {
  const char *name;
  Shape input;
  double macsPerStep; // multiply-accumulates of one sample in one step
  void (*build)(NetworkBuilder &);
};

void fire(NetworkBuilder &n) { n.integrateAndFire(snn::Reset::Subtract, {1}, {0}, {0.5f}); }

const Workload kWorkloads[] = {
    {"mlp-784-128-10-direct",
     {784},
     1280,
     [](NetworkBuilder &n) {
       n.dense(128, false, 0.1f).direct();
       fire(n);
       n.dense(10, false).integrator().decode();
     }},
    {"mlp-784-128-10-poisson",
     {784},
     784 * 128 + 1280,
     [](NetworkBuilder &n) {
       n.poisson().dense(128, false, 0.1f);
       fire(n);
       n.dense(10, false).integrator().decode();
     }},
    {"lenet-5-average-pooling",
     {1, 28, 28},
     240000 + 48000 + 10080 + 840,
     [](NetworkBuilder &n) {
       n.conv(6, 5, 5, true, {{1, 1}, {2, 2, 2, 2}, {1, 1}, 1}).direct();
       fire(n);
       n.pool({2, 2}, {2, 2}).conv(16, 5, 5);
       fire(n);
       n.pool({2, 2}, {2, 2}).flatten().dense(120, true, 0.2f);
       fire(n);
       n.dense(84, true, 0.2f);
       fire(n);
       n.dense(10).integrator().decode();
     }},
};

class SpeedTable {
public:
  SpeedTable(const char *csvPath, std::string id) : commit(std::move(id)) {
    if (csvPath)
      csv.open(csvPath);
    csv << "commit,metric,value,unit\n";
  }
  void row(const std::string &metric, double value, const char *unit) {
    fmt::print("{:45} {:12.4g} {}\n", metric, value, unit);
    csv << fmt::format("{},{},{:.6g},{}\n", commit, metric, value, unit);
  }

private:
  std::string commit;
  std::ofstream csv;
};

void measure(const Workload &workload, SpeedTable &table) {
  constexpr size_t kSamples = 10000;
  NetworkBuilder builder(workload.input);
  workload.build(builder);
  mlir::ModuleOp module = builder.finish();
  Samples samples = randomSamples(1, workload.input, kSamples, 10);
  EmulationOptions options;
  std::clock_t start = std::clock(); // of all threads: tells on a busy machine too
  EmulationResult result = llvm::cantFail(emulate(module, samples, options));
  double processor = double(std::clock() - start) / CLOCKS_PER_SEC;
  std::string name = workload.name;
  double seconds = result.summary.seconds, work = double(kSamples) * double(options.steps);
  table.row(name + " compile", result.compileSeconds, "s");
  table.row(name + " 10000 samples x 64 steps", seconds, "s");
  table.row(name + " processor time with compile", processor, "s");
  table.row(name + " speed", work / seconds, "samples*steps/s");
  table.row(name + " arithmetic", work * workload.macsPerStep / seconds * 1e-9, "GMAC/s");
}

} // namespace

int main(int argc, char **argv) {
  SpeedTable table(argc > 1 ? argv[1] : nullptr, argc > 2 ? argv[2] : "unknown");
  for (const Workload &workload : kWorkloads)
    measure(workload, table);
}
