// The search for the cheapest conversion, with a judge that answers what the test says.
#include "lib/conversion/ann-to-snn/AutoConversion.h"

#include "core/support/CounterRandom.h"

#include "dialects/snn/Snn.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

#include "fmt/format.h"
#include <cmath>
#include <gmock/gmock.h>
#include <set>

namespace spindle {
namespace {

using ::testing::HasSubstr;

std::string printed(mlir::ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream);
  return text;
}

class AutoConversion : public ::testing::Test {
protected:
  AutoConversion() {
    context.loadDialect<snn::SnnDialect, mlir::arith::ArithDialect, mlir::func::FuncDialect>();
    ann = mlir::parseSourceString<mlir::ModuleOp>(
        R"(func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %w = arith.constant dense<[[1.0, 0.5], [0.25, 1.0]]> : tensor<2x2xf32>
  %1 = snn.dense %x, %w {layer = "dense1"} : (tensor<2xf32>, tensor<2x2xf32>) -> tensor<2xf32>
  %2 = snn.relu %1 {layer = "dense1"} : tensor<2xf32>
  %3 = snn.dense %2, %w {layer = "dense2"} : (tensor<2xf32>, tensor<2x2xf32>) -> tensor<2xf32>
  return %3 : tensor<2xf32>
})",
        &context);
    CounterRandom random(3);
    LayerActivations values{"dense1", {2}, {}};
    for (int k = 0; k < 40; ++k)
      values.values.push_back(float(random.uniform()));
    activations.samples = 20;
    activations.inputMaximum = 1;
    activations.layers = {values, values};
    activations.layers[1].layer = "dense2";
    options.steps = 16;
    options.maxLoss = 0.5;
    options.fitWeights = false;
  }

  /// Answers that are lost and gained when stopped after each step; the last ones go on.
  llvm::Expected<SpikingNetwork> search(std::vector<uint64_t> lost, std::vector<uint64_t> gained,
                                        uint64_t samples) {
    uint64_t annCorrect = samples * 9 / 10;
    ConversionJudge judge{samples, annCorrect, [&, annCorrect](mlir::ModuleOp snn, int64_t steps) {
                            judged.insert(printed(snn));
                            ++calls;
                            ConversionScore score;
                            for (size_t step = 0; step < size_t(steps); ++step) {
                              size_t at = std::min(step, lost.size() - 1);
                              score.keptByStep.push_back(annCorrect - lost[at]);
                              score.gainedByStep.push_back(gained[std::min(at, gained.size() - 1)]);
                            }
                            score.spikesPerSample = double(steps);
                            return llvm::Expected<ConversionScore>(std::move(score));
                          }};
    return convertAutomatically(
        *ann, activations, options,
        [](mlir::ModuleOp, const SignalTap &, int64_t, SignalReader) {
          return llvm::Error::success();
        },
        judge);
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> ann;
  Activations activations;
  ConversionOptions options;
  std::set<std::string> judged;
  int calls = 0;
};

} // namespace

TEST(PairedLoss, DeviationIsThatOfRepeatedDraws) {
  // Of 2,000 samples each is lost with 0.02 and gained with 0.01, many times over.
  CounterRandom random(17);
  const int draws = 2000, samples = 2000;
  double sum = 0, squares = 0, deviations = 0;
  for (int draw = 0; draw < draws; ++draw) {
    uint64_t lost = 0, gained = 0;
    for (int sample = 0; sample < samples; ++sample) {
      double chance = random.uniform();
      lost += chance < 0.02;
      gained += chance > 0.99;
    }
    PairedLoss loss = PairedLoss::of(lost, gained, samples);
    EXPECT_EQ(loss.samples, double(lost) - double(gained));
    sum += loss.samples;
    squares += loss.samples * loss.samples;
    deviations += loss.deviation;
  }
  double mean = sum / draws, deviation = std::sqrt(squares / draws - mean * mean);
  EXPECT_NEAR(mean, 20, 0.6);
  EXPECT_NEAR(deviations / draws, deviation, 0.05 * deviation);
}

TEST(PairedLoss, AgreementProvesNotEverything) {
  EXPECT_EQ(PairedLoss::of(0, 0, 500).samples, 0);
  EXPECT_EQ(PairedLoss::of(0, 0, 500).deviation, 1);
  EXPECT_EQ(PairedLoss::of(500, 0, 500).deviation, 1); // all are lost: that is sure
}

TEST_F(AutoConversion, OnlyAnswersThatDifferMakeALossUncertain) {
  // 0.16 points are lost from step 4 on, with 10 answers that differ; both networks answer 250 of
  // 2,500 wrong, whose root alone is 0.63 points.
  SpikingNetwork network = llvm::cantFail(search({100, 30, 12, 7}, {0, 2, 2, 3}, /*samples=*/2500));
  EXPECT_EQ(network.summary.steps, 4u);
  const ConversionSummary::HeldOut &heldOut = *network.summary.heldOut;
  EXPECT_EQ(heldOut.samples, 2500u);
  EXPECT_DOUBLE_EQ(heldOut.lossPoints, 0.16);
  EXPECT_NEAR(heldOut.marginPoints, 164.5 * std::sqrt(10 - 16 / 2500.0 + 1) / 2500, 1e-12);
  EXPECT_TRUE(heldOut.proven);
  // Step 3 lost 0.4 points, but not surely less than 0.5.
  ASSERT_TRUE(heldOut.unproven);
  EXPECT_EQ(heldOut.unproven->steps, 3u);
  EXPECT_DOUBLE_EQ(heldOut.unproven->lossPoints, 0.4);
  EXPECT_NEAR(heldOut.unproven->marginPoints, 164.5 * std::sqrt(14 - 100 / 2500.0 + 1) / 2500,
              1e-12);
  EXPECT_EQ(heldOut.tried, 24u + 3 * 3); // plain ones, then calibrated ones for 1, 2 and 4 steps
}

TEST_F(AutoConversion, FewSamplesProveNothingAndAllStepsAreSpent) {
  SpikingNetwork network = llvm::cantFail(search({0}, {0}, /*samples=*/100));
  EXPECT_EQ(network.summary.steps, 16u);
  EXPECT_FALSE(network.summary.heldOut->proven);
  EXPECT_EQ(network.summary.heldOut->lossPoints, 0);
  EXPECT_EQ(network.summary.heldOut->marginPoints, 1.645);
  ASSERT_TRUE(network.summary.heldOut->unproven);
  EXPECT_EQ(network.summary.heldOut->unproven->steps, 1u);
}

TEST_F(AutoConversion, NothingGoodEnoughIsAnError) {
  EXPECT_EQ(toText(search({50, 40}, {0}, 1000).takeError()),
            "conversion: error: no conversion found that loses at most 0.50 points in 16 steps, "
            "the best loses 4.00 in 2; raise emulation.steps or conversion.max_loss");
}

/// None lost in one step and four in more: one step may be luck.
TEST_F(AutoConversion, LossesThatFewSamplesDoNotProve) {
  EXPECT_EQ(toText(search({0, 4}, {0}, 100).takeError()),
            "conversion: error: no conversion found that loses at most 0.50 points in 16 steps, "
            "the best loses 0.00 in 1, which 100 samples do not prove; give more samples of "
            "calibration, or raise emulation.steps or conversion.max_loss");
}

TEST_F(AutoConversion, PercentilesAreSearchedPlainAndCalibrated) {
  llvm::cantFail(search({0}, {0}, 100));
  for (double percentile : {80.0, 99.0}) {
    ConversionOptions plain = options;
    plain.method = ConversionMethod::Percentile;
    plain.percentile = percentile;
    EXPECT_TRUE(
        judged.count(printed(*llvm::cantFail(convertAnnToSnn(*ann, activations, plain)).module)));
  }
  for (double percentile : {80.0, 90.0, options.percentile}) {
    ConversionOptions fitted = options;
    fitted.method = ConversionMethod::Calibrated;
    fitted.percentile = percentile;
    fitted.steps = 4;
    SpikingNetwork network = llvm::cantFail(
        calibrate(*ann, activations, fitted, [](mlir::ModuleOp, const SignalTap &, SignalReader) {
          return llvm::Error::success();
        }));
    EXPECT_TRUE(judged.count(printed(*network.module))) << percentile;
  }
}

TEST_F(AutoConversion, InfiniteWeightsAreRefusedWithTheirLayer) {
  ConversionOptions plain;
  activations.layers[0].values.assign(40, 1e-42f); // what dense1 divides by
  EXPECT_THAT(toText(convertAnnToSnn(*ann, activations, plain).takeError()),
              testing::StartsWith("conversion: error: layer 'dense1' has the weight inf, expected "
                                  "finite numbers; "));
  activations.layers[0].values.assign(40, 1e38f);
  plain.percentile = 100;
  activations.layers[1].values.assign(40, 1e-42f);
  plain.decoding = DecodingChoice::Count;
  EXPECT_THAT(toText(convertAnnToSnn(*ann, activations, plain).takeError()),
              HasSubstr("error: layer 'dense2' has the weight inf"));
  for (float value : {INFINITY, -INFINITY, float(NAN)}) {
    activations.layers[1].values.back() = value;
    std::string expected = fmt::format("conversion: error: layer 'dense2' puts out {} on the "
                                       "calibration samples, expected finite numbers; look at the "
                                       "weights of the model",
                                       value);
    EXPECT_EQ(toText(convertAnnToSnn(*ann, activations, plain).takeError()), expected);
    EXPECT_EQ(toText(calibrate(*ann, activations, plain, nullptr).takeError()), expected);
  }
}

} // namespace spindle
