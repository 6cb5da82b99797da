#include "lib/emulation/runtime/StepProgress.h"

#include "gmock/gmock.h"

#include <algorithm>
#include <thread>

using namespace spindle;
using ::testing::ElementsAre;
using ::testing::Pair;

namespace {

using Calls = std::vector<std::pair<uint64_t, uint64_t>>;

TEST(StepProgress, CountsWhatStepsAreWorthInSamples) {
  Calls calls;
  Progress progress = [&](uint64_t done, uint64_t all) { calls.push_back({done, all}); };
  StepProgress count(3, 10, progress);
  count.begin();
  for (uint64_t steps : {5, 10, 10, 4, 1})
    count.add(steps);
  EXPECT_THAT(calls,
              ElementsAre(Pair(0, 3), Pair(0, 3), Pair(1, 3), Pair(2, 3), Pair(2, 3), Pair(3, 3)));
}

TEST(StepProgress, CountsStepsOfASingleSample) {
  Calls calls;
  Progress progress = [&](uint64_t done, uint64_t all) { calls.push_back({done, all}); };
  StepProgress count(1, 10, progress);
  count.begin();
  count.add(4);
  count.add(6);
  EXPECT_THAT(calls, ElementsAre(Pair(0, 10), Pair(4, 10), Pair(10, 10)));
}

TEST(StepProgress, ReportsAboutAThousandTimesFromAnyThread) {
  Calls calls;
  Progress progress = [&](uint64_t done, uint64_t all) { calls.push_back({done, all}); };
  StepProgress count(2, 100'000, progress);
  auto work = [&] {
    for (int step = 0; step < 100'000; ++step)
      count.add(1);
  };
  std::thread other(work);
  work();
  other.join();
  EXPECT_LE(calls.size(), 1026u);
  EXPECT_GE(calls.size(), 500u);
  EXPECT_TRUE(std::is_sorted(calls.begin(), calls.end()));
  EXPECT_EQ(calls.back(), std::pair(uint64_t(2), uint64_t(2)));
}

TEST(StepProgress, NobodyNeedListen) {
  Progress nobody;
  StepProgress count(1, 1, nobody);
  count.begin();
  count.add(1);
}

} // namespace
