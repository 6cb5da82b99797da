#include "lib/report/page/Page.h"

#include "core/support/CounterRandom.h"
#include "core/support/files/File.h"
#include "lib/report/Figures.h"
#include "lib/report/Report.h"
#include "lib/report/Sections.h"
#include "sim/model/lapse/LapseRecorder.h"
#include "tests/report/SampleRun.h"

#include "gmock/gmock.h"

#include <filesystem>
#include <regex>

using namespace spindle;
using ::testing::HasSubstr;
using ::testing::Not;

namespace {

/// The text between the data element's tags, as a browser finds it.
std::string dataOf(const std::string &page) {
  std::string open = "<script type=\"application/json\" id=\"data\">";
  size_t start = page.find(open) + open.size();
  return page.substr(start, page.find("</script>", start) - start);
}

TEST(Page, StringsCannotLeaveTheDataElement) {
  Json value = {{"name", "</script><script>alert(1)</script> <!-- {{script}} \u2028 \\ \""}};
  std::string text = inlineJson(value);
  EXPECT_THAT(text, Not(HasSubstr("<")));
  EXPECT_EQ(Json::parse(text), value);
  std::string page = renderPage(value, Json::object());
  EXPECT_EQ(Json::parse(dataOf(page))["report"], value);
}

TEST(Page, EveryPlaceholderIsFilled) {
  std::string page = renderPage(Json::object(), Json::object());
  for (const char *placeholder : {"{{style}}", "{{data}}", "{{script}}"})
    EXPECT_THAT(page, Not(HasSubstr(placeholder)));
  EXPECT_THAT(page, HasSubstr("</html>"));
}

TEST(Page, LoadsNothingFromAnywhere) {
  std::string page = renderPage(Json::object(), Json::object());
  page = std::regex_replace(page, std::regex("http://www\\.w3\\.org/2000/svg"), ""); // a name only
  EXPECT_FALSE(
      std::regex_search(page, std::regex("https?:|\\ssrc=|href=|@import|url\\(|fetch\\(")));
}

/// As many frames and ways as a simulation records of such a chip, no figure of them zero.
TimeLapse fullLapse(const ChipStats &chip, CounterRandom &random) {
  TimeLapse lapse;
  lapse.mesh = chip.mesh;
  lapse.clockMhz = 100;
  lapse.slots = LapseRecorder::kMostTileFigures / chip.mesh.tiles();
  lapse.steps = static_cast<uint32_t>(lapse.slots);
  for (const LinkLoad &link : chip.links)
    lapse.links.push_back({link.from, link.to});
  for (uint64_t f = 0; f < lapse.slots; ++f) {
    LapseFrame &frame = lapse.frames.emplace_back();
    frame.endCycle = 12345;
    for (size_t l = 0; l < lapse.links.size(); ++l)
      frame.linkFlits.push_back(random.below(10000));
    for (TileId tile = 0; tile < chip.mesh.tiles(); ++tile) {
      frame.sourceCycles.push_back(random.below(100000));
      frame.routerCycles.push_back(random.below(100000));
      frame.pj.push_back(random.below(100000));
      frame.celsius.push_back(45 + random.below(100000) * 1e-4);
    }
  }
  for (uint64_t hops = 0; hops < LapseRecorder::kMostWayHops; hops += 20) {
    PacketWay way{random.below(chip.mesh.tiles()), 1000000, 1000010, {}, {{7, 1000500, 1000510}}};
    for (uint64_t hop = 0; hop < 20; ++hop)
      way.hops.push_back(
          {random.below(uint32_t(lapse.links.size())), 1000100 + hop, 1000100 + hop});
    lapse.ways.push_back({"features.0.conv", 12345, 12, {way}});
  }
  return lapse;
}

// Ten million synapses' worth of figures: the limits keep the page small.
TEST(Page, StaysSmallForALargeNetwork) {
  StageFiles files;
  SpikeTrace trace;
  uint32_t first = 0;
  for (uint32_t i = 0; i < 12; ++i, first += 30000)
    trace.populations.push_back(
        {"layer" + std::to_string(i), PopulationKind::Neuron, {30000}, first, 30000});
  trace.steps = 64;
  trace.recorded.emplace_back();
  CounterRandom random(3);
  for (uint32_t step = 0; step < trace.steps; ++step)
    for (NeuronId neuron = random.below(20); neuron < first; neuron += 1 + random.below(20))
      trace.recorded[0].push_back({step, neuron});
  files.spikes = trace;
  Clustering clusters;
  clusters.clusters.resize(3000);
  for (ClusterId from = 0; from < 3000; ++from)
    for (ClusterId to = random.below(40); to < 3000; to += 1 + random.below(40))
      clusters.links.push_back({from, to, 1 + random.below(100000), 0});
  files.clusters = clusters;
  ChipStats chip;
  chip.mesh = {64, 64};
  for (TileId tile = 0; tile < chip.mesh.tiles(); ++tile) {
    chip.tileSpikes.push_back(random.below(1000000));
    chip.tileSynapticEvents.push_back(random.below(100000000));
    for (TileId other = 0; other < chip.mesh.tiles(); ++other)
      if (chip.mesh.hops(tile, other) == 1)
        chip.links.push_back({tile, other, random.below(10000000)});
  }
  files.chip = chip;
  files.lapse = fullLapse(chip, random);
  std::string page = renderPage(Json::object(), buildFigures(files));
  EXPECT_LT(page.size(), 2u << 20);
  EXPECT_GT(page.size(), 200u << 10); // it does hold the figures
}

/// The body without its scripts, after a headless browser ran them.
std::string rendered(const std::string &folder) {
  std::string out = folder + "/dom.html", profile = folder + "/profile";
  std::string command =
      "timeout 60 chromium --headless --no-sandbox --disable-gpu --disable-quic --no-first-run "
      "--disable-background-networking --disable-component-update --disable-sync "
      "--virtual-time-budget=2000 --user-data-dir=" +
      profile + " --dump-dom file://" + folder + "/report.html >" + out + " 2>/dev/null";
  EXPECT_EQ(std::system(command.c_str()), 0);
  std::string dom = llvm::cantFail(readFile(out));
  return dom.substr(0, dom.find("<script"));
}

size_t countOf(const std::string &text, const std::string &part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++count;
  return count;
}

/// Spikes of one layer are played, then those of another are chosen: what is drawn is what is said.
TEST(Page, WhatIsPlayedStopsWhenAnotherIsChosen) {
  if (std::system("command -v chromium >/dev/null") != 0)
    GTEST_SKIP() << "chromium is not installed";
  std::string folder = std::filesystem::absolute(::testing::TempDir() + "page-played").string();
  std::filesystem::remove_all(folder);
  llvm::cantFail(writeStageFiles(folder, makeSampleRun()));
  ASSERT_FALSE(writeReport(folder));
  std::string page = llvm::cantFail(readFile(folder + "/report.html"));
  const std::string script = R"(<script>
    const card = document.getElementById("ways"), choices = card.querySelectorAll(".choice button");
    choices[1].click();
    card.querySelector(".slider button").click();
    choices[2].click();
    setTimeout(() => {
      const told = card.querySelector("output").textContent;
      card.dataset.drawn = card.querySelector("canvas").getAttribute("aria-label") === told;
      card.dataset.told = told.split(":")[0];
    }, 1000);
  </script>)";
  page.insert(page.rfind("</body>"), script);
  llvm::cantFail(writeFile(folder + "/report.html", page));
  std::string dom = rendered(folder);
  EXPECT_THAT(dom, HasSubstr("data-drawn=\"true\""));
  EXPECT_THAT(dom, HasSubstr("data-told=\"dense2, neuron 1, step 3\""));
  std::filesystem::remove_all(folder);
}

TEST(Page, ABrowserDrawsWhatThereIs) {
  if (std::system("command -v chromium >/dev/null") != 0)
    GTEST_SKIP() << "chromium is not installed";
  std::string folder = std::filesystem::absolute(::testing::TempDir() + "page-run").string();
  std::filesystem::remove_all(folder);
  StageFiles files = makeSampleRun();
  llvm::cantFail(writeStageFiles(folder, files));
  ASSERT_FALSE(writeReport(folder));
  std::string dom = rendered(folder);
  EXPECT_EQ(countOf(dom, "<canvas"), 5u); // raster, mesh, its frames, a spike, traffic
  EXPECT_EQ(countOf(dom, "class=\"tile\""), 12u);
  EXPECT_EQ(countOf(dom, "class=\"half card\" hidden") + countOf(dom, "hidden=\"\">\n    <h2>"),
            0u);
  EXPECT_THAT(dom, HasSubstr("chip.energy_pj.by_part.synapse")); // the last part of the script ran
  EXPECT_EQ(countOf(dom, "aria-label=\"Intervals of "), 4u);
  EXPECT_THAT(dom, HasSubstr("conv2 costs most"));
  EXPECT_THAT(dom, HasSubstr("aria-label=\"conv2 busy: 80.0 %\""));
  EXPECT_THAT(dom,
              HasSubstr("of 9 quantities the spiking circuit is better in 4, the int8 ANN in 2, "
                        "3 are equal"));
  EXPECT_THAT(dom, HasSubstr("Published accelerators"));
  EXPECT_THAT(dom, HasSubstr("steps 1 to 2: cycles 0 to 100, 3 flits over links; most packets in "
                             "the router: 0.5 at tile (1, 0)"));
  EXPECT_THAT(dom, HasSubstr("dense2, neuron 1, step 3: from tile (0, 0), made in cycle 4, sent in "
                             "9, to tile (1, 0) after 15, tile (1, 1) after 20 cycles"));
  EXPECT_THAT(dom, HasSubstr("3 of the 40 spikes"));
  EXPECT_EQ(countOf(dom, "<canvas"), countOf(dom, "<canvas role=\"img\" aria-label=\""));
  EXPECT_EQ(countOf(dom, "aria-label=\"\""), 0u);
  EXPECT_THAT(dom, HasSubstr("aria-label=\"Accuracy by time of a step; "));
  EXPECT_EQ(countOf(dom, "no analog twin"), 1u);
  EXPECT_THAT(dom, Not(HasSubstr("undefined")));
  EXPECT_THAT(dom, Not(HasSubstr("NaN")));

  std::filesystem::remove_all(folder);
  StageFiles early;
  early.ann = files.ann;
  llvm::cantFail(writeStageFiles(folder, early));
  ASSERT_FALSE(writeReport(folder));
  dom = rendered(folder);
  EXPECT_EQ(countOf(dom, "<canvas"), 0u);
  EXPECT_EQ(countOf(dom, "class=\"tile\""), 1u);
  EXPECT_EQ(countOf(dom, "hidden=\"\">\n    <h2>"),
            12u); // all but the confusion table and the numbers
  EXPECT_THAT(dom, HasSubstr("ann.parameters"));
  std::filesystem::remove_all(folder);
}

} // namespace
