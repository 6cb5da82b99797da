// The page of a kernel, its charts parsed as XML and held against the schedule.
#include "lib/report/KernelPage.h"

#include "lib/report/ScheduleCharts.h"

#include "pugixml.hpp"
#include "gmock/gmock.h"

#include <regex>

using namespace spindle;
using namespace spindle::hls;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

namespace {

KernelSchedule sample() {
  KernelSchedule schedule;
  schedule.kernel = "kernel_<axpy>";
  schedule.target = "board";
  schedule.predictedCycles = 45;
  schedule.tasks = {{"nest0", true, std::nullopt, {}, 0, 25, 1, "axpy.mlir:2:3"},
                    {"loop0", false, std::nullopt, {"nest0"}, 25, 20, 1, "axpy.mlir:9:3"},
                    {"nest1", true, 1, {}, 25, 4, 4, "axpy.mlir:10:5"}};
  ScheduledPipeline axpy;
  axpy.interval = 2;
  axpy.depth = 11;
  axpy.iterations = 8;
  axpy.bounds.resource = 2;
  axpy.bounds.scarcest = "y bank 0";
  axpy.operations = {{"addf_3", "axpy.mlir:6:10", 5, 4, "addf_f64_0", 1, ""},
                     {"select_1", "axpy.mlir:4:10", 1, 0, "", 1, ""},
                     {"load_2", "axpy.mlir:5:10", 4, 1, "y bank 0 port 0", 1, "y"},
                     {"store_4", "axpy.mlir:7:5", 9, 1, "y bank 0 port 0", 1, "y"}};
  ScheduledPipeline once;
  once.task = 2;
  once.depth = 4;
  once.repeats = false;
  once.iterations = 4;
  schedule.pipelines = {axpy, once};
  return schedule;
}

using Bar = std::pair<unsigned, unsigned>; // start, cycles

struct ParsedChart {
  std::vector<Bar> bars;
  double scale = 0; // of the widest bar: width per cycle
};

/// The bars of a chart; their places agree with their numbers.
ParsedChart parse(const std::string &svg) {
  pugi::xml_document document;
  pugi::xml_parse_result result = document.load_string(svg.c_str());
  EXPECT_TRUE(result) << result.description();
  ParsedChart chart;
  pugi::xml_node root = document.child("svg");
  double origin = -1;
  for (pugi::xml_node bar : root.children("rect")) {
    unsigned start = bar.attribute("data-start").as_uint();
    unsigned cycles = bar.attribute("data-cycles").as_uint();
    chart.bars.push_back({start, cycles});
    if (cycles > 1)
      chart.scale = (bar.attribute("width").as_double() + 0.5) / cycles;
    EXPECT_FALSE(std::string(bar.child("title").text().get()).empty());
  }
  for (pugi::xml_node bar : root.children("rect")) {
    double zero =
        bar.attribute("x").as_double() - chart.scale * bar.attribute("data-start").as_uint();
    if (origin >= 0) {
      EXPECT_NEAR(zero, origin, 0.2);
    }
    origin = zero;
  }
  return chart;
}

TEST(KernelPage, TasksAreBarsOverTheKernel) {
  EXPECT_THAT(parse(taskChart(sample())).bars, ElementsAre(Bar{0, 25}, Bar{25, 20}, Bar{25, 4}));
}

TEST(KernelPage, OperationsAreBarsInOrderOfTheirStarts) {
  std::string svg = operationChart(sample().pipelines[0], {});
  EXPECT_THAT(parse(svg).bars, ElementsAre(Bar{1, 0}, Bar{4, 1}, Bar{5, 4}, Bar{9, 1}));
  EXPECT_THAT(svg, HasSubstr("addf_3 on addf_f64_0: cycle 5, latency 4, axpy.mlir:6:10"));
}

TEST(KernelPage, IterationsOverlapByTheInterval) {
  ParsedChart chart = parse(overlapChart(sample().pipelines[0], {}));
  ASSERT_EQ(chart.bars.size(), 8u);
  for (unsigned i = 0; i < 8; ++i)
    EXPECT_EQ(chart.bars[i], Bar(2 * i, 11));
  EXPECT_EQ(parse(overlapChart(sample().pipelines[0], {.iterations = 3})).bars.size(), 3u);
}

TEST(KernelPage, ReservationsByCycleModuloTheInterval) {
  pugi::xml_document document;
  ASSERT_TRUE(document.load_string(reservationTable(sample().pipelines[0], {}).c_str()));
  std::vector<std::vector<std::string>> rows;
  for (pugi::xml_node row : document.child("table").child("tbody").children()) {
    rows.emplace_back();
    for (pugi::xml_node cell : row.children())
      rows.back().push_back(cell.text().get());
  }
  EXPECT_THAT(rows, ElementsAre(ElementsAre("addf_f64_0", "", "addf_3", "50 %"),
                                ElementsAre("y bank 0 port 0", "load_2", "store_4", "100 %")));
}

TEST(KernelPage, ShowsProofsWhereThereAreAny) {
  KernelSchedule schedule = sample();
  EXPECT_THAT(renderKernelPage({}, schedule), Not(HasSubstr("<th>proof</th>")));
  schedule.pipelines[0].proof = OptimalityProof{2, false};
  EXPECT_THAT(renderKernelPage({}, schedule),
              HasSubstr("<td class=\"proof\">interval: optimal; depth: time limit</td>"));
}

TEST(KernelPage, SaysWhatIsLeftOut) {
  KernelPageLimits limits{.operations = 1, .columns = 1};
  EXPECT_THAT(operationChart(sample().pipelines[0], limits),
              HasSubstr("The first 1 of 4 operations"));
  std::string table = reservationTable(sample().pipelines[0], limits);
  EXPECT_THAT(table, HasSubstr("The first 1 of 2 cycles"));
  EXPECT_THAT(table, HasSubstr("The first 1 of 2 units and ports"));
}

TEST(KernelPage, HoldsTheNumbersOfTheSchedule) {
  KernelInterface kernel;
  kernel.units = {{"addf_f64", 1}};
  std::string page = renderKernelPage(kernel, sample());
  EXPECT_THAT(page, HasSubstr("kernel_&lt;axpy&gt;"));
  EXPECT_THAT(page, Not(HasSubstr("<axpy>")));
  EXPECT_THAT(page, HasSubstr("<b>45<small>cycles</small></b><span>0.45 µs at 10 ns"));
  EXPECT_THAT(page, HasSubstr("1 addf_f64"));
  EXPECT_THAT(page,
              HasSubstr("<td>nest0</td><td class=\"right\">2</td><td class=\"right\">1</td><td "
                        "class=\"right\">2</td><td class=\"right\">11</td><td "
                        "class=\"right\">8</td><td class=\"right\">1</td><td "
                        "class=\"right\">25</td><td class=\"wide\">resource y bank 0</td>"));
  std::string rest = std::regex_replace(page, std::regex("http://www\\.w3\\.org/2000/svg"), "");
  EXPECT_FALSE(std::regex_search(rest, std::regex("https?:|\\ssrc=|href=|@import|url\\(")));
}

TEST(KernelPage, WithoutPredictedCycles) {
  KernelSchedule schedule = sample();
  schedule.predictedCycles.reset();
  schedule.pipelines[0].iterations.reset();
  std::string page = renderKernelPage({}, schedule);
  EXPECT_THAT(page, HasSubstr("depends on arguments"));
  EXPECT_THAT(page, Not(HasSubstr("chart tasks")));
}

/// Two tasks and two inputs, the second task later than predicted.
TaskGraph sampleSystem() {
  TaskGraph system;
  system.inputs = 2;
  system.circuits = {"blur_<3>", "sobel"};
  system.tasks = {{"task0", 0, {}, ""}, {"task1", 1, {}, ""}};
  system.predicted = {{0, 0, 1, 11}, {1, 0, 4, 16}, {0, 1, 12, 22}, {1, 1, 17, 29}};
  return system;
}

TEST(SystemPage, TasksAreBarsAsPredictedAndAsMeasured) {
  TaskGraph system = sampleSystem();
  std::vector<TaskSpan> measured = {{0, 0, 1, 11}, {1, 0, 5, 17}, {0, 1, 12, 22}, {1, 1, 18, 30}};
  EXPECT_THAT(parse(systemChart(system, {}, {})).bars,
              ElementsAre(Bar{1, 10}, Bar{12, 10}, Bar{4, 12}, Bar{17, 12}));
  EXPECT_THAT(parse(systemChart(system, measured, {})).bars,
              ElementsAre(Bar{1, 10}, Bar{12, 10}, Bar{1, 10}, Bar{12, 10}, Bar{4, 12}, Bar{17, 12},
                          Bar{5, 12}, Bar{18, 12}));
  std::string first = systemChart(system, measured, {.iterations = 1});
  EXPECT_EQ(parse(first.substr(0, first.find("<p"))).bars.size(), 4u);
  EXPECT_THAT(first, HasSubstr("The first 1 of 2 inputs"));
  std::string page = renderSystemPage({}, system, measured);
  EXPECT_THAT(page, HasSubstr("<td>task1</td><td>sobel</td><td class=\"right\">1</td><td>measured"
                              "</td><td class=\"right\">2</td><td class=\"right\">24</td><td "
                              "class=\"right\">5</td><td class=\"right\">30</td>"));
  EXPECT_THAT(page, HasSubstr("blur_&lt;3&gt;"));
  EXPECT_THAT(page, HasSubstr("system.json and cosim.json"));
}

TEST(SystemPage, WithoutPredictedCycles) {
  TaskGraph system = sampleSystem();
  system.predicted.clear();
  EXPECT_THAT(renderSystemPage({}, system, {}), HasSubstr("cosim measures them"));
  EXPECT_THAT(parse(systemChart(system, {{0, 0, 1, 3}}, {})).bars, ElementsAre(Bar{1, 2}));
}

} // namespace
