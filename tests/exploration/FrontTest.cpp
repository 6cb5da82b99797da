// Which points nobody beats, and how points are shown.
#include "core/support/CounterRandom.h"
#include "lib/exploration/ExplorationTable.h"
#include "lib/report/ExplorationPage.h"
#include "tests/support/TemporaryFolder.h"

#include "gmock/gmock.h"

#include <algorithm>

using namespace spindle;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

namespace {

ExploredPoint pointOf(uint32_t number, std::map<std::string, double> figures) {
  ExploredPoint point;
  point.settings = {{"k", std::to_string(number)}};
  point.overrides = {"k=" + std::to_string(number)};
  point.figures = std::move(figures);
  return point;
}

/// In two objectives by another way: sorted by one, a point is on the front where it is better in
/// the other than all before it.
TEST(Front, IsTheStaircase) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    CounterRandom random(seed, 41);
    uint32_t range = 2 + random.below(30);
    std::vector<ExploredPoint> points;
    for (uint32_t p = 0; p < 40; ++p)
      points.push_back(pointOf(p, {{"cost", double(random.below(range))},
                                   {"gain", double(random.below(range))},
                                   {"limit", double(random.below(3))}}));
    Exploration wanted{
        "flow", Json::object(), {{"cost", false}, {"gain", true}}, {{"limit", std::nullopt, 1.0}}};
    std::vector<Standing> standings = standingsOf(wanted, points);
    std::vector<size_t> order;
    for (size_t p = 0; p < points.size(); ++p) {
      EXPECT_EQ(standings[p].isFeasible, points[p].figures["limit"] <= 1);
      if (points[p].figures["limit"] <= 1)
        order.push_back(p);
    }
    auto cost = [&](size_t p) { return points[p].figures["cost"]; };
    auto gain = [&](size_t p) { return points[p].figures["gain"]; };
    std::ranges::sort(order, {}, [&](size_t p) { return std::pair(cost(p), -gain(p)); });
    double best = -1, at = -1;
    std::vector<bool> isFront(points.size(), false);
    for (size_t p : order) {
      isFront[p] = gain(p) > best || (gain(p) == best && cost(p) == at);
      if (gain(p) > best) {
        best = gain(p);
        at = cost(p);
      }
    }
    for (size_t p = 0; p < points.size(); ++p)
      EXPECT_EQ(standings[p].isOnFront, isFront[p]) << seed << " " << p;
  }
}

TEST(Front, LeavesOutWhatFailedOrLacksAnObjective) {
  std::vector<ExploredPoint> points = {pointOf(1, {{"cost", 1}}), pointOf(2, {{"cost", 2}}),
                                       pointOf(3, {{"other", 0}})};
  points[0].error = "chip.yaml: error: too small";
  Exploration wanted{"flow", Json::object(), {{"cost", false}}, {}};
  std::vector<Standing> standings = standingsOf(wanted, points);
  EXPECT_FALSE(standings[0].isWhole);
  EXPECT_TRUE(standings[1].isOnFront);
  EXPECT_FALSE(standings[2].isWhole);
}

TEST(Front, PointsAreSortedByTheSizeOfNumbers) {
  std::vector<ExploredPoint> points;
  for (uint32_t number : {16u, 2u, 128u})
    points.push_back(pointOf(number, {}));
  points.push_back(pointOf(0, {}));
  points.back().settings[0].value = "auto";
  sortPoints(points);
  std::vector<std::string> values;
  for (const ExploredPoint &point : points)
    values.push_back(point.settings[0].value);
  EXPECT_THAT(values, ElementsAre("2", "16", "128", "auto"));
}

TEST(ExploredPoints, AreNamedBySettingsInAnyOrder) {
  EXPECT_EQ(pointId({{"a", "1"}, {"b", "2"}}), pointId({{"b", "2"}, {"a", "1"}}));
  EXPECT_NE(pointId({{"a", "1"}, {"b", "2"}}), pointId({{"a", "2"}, {"b", "1"}}));
  EXPECT_NE(pointId({{"a", "1"}}), pointId({{"a", "1.0"}}));
  EXPECT_EQ(pointId({}).size(), 16u);
}

TEST(ExploredPoints, AreReadAsTheyWereWritten) {
  TemporaryFolder folder;
  ExploredPoint point = pointOf(3, {{"a.b", 0.1}, {"c", 3e9}});
  point.program = "0.1.0 (x)";
  point.sources = {{"/m.onnx", "ab"}};
  point.error = "stop";
  llvm::cantFail(writeExploredPoint(folder / "point.json", point));
  ExploredPoint read = llvm::cantFail(readExploredPoint(folder / "point.json"));
  EXPECT_EQ(read.settings, point.settings);
  EXPECT_EQ(read.overrides, point.overrides);
  EXPECT_EQ(read.figures, point.figures);
  EXPECT_EQ(read.sources, point.sources);
  EXPECT_EQ(read.error, "stop");
  Exploration wanted{"f.yaml", {{"chip", "x"}}, {{"a", true}}, {{"b", 1.0, std::nullopt}}};
  llvm::cantFail(writeExploration(folder / "exploration.json", wanted));
  Exploration again = llvm::cantFail(readExploration(folder / "exploration.json"));
  EXPECT_EQ(again.objectives, wanted.objectives);
  EXPECT_EQ(again.constraints, wanted.constraints);
  EXPECT_EQ(again.settings, wanted.settings);
}

TEST(ExploredPoints, FiguresAreTheNumbersOfAReport) {
  Json report = Json::parse(
      R"({"format": "spindle-report", "version": 1, "stages": ["a"], "timing": {"s": 3},
          "snn": {"accuracy": 0.5, "list": [1, 2], "name": "x", "is_below": true,
                  "deep": {"energy": {"value": 7, "unit": "pJ", "source": "y"}}}})");
  EXPECT_EQ(figuresOfReport(report),
            (std::map<std::string, double>{
                {"snn.accuracy", 0.5}, {"snn.is_below", 1}, {"snn.deep.energy", 7}}));
}

class Shown : public ::testing::Test {
protected:
  Shown() {
    points = {pointOf(1, {{"cost", 1}, {"gain", 2.5}}), pointOf(2, {{"cost", 2}, {"gain", 1}}),
              pointOf(3, {})};
    points[0].overrides = {"k=1", "list=[1, 'a']"};
    points[2].error = "a <b>, \"c\"";
    wanted = {"my flow.yaml", Json::object(), {{"cost", false}, {"gain", true}}, {}};
  }
  std::vector<ExploredPoint> points;
  Exploration wanted;
};

TEST_F(Shown, AsCsvWithQuotes) {
  std::string csv = csvOf(wanted, points);
  EXPECT_THAT(csv, ::testing::StartsWith("point,state,feasible,front,k,cost,gain,error,command\n"));
  EXPECT_THAT(csv, HasSubstr(",done,1,1,1,1,2.5,,\"spindle run 'my flow.yaml' --set k=1 --set "
                             "'list=[1, '\\''a'\\'']'\"\n"));
  EXPECT_THAT(csv, HasSubstr(",failed,0,0,3,,,\"a <b>, \"\"c\"\"\",spindle run"));
}

TEST_F(Shown, AsAPageWithTextInPlaceOfPictures) {
  std::string page = explorationPage(wanted, points);
  EXPECT_THAT(page, HasSubstr("aria-label=\"cost over gain: 2 points, 1 of them on the front; cost "
                              "from 1 to 2, gain from 1 to 2.5\""));
  EXPECT_THAT(page, HasSubstr("--set k=1"));
  EXPECT_THAT(page, HasSubstr("a &lt;b&gt;"));
  EXPECT_THAT(page, Not(HasSubstr("a <b>")));
  EXPECT_THAT(page, Not(HasSubstr("http")));
}

TEST_F(Shown, AsADatabaseWithTheSameBytes) {
  TemporaryFolder folder;
  for (const char *name : {"a.sqlite", "b.sqlite"})
    ASSERT_EQ(toText(writeDatabase(folder / name, wanted, points)), "");
  EXPECT_EQ(folder.read("a.sqlite"), folder.read("b.sqlite"));
  EXPECT_THAT(folder.read("a.sqlite"), ::testing::StartsWith("SQLite format 3"));
  EXPECT_THAT(folder.read("a.sqlite"), HasSubstr("a <b>, \"c\""));
  EXPECT_THAT(toText(writeDatabase(folder / "none/x.sqlite", wanted, points)),
              HasSubstr("none/x.sqlite: error: cannot write: "));
}

} // namespace
