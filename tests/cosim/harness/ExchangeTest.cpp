#include "hw/cosim/harness/Exchange.h"

#include "tests/support/TemporaryFolder.h"
#include "gmock/gmock.h"

#include <tuple>

namespace spindle::hls {

// A new field does not compile here until it is compared.
static auto fieldsOf(const BenchRun &run) {
  const auto &[gap, reset, stall, scalars, memories, streams] = run;
  return std::tie(gap, reset, stall, scalars, memories, streams);
}
static bool operator==(const BenchRun &one, const BenchRun &other) {
  return fieldsOf(one) == fieldsOf(other);
}

static auto fieldsOf(const Stimulus &stimulus) {
  const auto &[seed, most, latency, from, to, runs] = stimulus;
  return std::tie(seed, most, latency, from, to, runs);
}
static bool operator==(const Stimulus &one, const Stimulus &other) {
  return fieldsOf(one) == fieldsOf(other);
}

static auto fieldsOf(const BenchOutcome &outcome) {
  const auto &[finished, cycles, start, end, results, memories, writes, streams, left, moments,
               spans, fills] = outcome;
  return std::tie(finished, cycles, start, end, results, memories, writes, streams, left, moments,
                  spans, fills);
}
static bool operator==(const BenchOutcome &one, const BenchOutcome &other) {
  return fieldsOf(one) == fieldsOf(other);
}

static auto fieldsOf(const Violation &violation) {
  const auto &[number, cycle, text] = violation;
  return std::tie(number, cycle, text);
}
static bool operator==(const Violation &one, const Violation &other) {
  return fieldsOf(one) == fieldsOf(other);
}

static auto fieldsOf(const Response &response) {
  const auto &[outcomes, violations] = response;
  return std::tie(outcomes, violations);
}
static bool operator==(const Response &one, const Response &other) {
  return fieldsOf(one) == fieldsOf(other);
}

} // namespace spindle::hls

using namespace spindle;
using namespace spindle::hls;

namespace {

TEST(Exchange, StimuliAndResponsesSurviveAFile) {
  TemporaryFolder folder;
  Stimulus stimulus{3, 1000, 20, 5, 9, {{1, 50, 30, {7, kNever}, {{1, 2}, {}}, {{8}, {}}}, {}}};
  ASSERT_TRUE(writeStimulus(folder / "s", stimulus));
  Stimulus stimulusBack;
  ASSERT_TRUE(readStimulus(folder / "s", stimulusBack));
  EXPECT_EQ(stimulusBack, stimulus);
  Response response{{{1, 10, 20, 30, {1}, {{2, 3}}, {{kNever, 4}}, {{5, 6}}, {0, 2}, {{7}, {}}}},
                    {{0, 12, "it broke: µ"}}};
  ASSERT_TRUE(writeResponse(folder / "r", response));
  Response responseBack;
  ASSERT_TRUE(readResponse(folder / "r", responseBack));
  EXPECT_EQ(responseBack, response);
}

TEST(Exchange, WhatIsCutOrAbsentIsRefused) {
  TemporaryFolder folder;
  ASSERT_TRUE(
      writeStimulus(folder / "s", {1, 2, 3, 4, 5, {{0, 0, 0, {1, 2, 3}, {{4, 5, 6}}, {{7}}}}}));
  std::string bytes = folder.read("s");
  Stimulus stimulus;
  for (size_t size = 0; size < bytes.size(); size += 8) {
    folder.write("cut", bytes.substr(0, size));
    EXPECT_FALSE(readStimulus(folder / "cut", stimulus)) << size;
  }
  folder.write("long", bytes + bytes);
  EXPECT_FALSE(readStimulus(folder / "long", stimulus));
  EXPECT_FALSE(readStimulus(folder / "absent", stimulus));
}

} // namespace
