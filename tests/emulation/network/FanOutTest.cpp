// Counted synapses are those that composition lists.
#include "lib/emulation/network/FanOut.h"
#include "lib/emulation/network/Synapses.h"
#include "tests/emulation/DelayedRows.h"
#include "tests/emulation/layers/RandomNetwork.h"

#include "gtest/gtest.h"

using namespace spindle;
using test::NetworkBuilder;

namespace {

void expectSameCounts(mlir::ModuleOp module) {
  Network network = llvm::cantFail(readNetwork(module));
  Synapses synapses = composeSynapses(network);
  std::vector<uint64_t> expected(neuronCount(network.populations));
  for (NeuronId source : synapses.sources)
    ++expected[source];
  FanOut found = countSynapses(network);
  EXPECT_GT(found.total, 0u);
  EXPECT_EQ(found.total, synapses.sources.size());
  EXPECT_EQ(found.synapses, expected);
}

} // namespace

TEST(FanOut, OfProjectionsThatJoinTheSamePairs) {
  NetworkBuilder n({3, 4});
  n.poisson();
  mlir::Value spikes = n.last();
  n.delay({2}).flatten().sparse({20}, 0.5);
  mlir::Value slow = n.last();
  n.from(spikes).sparse({20}, 0.5).add(slow);
  mlir::Value driven = n.last();
  addDelayed(n.feedback("cells", {20}, 3), {20}, 0.3, 4).add(driven);
  mlir::Value once = n.last();
  n.feedback("cells", {20}).dense(20).add(once);
  fire(n, "cells").dense(5).integrator().decode();
  expectSameCounts(n.finish());
}

TEST(FanOut, OfConstantCurrentsAndTwoReceptors) {
  NetworkBuilder n({10});
  n.direct().dense(8); // worked by the host: no synapses
  fire(n, "first").sparse({6}, 0.5);
  mlir::Value excitation = n.last();
  n.feedback("cells", {6}).sparse({6}, 0.5);
  mlir::Value inhibition = n.last();
  n.from(excitation)
      .population("dual_cuba_lif",
                  "layer = \"cells\", reset = #snn<reset zero>, threshold = array<f32: 1.0>, tau = "
                  "array<f32: 20.0>, tau_exc = array<f32: 5.0>, tau_inh = array<f32: 5.0>",
                  inhibition)
      .decode();
  expectSameCounts(n.finish());
}

TEST(FanOut, OfRulesWhoseSourcesOverlapOrTouch) {
  for (int64_t begin : {0, 9, 10, 11, 30}) {
    NetworkBuilder n({30});
    n.poisson();
    mlir::Value spikes = n.last();
    n.drawn({20}, {1, 0.4, {}, {0, 10}, {0, 20}, false}, 1);
    mlir::Value some = n.last();
    n.from(spikes).drawn({20}, {2, 0.4, {}, {begin, 30}, {3, 20}, false}, 1).add(some);
    fire(n, "cells").drawn({5}, {3, 0, 4, {0, 20}, {0, 5}, false}, 1);
    mlir::Value once = n.last();
    n.add(once); // each pair twice
    fire(n, "answers").decode();
    expectSameCounts(n.finish());
  }
}

TEST(FanOut, OfChainsThatAreComposed) {
  NetworkBuilder n({2, 6, 6});
  n.poisson().conv(3, 3, 3);
  fire(n, "conv").pool({2, 2}, {2, 2}).flatten().dense(4);
  fire(n, "dense").decode();
  expectSameCounts(n.finish());
}

TEST(FanOut, OfRandomNetworks) {
  for (uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    bool isFixed = seed % 2 == 0; // as populations with feedback are here
    test::RandomNetwork network(seed, isFixed, isFixed && seed % 3 == 0);
    mlir::ModuleOp module = network.finish();
    if (!composeSynapses(llvm::cantFail(readNetwork(module))).sources.empty())
      expectSameCounts(module);
  }
}

/// Scales and transposes behind a convolution keep its lists.
TEST(FanOut, OfCopiesOfSharedLists) {
  NetworkBuilder n({3, 6, 6});
  fire(n.direct(), "p0");
  fire(n.conv(4, 3, 3).scale(true).transpose({1, 2, 0}), "p1");
  n.flatten().dense(3).integrator({0}, "p2").decode();
  expectSameCounts(n.finish());
}
