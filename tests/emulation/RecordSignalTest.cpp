// Signals inside a network against their closed forms.
#include "lib/emulation/RecordSignal.h"
#include "tests/emulation/NetworkBuilder.h"

#include "gmock/gmock.h"

using namespace spindle;
using namespace spindle::test;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

namespace {

/// Two pixels, a population of them, and a readout of weights 2 and −1.
mlir::ModuleOp network(NetworkBuilder &n) {
  n.direct().integrateAndFire(snn::Reset::Subtract, {1}, {0}, {0}, "pixels");
  return n.dense(1, {2, -1}, {}, "readout").integrator({0}, "readout").decode().finish();
}

std::vector<std::vector<float>> record(mlir::ModuleOp module, const SignalTap &tap,
                                       const Samples &samples, uint32_t steps) {
  std::vector<std::vector<float>> signals(samples.count());
  llvm::cantFail(recordSignal(
      module, tap, samples, steps, 1, 1,
      [&](size_t sample, llvm::ArrayRef<float> signal) { signals[sample] = signal.vec(); }));
  return signals;
}

TEST(RecordSignal, CurrentsAndSpikesStepByStep) {
  NetworkBuilder n({2});
  mlir::ModuleOp module = network(n);
  Samples samples{{2}, {0.5f, 1, 0, 0.5f}, {0, 0}};
  // 0.5 spikes in every second step, 1 in every one.
  auto spikes = record(module, {"readout", SignalTap::Source}, samples, 4);
  EXPECT_THAT(spikes[0], ElementsAre(0, 1, 1, 1, 0, 1, 1, 1));
  EXPECT_THAT(spikes[1], ElementsAre(0, 0, 0, 1, 0, 0, 0, 1));
  auto currents = record(module, {"readout", SignalTap::Population}, samples, 4);
  EXPECT_THAT(currents[0], ElementsAre(-1, 1, -1, 1));
  EXPECT_THAT(currents[1], ElementsAre(0, -1, 0, -1));
  EXPECT_EQ(record(module, {"readout", SignalTap::Result}, samples, 4), currents);
}

TEST(RecordSignal, ActivationsOnce) {
  NetworkBuilder n({2});
  n.dense(2, {1, 2, 3, -4}, {}, "first").relu("first");
  mlir::ModuleOp module = n.dense(1, {1, 1}, {}, "second").finish();
  Samples samples = randomSamples(5, {2}, 40, 1); // several batches
  auto results = record(module, {"first", SignalTap::Result}, samples, 7);
  for (size_t s = 0; s < samples.count(); ++s) {
    const float *x = samples.sample(s);
    EXPECT_THAT(results[s], ElementsAre(x[0] + 2 * x[1], 3 * x[0] - 4 * x[1]));
  }
}

/// What comes behind the tap is not worked, unless it comes back to it.
TEST(RecordSignal, SpikesComeBackToTheTap) {
  NetworkBuilder n({1});
  mlir::Value data = n.last(), back = n.feedback("cells", {1}).dense(1, {1}, {}, "back").last();
  n.from(data).direct().add(back).integrateAndFire(snn::Reset::Subtract, {1}, {0}, {0}, "cells");
  mlir::ModuleOp module = n.dense(1, {1}, {}, "readout").integrator().decode().finish();
  Samples samples{{1}, {0.5f}, {0}};
  EXPECT_THAT(record(module, {"cells", SignalTap::Population}, samples, 4)[0],
              ElementsAre(0.5f, 0.5f, 1.5f, 1.5f));
  EXPECT_THAT(record(module, {"back", SignalTap::Source}, samples, 4)[0], ElementsAre(0, 0, 1, 1));
}

TEST(RecordSignal, RefusesALayerThatThereIsNot) {
  NetworkBuilder n({2});
  mlir::ModuleOp module = network(n);
  Samples samples{{2}, {0, 0}, {0}};
  llvm::Error error = recordSignal(module, {"dense7", SignalTap::Population}, samples, 4, 1, 1,
                                   [](size_t, llvm::ArrayRef<float>) {});
  EXPECT_THAT(toText(std::move(error)), HasSubstr("no layer is named 'dense7'"));
}

} // namespace
