// Sweep files: which points they ask for, and where their mistakes are.
#include "lib/exploration/Sweep.h"
#include "tests/support/TemporaryFolder.h"

#include "fmt/format.h"
#include "gmock/gmock.h"

#include <cmath>
#include <set>

using namespace spindle;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

namespace {

class Sweeps : public ::testing::Test {
protected:
  llvm::Expected<Sweep> read(const std::string &text) {
    folder.write("sweep.yaml", text);
    return readSweep(folder / "sweep.yaml");
  }
  /// The error without the folder.
  std::string errorOf(const std::string &text) {
    llvm::Expected<Sweep> sweep = read(text);
    if (sweep) {
      llvm::Expected<std::vector<std::vector<Setting>>> points = pointsOf(*sweep);
      return points ? "none" : withoutFolder(toText(points.takeError()));
    }
    return withoutFolder(toText(sweep.takeError()));
  }
  std::string withoutFolder(std::string text) {
    size_t at = text.find("sweep.yaml");
    return at == std::string::npos ? text : text.substr(at);
  }
  std::vector<std::vector<Setting>> points(const std::string &text) {
    llvm::Expected<Sweep> sweep = read(text);
    if (!sweep) {
      ADD_FAILURE() << toText(sweep.takeError());
      return {};
    }
    return llvm::cantFail(pointsOf(*sweep));
  }
  TemporaryFolder folder;
};

std::vector<std::string> valuesOf(const std::vector<std::vector<Setting>> &points,
                                  const std::string &key) {
  std::vector<std::string> values;
  for (const std::vector<Setting> &settings : points)
    for (const Setting &setting : settings)
      if (setting.key == key)
        values.push_back(setting.value);
  return values;
}

TEST_F(Sweeps, AGridHasAllCombinationsOnce) {
  auto all = points("flow: a.yaml\nset: {c: 7, b: 1}\nvary: {b: [x, y, x], a.d: [1, [2, 3]]}\n");
  ASSERT_EQ(all.size(), 4u);
  std::set<std::string> ids;
  for (const std::vector<Setting> &settings : all) {
    ids.insert(pointId(settings));
    ASSERT_EQ(settings.size(), 3u) << "what varies takes the place of what is set";
    EXPECT_EQ(settings[0].key, "a.d");
    EXPECT_EQ(settings[2], (Setting{"c", "7"}));
  }
  EXPECT_EQ(ids.size(), 4u);
  EXPECT_THAT(valuesOf(all, "b"), ElementsAre("x", "x", "y", "y"));
  EXPECT_THAT(valuesOf(all, "a.d"), ElementsAre("1", "[2, 3]", "1", "[2, 3]"));
}

TEST_F(Sweeps, RangesGoByStepsAndFactors) {
  auto values = [&](const std::string &range) {
    return valuesOf(points("flow: a\nvary: {k: " + range + "}\n"), "k");
  };
  EXPECT_THAT(values("{from: 8, to: 64, factor: 2}"), ElementsAre("8", "16", "32", "64"));
  EXPECT_THAT(values("{from: 0.1, to: 0.5, step: 0.2}"), ElementsAre("0.1", "0.3", "0.5"));
  EXPECT_THAT(values("{from: 3, to: 5}"), ElementsAre("3", "4", "5"));
  EXPECT_THAT(values("{from: 7, to: 7}"), ElementsAre("7"));
  EXPECT_THAT(values("{from: -0.3, to: 0, step: 0.1}"), ElementsAre("-0.3", "-0.2", "-0.1", "0"));
  EXPECT_THAT(values("{from: -0.1, to: 0.1, step: 0.1}"), ElementsAre("-0.1", "0", "0.1"));
  EXPECT_THAT(values("{from: 1e-12, to: 1e-9, factor: 10}"),
              ElementsAre("1e-12", "1e-11", "1e-10", "1e-09"));
  EXPECT_THAT(values("{from: 1000000000001, to: 1000000000003}"),
              ElementsAre("1000000000001", "1000000000002", "1000000000003"));
  for (int from = -7; from <= 7; ++from) // every last value is there
    for (int steps = 1; steps <= 30; ++steps)
      for (double step : {0.1, 0.3, 0.7, 1e-7, 123.456}) {
        double first = from * step, last = (from + steps) * step;
        EXPECT_EQ(values(fmt::format("{{from: {}, to: {}, step: {}}}", first, last, step)).size(),
                  static_cast<size_t>(steps + 1))
            << first << " to " << last;
      }
}

TEST_F(Sweeps, SamplesAreDrawnAlikeAndWithinTheirRanges) {
  std::string text = "flow: a\nsample: {points: 200, seed: 3}\nvary:\n  u: {from: -1, to: 3, draw: "
                     "uniform}\n  l: {from: 0.001, to: 10, draw: logarithmic}\n  w: {from: 2, to: "
                     "6, draw: whole}\n  s: [a, b]\n";
  auto all = points(text);
  ASSERT_EQ(all.size(), 200u);
  EXPECT_EQ(all, points(text));
  size_t small = 0, b = 0;
  std::set<std::string> whole;
  for (const std::string &value : valuesOf(all, "u"))
    EXPECT_TRUE(std::stod(value) >= -1 && std::stod(value) <= 3) << value;
  for (const std::string &value : valuesOf(all, "l")) {
    EXPECT_TRUE(std::stod(value) >= 0.001 && std::stod(value) <= 10) << value;
    small += std::stod(value) < 0.1; // half of four decades
  }
  for (const std::string &value : valuesOf(all, "w"))
    whole.insert(value);
  for (const std::string &value : valuesOf(all, "s"))
    b += value == "b";
  EXPECT_THAT(whole, ElementsAre("2", "3", "4", "5", "6"));
  EXPECT_NEAR(double(small), 100, 30);
  EXPECT_NEAR(double(b), 100, 30);
}

TEST_F(Sweeps, WholeNumbersAreDrawnWithinTheirRange) {
  auto drawn = [&](const std::string &range) {
    auto all = points("flow: a\nsample: {points: 60}\nvary: {k: " + range + "}\n");
    std::vector<std::string> values = valuesOf(all, "k");
    return std::set<std::string>(values.begin(), values.end());
  };
  EXPECT_THAT(drawn("{from: 90.5, to: 93.5, draw: whole}"), ElementsAre("91", "92", "93"));
  EXPECT_THAT(drawn("{from: -1.5, to: 1, draw: whole}"), ElementsAre("-1", "0", "1"));
  for (const std::string &value : drawn("{from: 99.99991, to: 99.99999, draw: uniform}"))
    EXPECT_TRUE(std::stod(value) >= 99.99991 && std::stod(value) <= 99.99999) << value;
  Sweep sweep = llvm::cantFail(read("flow: a\nsample: {points: 1}\nvary: {k: {from: 7.5, to: "
                                    "12345678.5, draw: whole}}\n"));
  EXPECT_EQ(drawnText(sweep.keys[0], 7.5), "8"); // the ends are tried before the first point
  EXPECT_EQ(drawnText(sweep.keys[0], 12345678.5), "12345678");
}

TEST_F(Sweeps, ASampleEndsWhereThereIsNoMore) {
  EXPECT_EQ(points("flow: a\nsample: {points: 50}\nvary: {k: [1, 2, 3]}\n").size(), 3u);
}

TEST_F(Sweeps, ObjectivesAndConstraints) {
  Sweep sweep = llvm::cantFail(
      read("flow: a\nvary: {k: [1]}\nobjectives: {snn.accuracy: max, x: min}\nconstraints: "
           "{y: {least: 0.5}, z: {least: 1, most: 2}}\n"));
  EXPECT_THAT(sweep.objectives,
              ElementsAre(Objective{"snn.accuracy", true}, Objective{"x", false}));
  EXPECT_THAT(sweep.constraints,
              ElementsAre(Constraint{"y", 0.5, std::nullopt}, Constraint{"z", 1, 2}));
  EXPECT_THAT(sweep.namePlaces["x"], HasSubstr("sweep.yaml:3:"));
  sweep = llvm::cantFail(read("flow: a\nvary: {k: [1]}\n"));
  EXPECT_EQ(sweep.objectives, usualObjectives());
}

TEST_F(Sweeps, MistakesHaveAPlace) {
  const std::pair<std::string, std::string> cases[] = {
      {"vary: {k: [1]}\n", "sweep.yaml:1:1: error: key 'flow' is missing"},
      {"flow: a\n", "sweep.yaml:1:1: error: key 'vary' is missing"},
      {"flow: a\nvary: {}\n",
       "sweep.yaml:2:7: error: vary is empty, expected keys of the flow with "
       "their values: {emulation.steps: [16, 32]}"},
      {"flow: a\nvary: 3\n",
       "sweep.yaml:2:7: error: vary is '3', expected keys of the flow with their values"},
      {"flow: a\nvary: {k: 3}\n",
       "sweep.yaml:2:11: error: k is '3', expected a list of values or a "
       "range: {from: 8, to: 64, factor: 2}"},
      {"flow: a\nvary: {k: []}\n", "sweep.yaml:2:11: error: k is a list, expected a list of values "
                                   "or a range: {from: 8, to: 64, factor: 2}"},
      {"flow: a\nvary: {k: {from: 1}}\n", "sweep.yaml:2:11: error: the range of k needs the number "
                                          "to"},
      {"flow: a\nvary: {k: {from: x, to: 2}}\n",
       "sweep.yaml:2:11: error: the range of k needs the number from"},
      {"flow: a\nvary: {k: {from: 3, to: 2}}\n",
       "sweep.yaml:2:11: error: the range of k goes from 3 down to 2"},
      {"flow: a\nvary: {k: {from: 1, to: 2, step: 0}}\n",
       "sweep.yaml:2:11: error: the range of k never ends: step is above 0"},
      {"flow: a\nvary: {k: {from: 0, to: 2, factor: 2}}\n",
       "sweep.yaml:2:11: error: the range of k never ends: factor is above 1, from above 0"},
      {"flow: a\nvary: {k: {from: 0, to: 1, step: 1e-9}}\n",
       "sweep.yaml:2:11: error: the range of k has more than 100000 values"},
      {"flow: a\nvary: {k: {from: 1, too: 2}}\n",
       "sweep.yaml:2:11: error: unknown word 'too' in the range of k, expected from, to, and step, "
       "factor or draw; a value that is a mapping stands in a list"},
      {"flow: a\nvary: {k: {from: 1, to: 2, draw: uniform}}\n",
       "sweep.yaml:2:11: error: k is drawn at random, which needs a section sample: sample: "
       "{points: "
       "100, seed: 1}"},
      {"flow: a\nsample: {points: 2}\nvary: {k: {from: 0, to: 2, draw: logarithmic}}\n",
       "sweep.yaml:3:11: error: the range of k begins at 0, expected more than 0"},
      {"flow: a\nsample: {points: 2}\nvary: {k: {from: 0, to: 2, draw: some}}\n",
       "sweep.yaml:3:11: error: draw of k is 'some', expected uniform, logarithmic or whole"},
      {"flow: a\nsample: {seed: 2}\nvary: {k: [1]}\n", "sweep.yaml:2:9: error: key 'points' is "
                                                       "missing in sample"},
      {"flow: a\nvary: {k: [1]}\nobjectives: {x: best}\n",
       "sweep.yaml:3:17: error: the goal of x is 'best', expected min or max"},
      {"flow: a\nvary: {k: [1]}\nobjectives: []\n",
       "sweep.yaml:3:13: error: objectives is a list, expected numbers of report.json with min or "
       "max: {snn.accuracy: max}"},
      {"flow: a\nvary: {k: [1]}\nconstraints: {x: 3}\n",
       "sweep.yaml:3:18: error: the limits of x are 3, expected {least: 0.9}, {most: 100} or "
       "both, finite numbers"},
      {"flow: a\nvary: {k: [1]}\nconstraints: {x: {at_most: 3}}\n",
       "sweep.yaml:3:18: error: the limits of x are {at_most: 3}, expected {least: 0.9}, {most: "
       "100} or both, finite numbers"},
      {"flow: a\nvary: {k: [1]}\nconstraints: {x: {least: nan}}\n",
       "sweep.yaml:3:18: error: the limits of x are {least: nan}, expected {least: 0.9}, {most: "
       "100} or both, finite numbers"},
      {"flow: a\nvary: {k: [1]}\nconstraints: {x: {most: 1e999}}\n",
       "sweep.yaml:3:18: error: the limits of x are {most: 1e999}, expected {least: 0.9}, {most: "
       "100} or both, finite numbers"},
      {"flow: a\nvary: {k: [1]}\nconstraints: {x: {least: 2, most: 1}}\n",
       "sweep.yaml:3:18: error: no number is at least 2 and at most 1, the limits of x"},
      {"flow: a\nvary: {k: {from: 1, to: 4, step: 1, factor: 2}}\n",
       "sweep.yaml:2:11: error: the range of k has step and factor, expected one of step, factor "
       "and draw"},
      {"flow: a\nsample: {points: 2}\nvary: {k: {from: 90.2, to: 90.8, draw: whole}}\n",
       "sweep.yaml:3:11: error: no whole number lies in the range of k, from 90.2 to 90.8"},
      {"flow: a\nset: {e.steps: 9}\nvary: {e: [{steps: 2}, {steps: 3}]}\n",
       "sweep.yaml:2:16: error: e.steps is set and e around it varies; write it into the values of "
       "e"},
      {"flow: a\nvarying: {k: [1]}\nvary: {k: [1]}\n",
       "sweep.yaml:2:10: error: unknown key 'varying', expected flow, vary, set, sample, until, "
       "objectives or constraints"},
      {"flow: a\nvary:\n  a: {from: 1, to: 2000}\n  b: {from: 1, to: 2000}\n",
       "sweep.yaml: error: the grid has 4e+06 points, expected at most 1000000; draw some of them: "
       "sample: {points: 1000, seed: 1}"},
  };
  for (const auto &[text, error] : cases)
    EXPECT_THAT(errorOf(text), ::testing::StartsWith(error)) << text;
}

} // namespace
