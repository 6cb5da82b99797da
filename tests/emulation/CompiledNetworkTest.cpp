// What networks share when they are compiled, and steps that end early.
#include "lib/emulation/lanes/CompiledNetwork.h"
#include "tests/emulation/NetworkBuilder.h"

#include "gmock/gmock.h"

using namespace spindle;
using namespace spindle::test;

namespace {

/// Two pixels of one, weighed and added up.
mlir::ModuleOp weighed(NetworkBuilder &n, int64_t outputs, float weight) {
  n.direct().dense(outputs, std::vector<float>(size_t(2 * outputs), weight), {}, "weighed");
  return n.integrator().decode().finish();
}

TEST(CompiledNetwork, WeightsAreNoPartOfTheCode) {
  NetworkBuilder first({2}), heavier({2}), wider({2});
  Network networks[] = {llvm::cantFail(readNetwork(weighed(first, 1, 2))),
                        llvm::cantFail(readNetwork(weighed(heavier, 1, 3))),
                        llvm::cantFail(readNetwork(weighed(wider, 2, 2)))};
  std::vector<std::unique_ptr<lanes::CompiledNetwork>> compiled;
  for (const Network &network : networks)
    compiled.push_back(llvm::cantFail(lanes::CompiledNetwork::compile(network)));
  EXPECT_TRUE(compiled[1]->sharesCodeWith(*compiled[0]));
  EXPECT_FALSE(compiled[2]->sharesCodeWith(*compiled[0]));
  const float pixels[] = {1, 1}, expected[] = {4, 6, 4};
  for (size_t k = 0; k < 3; ++k) {
    lanes::Batch batch(*compiled[k]);
    batch.load(0, pixels);
    batch.setup(0, 1);
    batch.step();
    EXPECT_EQ(batch.signal(networks[k].output)[0], expected[k]);
  }
}

TEST(CompiledNetwork, AStepMayEndBeforeTheLastOperation) {
  NetworkBuilder builder({1});
  builder.direct().integrateAndFire(snn::Reset::Subtract, {1}, {0}, {0}, "first");
  builder.dense(1, {1}, {}, "second").integrateAndFire(snn::Reset::Subtract, {1}, {0}, {0});
  Network network = llvm::cantFail(readNetwork(builder.decode().finish()));
  auto compiled = llvm::cantFail(lanes::CompiledNetwork::compile(network));
  lanes::Batch batch(*compiled);
  const float pixel = 1;
  batch.load(0, &pixel);
  batch.setup(0, 1);
  for (int step = 0; step < 3; ++step)
    batch.step(/*operations=*/2); // encoder and first population
  EXPECT_EQ(batch.counts(0)[0], 3);
  EXPECT_EQ(batch.counts(1)[0], 0);
  batch.step();
  EXPECT_EQ(batch.counts(0)[0], 4);
  EXPECT_EQ(batch.counts(1)[0], 1);
}

} // namespace
