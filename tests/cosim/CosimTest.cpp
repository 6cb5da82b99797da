// Whole co-simulations under Verilator: right kernels pass, and every fault is found.
#include "hw/cosim/Cosim.h"
#include "tests/cosim/KernelFolder.h"

#include "gmock/gmock.h"

#include <filesystem>

using namespace spindle;
using namespace spindle::hls;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

namespace {

#define SKIP_WITHOUT_VERILATOR()                                                                   \
  if (!hasVerilator())                                                                             \
  GTEST_SKIP() << "verilator or make is absent, install the packages verilator and make"

CosimResult runCosim(const TemporaryFolder &folder, const CosimOptions &options = {}) {
  auto result = cosim(folder.path(), options);
  EXPECT_TRUE(bool(result)) << toText(result.takeError());
  return result ? *result : CosimResult();
}

/// Inputs of the kernel `scale` with a fault.
CosimOptions withFault(const TemporaryFolder &folder, int64_t fault) {
  std::vector<int64_t> x;
  for (int64_t i = 0; i < 12; ++i)
    x.push_back(100 + i * i);
  CosimOptions options;
  options.in = folder / "in.npz";
  llvm::cantFail(writeNpz(options.in, {{"arg0", makeNpy({12}, x)},
                                       {"arg1", makeNpy({}, std::vector<int64_t>{3})},
                                       {"arg2", makeNpy({}, std::vector<int64_t>{fault})}}));
  return options;
}

TEST(Cosim, FindsEveryFault) {
  SKIP_WITHOUT_VERILATOR();
  TemporaryFolder folder;
  writeKernel(folder, scaleKernel());
  std::string waveform = folder / "cosim/mismatch.vcd";
  for (const CosimOptions &options : {CosimOptions(), withFault(folder, 0)}) {
    CosimResult right = runCosim(folder, options);
    EXPECT_THAT(right.problems, IsEmpty());
    EXPECT_EQ(right.cycles, 14u);
    EXPECT_EQ(right.runs, 3u);
    EXPECT_EQ(right.mismatches, 0u);
    EXPECT_FALSE(std::filesystem::exists(waveform));
  }
  struct Fault {
    int64_t number;
    const char *first;
    uint64_t mismatches;
  };
  const Fault faults[] = {
      {101,
       "run 0: arg0[5] is 376 (0x00000178), expected 375 (0x00000177); bank 0 word 5; last written "
       "in cycle 8 of 14; 1 mismatch in this run",
       3},
      {102, "run 0, cycle 10: arg0: port 1 of bank 0 writes word 13, expected 0 to 11", 0},
      {103,
       "run 0, cycle 1057: is not done after 1056 cycles; idle 0; arg0: 12 reads, 12 writes, "
       "port 1 of bank 0 writes word 11 1043 cycles ago",
       0},
      {104,
       "run 0: arg0[9] is 181 (0x000000b5), expected 543 (0x0000021f); bank 0 word 9; never "
       "written; 3 mismatches in this run",
       3},
      {105,
       "run 0, cycle 3: arg0: port 1 of bank 0 writes word 0, which port 0 reads in the same cycle",
       0},
      {106, "run 0: arg0[0] is 303 (0x0000012f), expected 300 (0x0000012c); bank 0 word 0", 36},
      {107, "run 1: arg0[0] is 400 (0x00000190), expected 300 (0x0000012c); bank 0 word 0", 12},
      {108,
       "run 2 (after a reset), before its start: arg0: port 1 of bank 0 writes word 5 while no run "
       "is under way",
       0},
      {109, "run 0: arg0[1] is ", 33},
      {110, "run 0 takes 15 cycles, predicted were 14", 0},
      {111, "run 0, cycle 1: is idle while a run is under way", 0},
      {112, "run 1, before its start: is done while no run is under way", 0},
      {113, "run 0, cycle 0: is done while no run is under way", 0},
      {114,
       "run 2 (after a reset), before its start: is not idle 1009 cycles after its last run or "
       "reset",
       0},
      {115, "run 0, cycle 4: arg0: port 0 of bank 0 reads word 14, expected 0 to 11", 0}};
  for (const Fault &fault : faults) {
    CosimResult result = runCosim(folder, withFault(folder, fault.number));
    ASSERT_FALSE(result.problems.empty()) << fault.number;
    EXPECT_THAT(result.problems[0], StartsWith(fault.first));
    EXPECT_THAT(result.problems[0], EndsWith("; waveform: " + waveform));
    EXPECT_EQ(result.mismatches, fault.mismatches) << fault.number;
    EXPECT_THAT(folder.read("cosim/mismatch.vcd"), HasSubstr("arg0_b0_p1_wdata"));
    std::filesystem::remove(waveform);
  }
}

} // namespace
