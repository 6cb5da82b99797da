// Projections that turn out empty are said, and no others.
#include "lib/frontend/network/NetworkImport.h"
#include "tests/support/TemporaryFolder.h"

#include "dialects/snn/Snn.h"
#include "fmt/format.h"
#include "gtest/gtest.h"

using namespace spindle;

namespace {

struct Drawn {
  size_t synapses = 0, warnings = 0;
};

/// A projection by this rule, and how many warnings there are of it.
Drawn importWith(const std::string &rule, int64_t seed) {
  TemporaryFolder folder;
  ModelOptions options;
  options.networkSeed = seed;
  options.path = folder.write("net.yaml", "dt: 1\npopulations:\n  a: {neuron: if, size: 4, "
                                          "threshold: 1}\nprojections:\n  - {from: a, to: a, "
                                          "weight: 1, connect: " +
                                              rule + "}\n");
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  Drawn drawn;
  mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diagnostic) {
    drawn.warnings += diagnostic.str() == "projection 'a-a' connects nothing, expected a synapse "
                                          "or more; leave it out or change 'connect'";
  });
  auto module = llvm::cantFail(importNetwork(context, options));
  (*module).walk([&](snn::SynapseOp op) {
    if (snn::layerOf(op) == "a-a")
      drawn.synapses += op.linearMap(0)->indices.size();
  });
  return drawn;
}

} // namespace

TEST(NetworkWarnings, OfProjectionsThatDrewNoSynapse) {
  size_t empty = 0, some = 0;
  for (const char *rule : {"{probability: 0.05}", "{probability: 0}", "{fan_in: 0}", "{fan_out: 1}",
                           "{sources: [], targets: []}", "one_to_one"})
    for (int64_t seed = 1; seed <= 30; ++seed) {
      Drawn drawn = importWith(rule, seed);
      EXPECT_EQ(drawn.warnings, drawn.synapses == 0 ? 1u : 0u) << rule << " " << seed;
      ++(drawn.synapses == 0 ? empty : some);
    }
  EXPECT_GT(empty, 95u); // 90 are empty by their rules, 0.95^16 of 30 by chance
  EXPECT_GT(some, 65u);
}
