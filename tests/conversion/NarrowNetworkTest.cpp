// The search for the fewest bits of weights of a network: on a classifier whose answers are plain
// sums, which a trial computes beside the emulator.
#include "lib/conversion/fixed-point/NarrowNetwork.h"

#include "dialects/snn/Snn.h"
#include "tests/emulation/NetworkBuilder.h"

#include <gmock/gmock.h>

namespace spindle::test {

namespace {

using ::testing::ElementsAre;
using ::testing::Key;

/// The products of all weights answer: what rates of spikes tend to.
class LinearTrials : public NetworkTrials {
public:
  explicit LinearTrials(const Samples &all) : expected(all) {}

  llvm::Expected<Activations> activations(mlir::ModuleOp, const Samples &) override {
    return inputError("", "not asked for");
  }
  llvm::Expected<std::vector<uint32_t>> classify(mlir::ModuleOp, const Samples &) override {
    return inputError("", "not asked for");
  }
  llvm::Expected<EmulationSummary> emulate(mlir::ModuleOp, const Samples &, int64_t) override {
    return inputError("", "not asked for");
  }

  llvm::Error record(mlir::ModuleOp network, const SignalTap &tap, const Samples &samples,
                     int64_t steps, SignalReader reader) override {
    EXPECT_EQ(tap.place, SignalTap::Answer);
    EXPECT_EQ(samples.values, expected.values) << "all samples, each with its number";
    ++calls;
    for (size_t index = 0; index < samples.count(); ++index) {
      std::vector<float> x(samples.sample(index), samples.sample(index + 1));
      network.walk([&](snn::DenseOp dense) {
        std::vector<float> w = *snn::constantFloats(dense.getWeight()), y(w.size() / x.size());
        for (size_t k = 0; k < w.size(); ++k)
          y[k / x.size()] += w[k] * x[k % x.size()];
        x = y;
      });
      std::vector<float> signal(size_t(steps - 1) * x.size());
      signal.insert(signal.end(), x.begin(), x.end());
      reader(index, signal);
    }
    return llvm::Error::success();
  }

  const Samples &expected;
  uint64_t calls = 0;
};

const std::string kHeader = R"(
!four = !snn.spike_bundle<4x!snn.spike_train<?xf32>>
!three = !snn.spike_bundle<3x!snn.spike_train<?xf32>>
func.func @main(%x: tensor<4xf32>) -> tensor<3xf32> {
  %w = arith.constant dense<[[0.9, -0.31, 0.11, 0.0], [0.05, 1.0, -0.2, 0.13], [0.02, 0.3, 0.83, -0.5], [-0.1, 0.0, 0.27, 0.7]]> : tensor<4x4xf32>
  %v = arith.constant dense<[[1.0, 0.42, -0.3, 0.1], [-0.2, 0.7, 0.3, 0.01], [0.17, -0.45, 0.6, 0.52]]> : tensor<3x4xf32>
)";
const std::string kSpiking = R"(
  %s = snn.encode poisson %x : tensor<4xf32> -> !four
  %i = snn.dense %s, %w {layer = "dense1"} : (!four, tensor<4x4xf32>) -> !snn.current<4xf32>
)";
const std::string kDirect = R"(
  %a = snn.dense %x, %w {layer = "dense1"} : (tensor<4xf32>, tensor<4x4xf32>) -> tensor<4xf32>
  %i = snn.encode direct %a : tensor<4xf32> -> !snn.current<4xf32>
)";
const std::string kTail = R"(
  %h = snn.if %i reset subtract {layer = "dense1", threshold = array<f32: 1.0>} : !snn.current<4xf32> -> !four
  %j = snn.dense %h, %v {layer = "dense2"} : (!four, tensor<3x4xf32>) -> !snn.current<3xf32>
  %o = snn.if %j reset subtract {layer = "dense2", threshold = array<f32: 1.0>} : !snn.current<3xf32> -> !three
  %y = snn.decode count %o : !three -> tensor<3xf32>
  return %y : tensor<3xf32>
})";

struct Narrowing {
  explicit Narrowing(const std::string &body) : network(kHeader + body + kTail) {
    samples.labels = std::vector<uint32_t>(samples.count());
    samples.labelled = false;
    options.perChannel = false; // answers are compared as they are
    options.searchesBits = true;
    options.maxLoss = 2;
  }
  llvm::Expected<WeightSearch> search() {
    return searchWeightBits(*network, samples, options, use, trials);
  }
  /// Whether the network has a form with these widths.
  bool isExpressed(const std::map<std::string, int64_t> &bitsOf) {
    FixedPointOptions own = options;
    own.bitsOf = bitsOf;
    mlir::OwningOpRef<mlir::ModuleOp> fixed = (*network).clone();
    llvm::Error error = toFixedPoint(*fixed, own, use);
    bool isRefused = bool(error);
    llvm::consumeError(std::move(error));
    return !isRefused;
  }

  ParsedModule network;
  Samples samples = randomSamples(7, {4}, 500, 3);
  LinearTrials trials{samples};
  FixedPointOptions options;
  FixedPointUse use{{{0.0f, 1.0f}}, 8};
};

TEST(NarrowNetwork, FindsWidthsUnderEitherEncoding) {
  for (IntegerReach reach : {IntegerReach::Populations, IntegerReach::All}) {
    Narrowing spiking(kSpiking);
    spiking.options.integers = reach;
    WeightSearch search = llvm::cantFail(spiking.search());
    EXPECT_TRUE(search.proven);
    EXPECT_EQ(spiking.trials.calls, search.tried + 1); // and the network in f32
    EXPECT_THAT(search.bitsOf, ElementsAre(Key("dense1"), Key("dense2")));
    EXPECT_LT(search.bitsOf["dense1"] + search.bitsOf["dense2"], 20);
    EXPECT_TRUE(spiking.isExpressed(search.bitsOf));
  }
}

/// What the host computes before a direct encoder stays in f32, but with `integers: all`.
TEST(NarrowNetwork, NamesNoLayerThatStaysInF32) {
  Narrowing direct(kDirect);
  WeightSearch search = llvm::cantFail(direct.search());
  EXPECT_THAT(search.bitsOf, ElementsAre(Key("dense2")));
  EXPECT_TRUE(direct.isExpressed(search.bitsOf));
  direct.options.integers = IntegerReach::All;
  search = llvm::cantFail(direct.search());
  EXPECT_THAT(search.bitsOf, ElementsAre(Key("dense1"), Key("dense2")));
  EXPECT_TRUE(direct.isExpressed(search.bitsOf));
}

/// A threshold of one has as many bits as the largest weight, which is one, too.
TEST(NarrowNetwork, TakesTheWidestFormWhereNothingIsProven) {
  Narrowing spiking(kSpiking);
  spiking.options.maxLoss = 0;
  spiking.options.membraneBits = 8;
  WeightSearch search = llvm::cantFail(spiking.search());
  EXPECT_FALSE(search.proven);
  EXPECT_TRUE(spiking.isExpressed(search.bitsOf));
  EXPECT_EQ(search.bitsOf["dense1"], search.bitsOf["dense2"]);
  for (int64_t bits = search.bitsOf["dense1"] + 1; bits <= 16; ++bits)
    EXPECT_FALSE(spiking.isExpressed({{"dense1", bits}, {"dense2", bits}})) << bits;
}

TEST(NarrowNetwork, SaysWhyNoWidthHasAForm) {
  Narrowing spiking(kSpiking);
  spiking.options.integers = IntegerReach::All;
  spiking.options.accumulatorBits = 2;
  llvm::Expected<WeightSearch> search = spiking.search();
  ASSERT_FALSE(bool(search));
  EXPECT_THAT(toText(search.takeError()),
              testing::HasSubstr("bits, expected at most 2; use fewer weight_bits or more "
                                 "accumulator_bits"));
}

} // namespace

} // namespace spindle::test
