// Operations that look back in time: maximum pooling of spikes, delays, feedback, encoders of rates
// and times.
#include "tests/emulation/SingleNeuron.h"

#include "gmock/gmock.h"

#include <cmath>
#include <set>

using namespace spindle;
using namespace spindle::test;
using ::testing::ElementsAre;

namespace {

std::vector<InputEvent> randomEvents(CounterRandom &random, uint32_t steps, uint32_t elements,
                                     double rate) {
  std::vector<InputEvent> events;
  for (uint32_t step = 0; step < steps; ++step)
    for (uint32_t element = 0; element < elements; ++element)
      if (random.uniform() < rate)
        events.push_back({step, element});
  return events;
}

TEST(MaxPooling, HasSpikedAsOftenAsTheBusiestInputAtAnyTime) {
  CounterRandom random(5);
  constexpr uint32_t kSteps = 30;
  std::vector<InputEvent> events = randomEvents(random, kSteps, 2 * 5 * 6, 0.3);
  NetworkBuilder n({2, 5, 6});
  n.events().maxPool({3, 2}, {2, 1}, {1, 0, 1, 0}).decode();
  std::vector<std::vector<float>> answers =
      watch<float>(n, std::vector<float>(60), kSteps, events).run.answers;
  for (uint32_t step = 0; step < kSteps; ++step) {
    float counts[2][5][6] = {};
    for (const InputEvent &event : events)
      if (event.step <= step)
        ++counts[event.element / 30][event.element / 6 % 5][event.element % 6];
    size_t o = 0;
    for (int k = 0; k < 2; ++k)
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 5; ++c, ++o) {
          float most = 0;
          for (int row = std::max(0, 2 * r - 1); row < std::min(5, 2 * r + 2); ++row)
            for (int column = c; column < c + 2; ++column)
              most = std::max(most, counts[k][row][column]);
          ASSERT_EQ(answers[step][o], most) << "step " << step << " output " << o;
        }
  }
}

TEST(Delay, PassesSpikesOnAfterTheirSteps) {
  CounterRandom random(6);
  constexpr uint32_t kSteps = 25;
  std::vector<InputEvent> events = randomEvents(random, kSteps, 4, 0.4);
  std::vector<int64_t> delays{0, 1, 3, 9};
  NetworkBuilder n({4});
  n.events().delay(delays).decode();
  std::vector<std::vector<float>> answers =
      watch<float>(n, std::vector<float>(4), kSteps, events).run.answers;
  for (uint32_t step = 0; step < kSteps; ++step)
    for (uint32_t element = 0; element < 4; ++element) {
      float expected = 0;
      for (const InputEvent &event : events)
        expected += event.element == element && event.step + delays[element] <= step;
      EXPECT_EQ(answers[step][element], expected);
    }
}

TEST(Delay, OfAChannelHoldsForAllItsElements) {
  NetworkBuilder n({2, 2});
  n.direct().delay({1, 2}).population("integrator", "").decode();
  std::vector<std::vector<float>> answers = watch<float>(n, {1, 2, 3, 4}, 3).run.answers;
  EXPECT_THAT(answers, ElementsAre(ElementsAre(0, 0, 0, 0), ElementsAre(1, 2, 0, 0),
                                   ElementsAre(2, 4, 3, 4)));
}

TEST(Feedback, ARingOfTwoNeuronsGoesRoundInTheSumOfItsDelays) {
  for (int64_t back : {1, 3}) {
    NetworkBuilder n({1});
    n.events();
    mlir::Value kick = n.last();
    n.feedback("b", {1}, back).dense(1, {1}, {}, "");
    mlir::Value round = n.last();
    n.from(kick).dense(1, {1}, {}, "").add(round);
    n.population("if", "reset = #snn<reset zero>, threshold = array<f32: 1.0>, layer = \"a\"");
    n.delay({2}).dense(1, {1}, {}, "");
    n.population("if", "reset = #snn<reset zero>, threshold = array<f32: 1.0>, layer = \"b\"")
        .decode();
    std::vector<Spike> spikes = watch<float>(n, {0}, 20, {{1, 0}}).run.spikes;
    std::vector<uint32_t> first, second;
    for (uint32_t step = 1; step < 20; step += uint32_t(2 + back)) {
      first.push_back(step);
      if (step + 2 < 20)
        second.push_back(step + 2);
    }
    EXPECT_EQ(stepsOf(spikes, 1), first);
    EXPECT_EQ(stepsOf(spikes, 2), second);
  }
}

TEST(InputEncoding, HasTheNamesOfTheDialect) {
  for (size_t i = 0; i < kInputEncodingNames.size(); ++i)
    EXPECT_EQ(snn::stringifyEncoding(snn::encodingOf(InputEncoding(i))), kInputEncodingNames[i]);
  EXPECT_FALSE(snn::symbolizeEncoding(uint32_t(kInputEncodingNames.size())));
}

TEST(RegularEncoding, SpikesAtEqualDistancesAsOftenAsTheShare) {
  CounterRandom random(2);
  for (int trial = 0; trial < 50; ++trial) {
    auto share = static_cast<float>(random.below(257)) / 256; // t·p is exact
    NetworkBuilder n({1});
    n.regular(2).decode();
    interpreter::SampleRun<float> run = watch<float>(n, {2 * share}, 64).run;
    for (uint32_t step = 0; step < 64; ++step)
      ASSERT_EQ(run.answers[step][0], std::floor(float(step + 1) * share));
    std::vector<uint32_t> steps = stepsOf(run.spikes, 0);
    std::set<uint32_t> intervals;
    for (size_t k = 1; k < steps.size(); ++k)
      intervals.insert(steps[k] - steps[k - 1]);
    EXPECT_LE(intervals.size(), 2u) << "intervals differ by one at most";
  }
}

TEST(LatencyEncoding, LargerIsEarlier) {
  NetworkBuilder n({6});
  n.latency(8, 2).decodeFirstSpike();
  interpreter::SampleRun<float> run = watch<float>(n, {0, 0.1f, 0.25f, 1, 2, 5}, 10).run;
  EXPECT_THAT(run.answers.back(),
              ElementsAre(0, 0, 3, 6, 10, 10)); // two steps lie behind the window
  EXPECT_EQ(run.spikes.size(), 4u);
}

TEST(Events, AreSpikesOfTheirStepAndMayRepeat) {
  NetworkBuilder n({3});
  n.events().decode();
  interpreter::SampleRun<float> run = watch<float>(n, {0, 0, 0}, 3, {{0, 1}, {2, 0}, {2, 0}}).run;
  EXPECT_THAT(run.answers,
              ElementsAre(ElementsAre(0, 1, 0), ElementsAre(0, 1, 0), ElementsAre(2, 1, 0)));
  EXPECT_EQ(run.spikes, (std::vector<Spike>{{0, 1}, {2, 0}, {2, 0}}));
}

} // namespace
