#include "core/chip/Prediction.h"

#include "gmock/gmock.h"

namespace spindle {
namespace {

TEST(Prediction, IsReadAsItWasWritten) {
  std::string path = testing::TempDir() + "prediction.json";
  Prediction made{"small", 1234.5, 1000, 640, 16, {{"port", 10}, {"link", 6}}};
  llvm::cantFail(writePrediction(path, made));
  EXPECT_EQ(llvm::cantFail(readPrediction(path)), made);
}

TEST(Prediction, FromNoStepsIsRefused) {
  std::string path = testing::TempDir() + "wrong-prediction.json";
  auto errorOf = [&](const Prediction &wrong) {
    llvm::cantFail(writePrediction(path, wrong));
    return toText(readPrediction(path).takeError()).substr(path.size());
  };
  EXPECT_EQ(errorOf({"small", 1, 1, 4, 0, {}}),
            ": error: not a valid prediction: made from 0 of 4 steps, expected at least one and no "
            "more than there are");
  EXPECT_EQ(errorOf({"small", 1, 1, 4, 5, {}}),
            ": error: not a valid prediction: made from 5 of 4 steps, expected at least one and no "
            "more than there are");
  EXPECT_EQ(
      errorOf({"small", -1, 1, 4, 4, {}}),
      ": error: not a valid prediction: -1 cycles per sample and at least 1, expected neither "
      "below zero");
}

} // namespace
} // namespace spindle
