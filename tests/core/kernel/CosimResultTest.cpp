#include "core/kernel/CosimResult.h"

#include "gmock/gmock.h"

using namespace spindle;
using namespace spindle::hls;

namespace {

TEST(CosimResult, SurvivesAFile) {
  std::string path = testing::TempDir() + "cosim.json";
  CosimResult result{"kernel_gemm", 16040, 16039, 3, 7, 2, {"run 0: wrong"}, 2.5, 0.25};
  result.inputs = "integers";
  result.isReassociated = true;
  for (bool isWhole : {true, false}) {
    if (isWhole) {
      result.bus = BusResult{"kernel_gemm_axi", 20000, 3, 1, 3.5, 0.5};
      result.bus->images = ImageTimes{{300, 320}, {310}};
      result.use = StreamUse{700, {{"nest0", 500, 120, 3}}, {{"p1.words", 4, 3, 0.25}}};
    } else
      result.cycles = result.predictedCycles = result.bus->cycles = std::nullopt;
    ASSERT_FALSE(bool(writeCosimResult(path, result)));
    auto read = readCosimResult(path);
    ASSERT_TRUE(bool(read)) << toText(read.takeError());
    EXPECT_EQ(*read, result);
  }
}

} // namespace
