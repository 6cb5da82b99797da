// How often signals of a waveform change, beside what is counted by hand.
#include "hw/area/power/SignalActivity.h"

#include "tests/e2e/Tool.h"

#include "gmock/gmock.h"

namespace spindle::test {
namespace {

using ::testing::HasSubstr;

class SignalActivity : public ::testing::Test {
protected:
  std::string write(const std::string &values) {
    std::string path = scratch / "waveform.vcd";
    writeText(path, "$timescale 1ps $end\n$scope module TOP $end\n$var wire 1 ! clk $end\n"
                    "$scope module part $end\n$var wire 3 \" sum [2:0] $end\n"
                    "$var wire 1 # go $end\n$var wire 1 ! clk $end\n$upscope $end\n$upscope $end\n"
                    "$enddefinitions $end\n" +
                        values);
    return path;
  }
  std::string errorOf(const std::string &values) {
    auto read = hls::readActivity(write(values));
    return read ? "no error" : toText(read.takeError());
  }
  ScratchFolder scratch;
};

/// Values between two settled moments do not count, nor do the first ones.
TEST_F(SignalActivity, CountsChangesBetweenSettledMoments) {
  hls::SignalActivity found = llvm::cantFail(hls::readActivity(write("#0\n0!\nb101 \"\n0#\n"
                                                                     "#1\n1!\nb111 \"\n"
                                                                     "#2\n0!\nb1 \"\n1#\n"
                                                                     "#3\n1!\n0#\n"
                                                                     "#4\n0!\n1#\n"
                                                                     "#5\n1!\n"
                                                                     "#6\n0!\nb110 \"\n0#\n")));
  EXPECT_EQ(found.cycles, 4u);
  EXPECT_EQ(found.signals.size(), 6u);
  auto activity = [&](const char *name) { return found.signals.at(name); };
  EXPECT_EQ(activity("TOP.part.sum[0]"), (hls::Activity{1, 3})); // 1 1 1 0
  EXPECT_EQ(activity("TOP.part.sum[1]"), (hls::Activity{1, 1})); // 0 0 0 1
  EXPECT_EQ(activity("TOP.part.sum[2]"), (hls::Activity{2, 2})); // 1 0 0 1
  EXPECT_EQ(activity("TOP.part.go"), (hls::Activity{2, 2}));     // 0 1 1 0
  EXPECT_EQ(activity("TOP.clk"), (hls::Activity{0, 0}));         // low when all has settled
  EXPECT_EQ(activity("TOP.part.clk"), activity("TOP.clk"));      // one signal of two names
}

TEST_F(SignalActivity, RefusesWhatIsNoWaveform) {
  EXPECT_THAT(errorOf(""),
              HasSubstr("waveform.vcd: error: is no waveform with signals and values"));
  EXPECT_THAT(errorOf("#0\n1?\n"), HasSubstr("a value is for '?', which is no signal"));
  EXPECT_THAT(errorOf("#0\nb1010 \"\n"), HasSubstr("the value '1010' is for 3 bits"));
  EXPECT_THAT(errorOf("#x\n"), HasSubstr("'#x' is no moment"));
}

} // namespace
} // namespace spindle::test
