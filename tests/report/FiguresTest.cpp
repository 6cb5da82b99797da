#include "lib/report/Figures.h"

#include "lib/report/chip/LapseFigure.h"
#include "lib/report/chip/MeshFigure.h"
#include "tests/report/SampleRun.h"

#include "gmock/gmock.h"

using namespace spindle;

namespace {

uint64_t sumOfThirds(const Json &triples) {
  uint64_t sum = 0;
  for (size_t i = 2; i < triples.size(); i += 3)
    sum += triples[i].get<uint64_t>();
  return sum;
}

TEST(RasterFigure, DrawsEverySpikeOfASmallNetwork) {
  SpikeTrace trace;
  trace.populations = {{"a", PopulationKind::Input, {2}, 0, 2},
                       {"b", PopulationKind::Neuron, {3}, 2, 3}};
  trace.steps = 4;
  trace.recorded = {{{0, 1}, {0, 2}, {3, 4}}, {{1, 1}}};
  Json figure = rasterFigure(trace, {});
  EXPECT_EQ(figure["spikes"], 3); // the first sample only
  EXPECT_EQ(figure["populations"][0]["spikes"], Json({0, 1}));
  EXPECT_EQ(figure["populations"][1]["spikes"], Json({0, 0, 3, 2}));
  EXPECT_EQ(figure["populations"][1]["stride"], 1);
}

TEST(RasterFigure, LargeNetworksAreThinnedEvenlyAndSaySo) {
  SpikeTrace trace;
  trace.populations = {{"wide", PopulationKind::Neuron, {1001}, 0, 1001},
                       {"narrow", PopulationKind::Neuron, {10}, 1001, 10}};
  trace.steps = 100;
  trace.recorded.emplace_back();
  for (uint32_t step = 0; step < trace.steps; ++step)
    for (NeuronId neuron = 0; neuron < 1011; ++neuron)
      trace.recorded[0].push_back({step, neuron});
  FigureLimits limits;
  limits.rasterSpikes = 12000;
  Json figure = rasterFigure(trace, limits);
  size_t drawn = 0;
  for (const Json &population : figure["populations"]) {
    uint32_t rows = population["rows"], stride = population["stride"],
             neurons = population["neurons"];
    EXPECT_EQ(rows, (neurons + stride - 1) / stride);
    EXPECT_EQ(population["spikes"].size(), 2 * rows * trace.steps);
    EXPECT_EQ(population["spike_count"],
              neurons * trace.steps); // what there was, not what is drawn
    drawn += population["spikes"].size() / 2;
  }
  EXPECT_LE(drawn, limits.rasterSpikes);
  EXPECT_GE(drawn, limits.rasterSpikes / 4); // halving must not overshoot
  EXPECT_EQ(figure["populations"][1]["stride"], 1);
}

TEST(TrafficFigure, BinsKeepEveryPacket) {
  StageFiles files = makeSampleRun();
  uint64_t packets = 0;
  for (const ClusterLink &link : files.clusters->links)
    packets += link.spikes + link.partialSums;
  for (uint32_t bins : {1000u, 73u, 10u, 1u}) {
    FigureLimits limits;
    limits.trafficBins = bins;
    Json figure = trafficFigure(*files.clusters, limits);
    EXPECT_EQ(sumOfThirds(figure["cells"]), packets) << bins;
    EXPECT_LE(figure["bins"].get<uint32_t>(), bins);
    for (size_t i = 0; i < figure["cells"].size(); i += 3)
      EXPECT_LT(figure["cells"][i + 1].get<int64_t>(), figure["bins"].get<int64_t>());
  }
}

TEST(TrafficFigure, TheHostIsRowMinusOne) {
  Clustering clusters;
  clusters.clusters.resize(2);
  clusters.links = {{0, 1, 5, 2}, {kNone, 0, 9, 0}};
  EXPECT_EQ(trafficFigure(clusters, {})["cells"], Json({-1, 0, 9, 0, 1, 7}));
}

// Both pictures of the same run: the simulation carries what the mapping planned.
TEST(MeshFigure, PlannedAndSimulatedLoadsAgree) {
  StageFiles files = makeSampleRun();
  Json simulated = meshFigure(files.mapping, files.clusters, files.chip, {});
  Json planned = meshFigure(files.mapping, files.clusters, std::nullopt, {});
  EXPECT_EQ(simulated["source"], "80-chip.json");
  EXPECT_EQ(planned["source"], "70-mapping.json");
  EXPECT_EQ(sumOfThirds(planned["links"]), files.mapping->spikeHops);
  EXPECT_EQ(sumOfThirds(simulated["links"]), files.mapping->spikeHops);
}

TEST(MeshFigure, ShowsThePartInUseOfALargeMesh) {
  Mapping mapping;
  mapping.mesh = {100, 100};
  mapping.placements = {{mapping.mesh.at(3, 2), 0}, {mapping.mesh.at(5, 4), 0}};
  Clustering clusters;
  clusters.clusters.resize(2);
  clusters.links = {{0, 1, 5, 0}};
  mapping.routes = {{0, 1, mapping.mesh.route(mapping.mesh.at(3, 2), mapping.mesh.at(5, 4))}};
  Json figure = meshFigure(mapping, clusters, std::nullopt, {});
  EXPECT_EQ(figure["first_column"], 3);
  EXPECT_EQ(figure["first_row"], 2);
  EXPECT_EQ(figure["columns"], 3);
  EXPECT_EQ(figure["rows"], 3);
  EXPECT_EQ(sumOfThirds(figure["links"]), 20u); // 5 packets, 4 hops
  EXPECT_EQ(figure["layers"][1]["name"], "clusters");
  EXPECT_EQ(figure["layers"][1]["values"], Json({1, 0, 0, 0, 0, 0, 0, 0, 1}));
  EXPECT_EQ(figure["layers"][0]["values"], Json({5, 0, 0, 0, 0, 0, 0, 0, 0}));
  // From (3, 2) east twice, then south twice, numbered within the part.
  EXPECT_EQ(figure["links"], Json({0, 1, 5, 1, 2, 5, 2, 5, 5, 5, 8, 5}));
  mapping.placements.clear();
  mapping.routes.clear();
  clusters.links.clear();
  EXPECT_EQ(meshFigure(mapping, clusters, std::nullopt, {})["columns"], 1); // nothing in use
}

/// Routers without a tile stand in the middle of the tiles below them, numbered behind the tiles as
/// links name them.
TEST(MeshFigure, ATreeHasRoutersBetweenTiles) {
  Mapping mapping;
  mapping.mesh = {3, 2, Topology::Tree};
  mapping.placements = {{0, 0}, {5, 0}};
  Clustering clusters;
  clusters.clusters.resize(2);
  clusters.links = {{0, 1, 5, 0}};
  mapping.routes = {{0, 1, mapping.mesh.route(0, 5)}};
  Json figure = meshFigure(mapping, clusters, std::nullopt, {});
  EXPECT_EQ(figure["links"], Json({0, 6, 5, 6, 7, 5, 8, 5, 5, 7, 8, 5}));
  EXPECT_EQ(figure["routers"], Json::parse("[[1.0, 1.0], [1.5, 1.0], [2.5, 1.0]]"));
}

TEST(MeshFigure, ASmallMeshIsShownWhole) {
  StageFiles files = makeSampleRun();
  Json figure = meshFigure(files.mapping, files.clusters, files.chip, {});
  EXPECT_EQ(figure["columns"], 12);
  EXPECT_EQ(figure["rows"], 10);
  EXPECT_EQ(figure["layers"][0]["values"], Json(files.chip->tileSpikes));
  EXPECT_EQ(figure["layers"][2]["name"], "pJ of energy");
  double pj = 0;
  for (double tile : figure["layers"][2]["values"])
    pj += tile;
  EXPECT_NEAR(pj, files.chip->energyTotalPj, double(files.chip->mesh.tiles())); // rounded
  EXPECT_EQ(figure["layers"][4]["name"], "mK above the coolest tile");
  EXPECT_EQ(figure["layers"][4]["values"][0], 6500);
  EXPECT_EQ(figure["layers"][4]["values"][1], 0);
}

TEST(MeshFigure, LinksOfAVeryLargeMeshAreLeftOut) {
  FigureLimits limits;
  limits.meshTiles = 20;
  StageFiles files = makeSampleRun();
  Json figure = meshFigure(files.mapping, files.clusters, files.chip, limits);
  EXPECT_EQ(figure["has_links"], false);
  EXPECT_TRUE(figure["links"].empty());
}

TEST(LapseFigure, FramesAreWhatTheFileHasPerCycle) {
  StageFiles files = makeSampleRun();
  Json figure = lapseFigure(*files.lapse, {});
  EXPECT_EQ(figure["columns"], 12);
  EXPECT_EQ(figure["links"], Json({0, 1, 1, 13}));
  EXPECT_EQ(figure["layers"], Json({"packets in the router", "packets waiting at their source",
                                    "mW of power", "°C if the power lasted"}));
  ASSERT_EQ(figure["frames"].size(), 2u);
  const Json &second = figure["frames"][1];
  EXPECT_EQ(second["begin"], 100);
  EXPECT_EQ(second["end"], 150);
  EXPECT_EQ(second["flits"], Json({1, 1}));
  EXPECT_EQ(second["layers"][0][1], 2.0); // 100 cycles in 50
  EXPECT_EQ(second["layers"][1][0], 0.5);
  EXPECT_EQ(second["layers"][2][7], 0.003); // 1.5 pJ in 50 cycles of 10 ns
  EXPECT_EQ(second["layers"][3][1], 46.0);
  EXPECT_EQ(figure["spikes"], 40);
  const Json &packet = figure["ways"][1]["packets"][0];
  EXPECT_EQ(packet["hops"], Json({0, 14, 15, 1, 19, 20}));
  EXPECT_EQ(packet["ends"], Json({1, 18, 19, 13, 23, 24}));
}

/// In millikelvin, wherever zero is; what is too small for a number of its own is none; in no time
/// there is no power.
TEST(LapseFigure, TakesOddNumbers) {
  TimeLapse lapse = *makeSampleRun().lapse;
  lapse.frames[0].celsius.assign(lapse.mesh.tiles(), -200.12345);
  lapse.frames[0].pj[0] = 1e-310;
  lapse.frames[1].endCycle = lapse.frames[1].beginCycle;
  Json figure = lapseFigure(lapse, {});
  EXPECT_EQ(figure["frames"][0]["layers"][3][0], -200.123);
  EXPECT_EQ(figure["frames"][0]["layers"][2][0].get<double>(), 1e-313);
  EXPECT_EQ(figure["frames"][1]["layers"][2][1], 0);
}

TEST(LapseFigure, OfAVeryLargeMeshOnlyTheWaysAreDrawn) {
  FigureLimits limits;
  limits.meshTiles = 100;
  TimeLapse lapse = *makeSampleRun().lapse;
  lapse.links.insert(lapse.links.begin() + 1, {0, 12}); // not on a way
  for (LapseFrame &frame : lapse.frames)
    frame.linkFlits.insert(frame.linkFlits.begin() + 1, 3);
  for (SpikeWay &spike : lapse.ways)
    for (WayHop &hop : spike.packets[0].hops)
      hop.link *= 2;
  Json figure = lapseFigure(lapse, limits);
  EXPECT_TRUE(figure["frames"].empty());
  EXPECT_EQ(figure["links"], Json({0, 1, 1, 13}));
  EXPECT_EQ(figure["ways"][1]["packets"][0]["hops"], Json({0, 14, 15, 1, 19, 20}));
}

TEST(LapseFigure, ShowsThePartInUseOfALargeMesh) {
  StageFiles files = makeSampleRun();
  FigureLimits limits;
  limits.wholeMeshTiles = 100;
  Json figure = lapseFigure(*files.lapse, limits);
  EXPECT_EQ(figure["columns"], 2);
  EXPECT_EQ(figure["rows"], 2);
  EXPECT_EQ(figure["links"], Json({0, 1, 1, 3}));
  EXPECT_EQ(figure["frames"][1]["layers"][3], Json({45.0, 46.0, 45.0, 45.0}));
  EXPECT_EQ(figure["ways"][1]["packets"][0]["ends"], Json({1, 18, 19, 3, 23, 24}));
}

TEST(IntervalFigure, ShortIntervalsHaveABarEach) {
  SpikeStatistics statistics = *makeSampleRun().statistics; // 64 steps
  Json figure = intervalFigure(statistics);
  EXPECT_EQ(figure["logarithmic"], false);
  const Json &conv1 = figure["populations"][0];
  EXPECT_EQ(conv1["name"], "/conv1/Conv");
  EXPECT_EQ(conv1["from"].size(), conv1["counts"].size() + 1);
  for (size_t i = 0; i < conv1["from"].size(); ++i)
    EXPECT_EQ(conv1["from"][i], i + 1); // no bar for zero steps
  const std::vector<uint64_t> &bins = statistics.populations[0].intervals.histogram;
  EXPECT_EQ(conv1["counts"], Json(std::vector<uint64_t>(bins.begin() + 1, bins.end())));
}

TEST(IntervalFigure, LongOnesShareFourBarsForEveryDoubling) {
  SpikeStatistics statistics = *makeSampleRun().statistics;
  std::vector<uint64_t> &bins = statistics.populations[0].intervals.histogram;
  bins.assign(intervalBin(5000) + 1, 0);
  uint64_t total = 0;
  for (size_t bin = 0; bin < bins.size(); ++bin)
    total += bins[bin] = bin % 5;
  Json figure = intervalFigure(statistics);
  EXPECT_EQ(figure["logarithmic"], true);
  std::vector<uint64_t> from = figure["populations"][0]["from"];
  EXPECT_THAT(std::vector<uint64_t>(from.begin(), from.begin() + 12),
              ::testing::ElementsAre(1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16));
  EXPECT_EQ(from[from.size() - 2], 4096u);
  EXPECT_EQ(from.back(), 5120u);
  uint64_t drawn = 0;
  for (uint64_t count : figure["populations"][0]["counts"])
    drawn += count;
  EXPECT_EQ(drawn, total); // none of zero steps
  EXPECT_TRUE(figure["populations"][3]["from"].size() > 1);
}

TEST(Figures, AppearWithTheirStages) {
  StageFiles whole = makeSampleRun(), files;
  EXPECT_TRUE(buildFigures(files).empty());
  files.clusters = whole.clusters;
  EXPECT_FALSE(buildFigures(files).contains("mesh"));
  EXPECT_TRUE(buildFigures(files).contains("traffic"));
  files.spikes = SpikeTrace(); // nothing recorded
  EXPECT_FALSE(buildFigures(files).contains("raster"));
}

} // namespace
