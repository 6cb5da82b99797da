// Which percentile a calibration starts from, with answers that the test counts.
#include "lib/conversion/ann-to-snn/calibration/CalibrationStart.h"

#include "tests/conversion/AnnToSnnFixture.h"

namespace spindle {
namespace {

using test::Signal;
using ::testing::HasSubstr;

std::string textOf(mlir::ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream);
  return text;
}

llvm::Error noSignals(mlir::ModuleOp, const SignalTap &, SignalReader) {
  return llvm::Error::success();
}

class CalibrationStart : public test::AnnToSnn {
protected:
  CalibrationStart() {
    ann = parse(perceptron(3));
    std::vector<Signal> inputs;
    for (int k = 0; k < 50; ++k)
      inputs.push_back(randomInput(4));
    activations = calibrate(*ann, inputs);
    options.method = ConversionMethod::Calibrated;
    options.fitWeights = false;
    options.steps = 4;
  }

  /// Counts that the networks differ by, in the order in which they are tried.
  llvm::Expected<SpikingNetwork> search(std::vector<uint64_t> counts) {
    return calibrateFromBestStart(
        *ann, activations, options, noSignals,
        [&](mlir::ModuleOp) -> llvm::Expected<uint64_t> { return counts.at(asked++); });
  }
  std::string calibratedFrom(double percentile) {
    ConversionOptions from = options;
    from.percentile = percentile;
    return textOf(*llvm::cantFail(spindle::calibrate(*ann, activations, from, noSignals)).module);
  }

  mlir::OwningOpRef<mlir::ModuleOp> ann;
  Activations activations;
  ConversionOptions options;
  size_t asked = 0;
};

TEST_F(CalibrationStart, TheFewestOtherAnswersWin) {
  SpikingNetwork network = llvm::cantFail(search({7, 5, 3, 3})); // from 99.9, 99, 90 and 80
  ASSERT_TRUE(network.start);
  EXPECT_EQ(network.start->percentile, 90);
  EXPECT_EQ(network.start->differs, 3u);
  EXPECT_EQ(network.start->tried, 4u);
  EXPECT_EQ(network.summary.percentile, 90);
  EXPECT_EQ(network.summary.method, "calibrated");
  EXPECT_EQ(textOf(*network.module), calibratedFrom(90));
  EXPECT_NE(textOf(*network.module), calibratedFrom(99.9));
}

TEST_F(CalibrationStart, OfEqualOnesTheOneOfTheOptionsWins) {
  SpikingNetwork network = llvm::cantFail(search({3, 3, 3, 3}));
  EXPECT_EQ(network.start->percentile, 99.9);
  EXPECT_EQ(textOf(*network.module), calibratedFrom(99.9));
}

TEST_F(CalibrationStart, ErrorsAreThoseOfTheFirstNetwork) {
  activations.layers[1].values[0] = INFINITY;
  EXPECT_THAT(toText(search({}).takeError()), HasSubstr("layer '' puts out inf"));
  EXPECT_EQ(asked, 0u);
}

TEST(IsNarrow, CountsHiddenNeuronsAlone) {
  auto narrow = [](std::vector<std::vector<int64_t>> shapes) {
    Activations activations;
    for (std::vector<int64_t> &shape : shapes)
      activations.layers.push_back({"", std::move(shape), {}});
    return isNarrow(activations);
  };
  EXPECT_TRUE(narrow({{10}, {10}, {10}, {10}}));
  EXPECT_TRUE(narrow({{128}, {2, 4, 4}, {10}}));
  EXPECT_FALSE(narrow({{128}, {33}, {10}})) << "the answers are no hidden layer";
  EXPECT_TRUE(narrow({{992}, {32}, {1000}}));
  EXPECT_FALSE(narrow({{993}, {32}, {10}})) << "no small network";
  EXPECT_FALSE(narrow({{10}})) << "nothing is hidden";
  EXPECT_FALSE(narrow({}));
}

} // namespace
} // namespace spindle
