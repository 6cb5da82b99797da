#include "tools/spindle/flow/ProgressDisplay.h"

#include "gmock/gmock.h"

#include <sstream>

using namespace spindle;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

namespace {

class Progress : public ::testing::Test {
protected:
  /// What a display writes with a clock that is set by hand; `bar` is the terminal.
  ProgressOutput output(bool isTerminal, size_t columns = 120) {
    return {lines, isTerminal ? &bar : nullptr, columns, [this] { return now; }};
  }
  std::string taken(std::ostringstream &stream) {
    std::string text = stream.str();
    stream.str("");
    return text;
  }
  double now = 1000;
  std::ostringstream lines, bar;
};

TEST_F(Progress, ABarIsRedrawnInPlace) {
  ProgressDisplay display(output(true));
  display.startStage("emulate");
  EXPECT_EQ(taken(bar), "\remulate") << "the name at once";
  display.update(0, 10000);
  now += 0.9;
  display.update(900, 10000);
  EXPECT_EQ(taken(bar), "") << "not in the first second";
  now += 0.3;
  display.update(3000, 10000);
  EXPECT_EQ(taken(bar),
            "\remulate   [#########                     ]  30 %  3000 of 10000 samples, "
            "2500 samples/s, 3 s left");
  now += 0.05;
  display.update(3100, 10000);
  EXPECT_EQ(taken(bar), "") << "ten times a second at most";
  now += 3.75;
  display.update(10000, 10000);
  std::string last = taken(bar);
  EXPECT_THAT(last, StartsWith("\remulate   [##############################] 100 %  10000 of "));
  EXPECT_THAT(last, EndsWith("2000 samples/s, 0 s left"));
  now += 0.25;
  display.endStage("64 steps");
  EXPECT_EQ(taken(bar), "\r" + std::string(last.size() - 1, ' ') + "\r");
  EXPECT_EQ(taken(lines), "emulate   64 steps  (5.2 s)\n");
}

TEST_F(Progress, AShorterBarCoversTheOneBefore) {
  ProgressDisplay display(output(true));
  display.startStage("emulate");
  taken(bar);
  now += 2;
  display.update(1, 1000);
  size_t longest = taken(bar).size();
  now += 10;
  display.update(1000, 1000);
  EXPECT_EQ(taken(bar).size(), longest);
}

TEST_F(Progress, ABarFitsTheTerminal) {
  for (size_t columns : {90, 64, 20, 1}) {
    taken(bar);
    ProgressDisplay display(output(true, columns));
    display.startStage("emulate");
    EXPECT_LE(taken(bar).size(), columns);
    now += 2;
    display.update(500, 1000);
    std::string text = taken(bar);
    EXPECT_LE(text.size(), columns) << "\\r, and one column less than there are";
    if (columns == 64) {
      EXPECT_EQ(text, "\remulate    50 %  500 of 1000 samples, 250 samples/s, 2 s left");
    }
  }
}

TEST_F(Progress, WithoutATerminalThereAreFewLines) {
  ProgressDisplay display(output(false));
  display.startStage("emulate");
  display.update(0, 1000);
  for (int sample = 1; sample <= 1000; ++sample) {
    now += 0.06; // a minute in all
    display.update(uint64_t(sample), 1000);
  }
  std::string text = taken(lines);
  EXPECT_THAT(text, StartsWith("emulate   10 %, 100 of 1000 samples, 16.7 samples/s, 54 s left\n"));
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 9);
  EXPECT_EQ(taken(bar), "");
  display.endStage("done");
  EXPECT_EQ(taken(lines), "emulate   done  (60.0 s)\n");
}

TEST_F(Progress, LinesAreFiveSecondsApartAndNotMuchMoreThanAMinute) {
  ProgressDisplay display(output(false));
  display.startStage("emulate");
  for (int sample = 1; sample < 10; ++sample) {
    now += 0.5;
    display.update(uint64_t(sample), 10);
  }
  EXPECT_EQ(taken(lines), "") << "a stage of five seconds";
  display.endStage("");
  taken(lines);
  display.startStage("emulate", "steps");
  for (uint64_t minute = 1; minute <= 3; ++minute) {
    now += 60;
    display.update(minute, 10000);
  }
  EXPECT_EQ(taken(lines), "emulate   0 %, 1 of 10000 steps, 0.0167 steps/s, 166 h 39 min left\n"
                          "emulate   0 %, 2 of 10000 steps, 0.0167 steps/s, 166 h 38 min left\n"
                          "emulate   0 %, 3 of 10000 steps, 0.0167 steps/s, 166 h 37 min left\n");
}

// Loading and compiling come first: what they take must not count for the time left.
TEST_F(Progress, TheRateIsThatOfTheWorkProper) {
  ProgressDisplay display(output(true));
  display.startStage("emulate");
  now += 100;
  display.setUnit("steps");
  display.update(0, 800);
  now += 4;
  display.update(0, 800); // still none; the clock goes on
  now += 6;
  display.update(200, 800);
  EXPECT_THAT(taken(bar), EndsWith("200 of 800 steps, 20 steps/s, 30 s left"));
}

TEST_F(Progress, ASecondRunWithinAStageStartsAnew) {
  ProgressDisplay display(output(true));
  display.startStage("convert");
  now += 10;
  display.update(100, 100);
  taken(bar);
  now += 3;
  display.update(0, 100);
  now += 2;
  display.update(10, 100); // begun two seconds ago
  EXPECT_THAT(taken(bar), HasSubstr(" 10 of 100 samples, 5 samples/s, 18 s left"));
  now += 5;
  display.update(5, 100); // begun after the last call
  EXPECT_THAT(taken(bar), HasSubstr(" 5 of 100 samples, 1 samples/s, 1 min 35 s left"));
}

TEST_F(Progress, LongTimesAreInMinutesAndHours) {
  ProgressDisplay display(output(true));
  display.startStage("emulate");
  now += 10;
  display.update(1, 20);
  EXPECT_THAT(taken(bar), EndsWith(" 3 min 10 s left"));
  now += 900;
  display.update(2, 20);
  EXPECT_THAT(taken(bar), HasSubstr(" 2 h 16 min left"));
}

TEST_F(Progress, AFailingStageLeavesNoBar) {
  {
    ProgressDisplay display(output(true));
    display.startStage("emulate");
    now += 2;
    display.update(1, 2);
    taken(bar);
  }
  EXPECT_THAT(taken(bar), ::testing::MatchesRegex("\r +\r"));
  EXPECT_EQ(taken(lines), "");
}

TEST_F(Progress, WhatCountsNothingShowsItsTime) {
  ProgressDisplay display(output(true));
  display.startStage("partition");
  taken(bar);
  display.tick();
  EXPECT_EQ(taken(bar), "") << "not in the first second";
  now += 62;
  display.tick();
  EXPECT_EQ(taken(bar), "\rpartition at work for 1 min 02 s");
  display.update(0, 100); // counts from now on
  taken(bar);
  display.tick();
  EXPECT_EQ(taken(bar), "");
  display.endStage("done");
  taken(bar);
  now += 10;
  display.tick();
  EXPECT_EQ(taken(bar), "") << "between stages";
}

TEST_F(Progress, ALineAfterFiveSecondsAndThenEveryMinute) {
  ProgressDisplay display(output(false));
  display.startStage("partition");
  for (int second = 1; second <= 130; ++second) {
    now += 1;
    display.tick();
  }
  EXPECT_EQ(taken(lines), "partition at work for 5 s\n"
                          "partition at work for 1 min 05 s\n"
                          "partition at work for 2 min 05 s\n");
}

TEST_F(Progress, NothingToDoIsNoDivisionByZero) {
  ProgressDisplay display(output(true));
  display.startStage("emulate");
  taken(bar);
  now += 2;
  display.update(0, 0);
  display.update(0, 5);
  EXPECT_EQ(taken(bar), "");
}

} // namespace
