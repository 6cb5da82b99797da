// The section `router` of a chip file, and faults of links.
#include "core/chip/routing/GatedParts.h"
#include "core/support/files/File.h"
#include "tests/core/chip/ChipFile.h"

using namespace spindle;
using ::testing::HasSubstr;

namespace {

TEST_F(ChipFile, RoutersHaveStagesChannelsAndRoutings) {
  Chip chip = llvm::cantFail(read("pipeline_cycles: 5", "routing_cycles: 0\n"
                                                        "  switch_cycles: 2\n"
                                                        "  virtual_channels: 4\n"
                                                        "  routing: min_adaptive\n"
                                                        "  adaptive_options: all\n"
                                                        "  topology: torus\n"
                                                        "  allocator: islip"));
  EXPECT_EQ(chip.router.stages, (StageCycles{.routing = 0, .switchTraversal = 2}));
  EXPECT_EQ(chip.router.virtualChannels, 4u);
  EXPECT_EQ(chip.router.routing, Routing::MinAdaptive);
  EXPECT_EQ(chip.router.adaptiveOptions, AdaptiveOptions::All);
  EXPECT_EQ(chip.router.allocator, SwitchAllocation::Islip);
  EXPECT_EQ(chip.mesh, (Mesh{4, 2, Topology::Torus}));
  chip = llvm::cantFail(read("pipeline_cycles: 5", "speculative: true\n"
                                                   "  multicast: path\n"
                                                   "  multicast_entries: 7\n"
                                                   "  routing: yx"));
  EXPECT_EQ(chip.router.stages, (StageCycles{.speculative = true}));
  EXPECT_EQ(chip.router.multicast, Multicast::Path);
  EXPECT_EQ(chip.router.multicastEntries, 7u);
  EXPECT_EQ(llvm::cantFail(read()).router.stages, std::nullopt);
}

TEST_F(ChipFile, StagesAreOneFigureOrAll) {
  EXPECT_EQ(errorOf("pipeline_cycles: 5", "pipeline_cycles: 5\n  link_cycles: 2"),
            "chip.yaml:8:20: error: pipeline_cycles and link_cycles are both given; the stages one "
            "by one, or all of them in one figure");
  EXPECT_EQ(errorOf("pipeline_cycles: 5", "speculative: true\n  switch_allocation_cycles: 2"),
            "chip.yaml:8:16: error: speculative routers allocate channel and switch in one cycle, "
            "but vc_allocation_cycles or switch_allocation_cycles is more; leave it out");
  EXPECT_THAT(errorOf("pipeline_cycles: 5", "switch_cycles: 0"),
              HasSubstr("switch_cycles is 0, expected 1 to 64"));
  EXPECT_THAT(errorOf("pipeline_cycles: 5", "credit_cycles: 65"),
              HasSubstr("credit_cycles is 65, expected 0 to 64"));
}

TEST_F(ChipFile, RoutingsThatNeedMoreChannelsAreRefused) {
  EXPECT_EQ(errorOf("pipeline_cycles: 5", "routing: min_adaptive"),
            "chip.yaml:8:12: error: routing min_adaptive on a mesh needs at least 2 virtual "
            "channels, the router has 1; set virtual_channels: 2");
  EXPECT_EQ(errorOf("pipeline_cycles: 5", "routing: planar_adaptive\n  virtual_channels: 2"),
            "chip.yaml:9:21: error: routing planar_adaptive on a mesh needs at least 3 virtual "
            "channels, the router has 2; set virtual_channels: 3");
  EXPECT_EQ(errorOf("pipeline_cycles: 5", "topology: torus\n  virtual_channels: 1"),
            "chip.yaml:9:21: error: routing xy on a torus needs at least 2 virtual channels, the "
            "router has 1; set virtual_channels: 2");
  EXPECT_THAT(errorOf("pipeline_cycles: 5", "virtual_channels: 13"),
              HasSubstr("virtual_channels is 13, expected 1 to 12"));
  EXPECT_THAT(errorOf("pipeline_cycles: 5", "routing: random"), HasSubstr("routing is 'random'"));
}

TEST_F(ChipFile, MulticastNeedsDimensionOrderAndRoomForAPacket) {
  EXPECT_EQ(
      errorOf("pipeline_cycles: 5", "multicast: tree\n  routing: odd_even"),
      "chip.yaml:8:14: error: multicast tree goes along dimension order in a mesh, but "
      "routing is odd_even on a mesh; use routing xy and topology mesh, or multicast unicast");
  EXPECT_THAT(
      errorOf("pipeline_cycles: 5", "multicast: path\n  topology: torus\n  virtual_channels: 2"),
      HasSubstr("but routing is xy on a torus; use"));
  EXPECT_EQ(
      errorOf("pipeline_cycles: 5", "multicast: tree\n  buffer_flits: 2\n  spike_packet_flits: 3"),
      "chip.yaml:8:14: error: multicast tree needs buffers that hold a packet of a spike, of 3 "
      "flits, but buffer_flits is 2; set buffer_flits: 3");
}

TEST_F(ChipFile, RoutersSleepWhereTheirStatesArePriced) {
  std::string gating = "gating: {idle_cycles: 7, wake_cycles: 12}";
  auto gated = [&](const std::string &prices) {
    std::string text = kSmallChip;
    text.replace(text.find("pipeline_cycles: 5"), 18, gating);
    return folder.write("chip.yaml", text + prices);
  };
  auto errorWith = [&](const std::string &prices) {
    llvm::Expected<Chip> chip = readChip(gated(prices));
    std::string text = chip ? "accepted" : toText(chip.takeError());
    return text.substr(text.find("error: ") == std::string::npos ? 0 : text.find("error: "));
  };
  const std::string on = "  leakage_router_mw: {value: 2, source: \"f\"}\n";
  Chip chip =
      llvm::cantFail(readChip(gated(on + "  leakage_gated_router_mw: {value: 0.5, source: \"g\"}\n"
                                         "  router_wake_pj: {value: 9, source: \"h\"}\n")));
  EXPECT_EQ(chip.router.gating, (Gating{7, 12}));
  EXPECT_EQ(chip.energy.leakageGatedRouterMw.value, 0.5);
  EXPECT_EQ(chip.energy.routerWakePj.value, 9);
  EXPECT_EQ(llvm::cantFail(read()).router.gating, std::nullopt);

  EXPECT_EQ(errorWith(""),
            "error: router.gating switches off what energy.leakage_router_mw prices, "
            "and that is absent; add it, or leave gating out");
  EXPECT_EQ(errorWith(on + "  leakage_gated_router_mw: {value: 3, source: \"g\"}\n"),
            "error: leakage_gated_router_mw is 3, more than the 2 of a router that is on "
            "(leakage_router_mw)");
  EXPECT_THAT(errorOf("synapse_pj: {value: 0.5", "router_wake_pj: {value: 1"),
              HasSubstr("price routers that are switched off; add router.gating, or leave them "
                        "out"));
  EXPECT_THAT(errorOf("pipeline_cycles: 5", "gating: {wake_cycles: 1001}"),
              HasSubstr("wake_cycles is 1001"));
  EXPECT_THAT(errorOf("pipeline_cycles: 5", "gating: {idle_cycles: -1}"),
              HasSubstr("idle_cycles is -1"));
  for (uint32_t part : {1u, 2u, 3u}) {
    gating = std::string("gating: {granularity: ") + kGranularityNames[part] + "}";
    const std::string port = "  leakage_port_mw: {value: 0.4, source: \"i\"}\n";
    chip = llvm::cantFail(readChip(gated(on + port)));
    EXPECT_EQ(chip.router.gating, (Gating{4, 8, static_cast<Granularity>(part)}));
    EXPECT_EQ(gatedShare(chip), 1);
    EXPECT_EQ(errorWith(on),
              std::string("error: router.gating of granularity ") + kGranularityNames[part] +
                  " switches off what energy.leakage_port_mw prices, and that is absent; add it, "
                  "or use granularity router");
    EXPECT_EQ(errorWith(on + "  leakage_port_mw: {value: 0.41, source: \"i\"}\n"),
              "error: leakage_port_mw is 0.41, and the 5 ports of a router together leak more than "
              "the 2 of it (leakage_router_mw)");
  }
  gating = "gating: {granularity: router}";
  EXPECT_EQ(gatedShare(llvm::cantFail(readChip(gated(on)))), 0);
  EXPECT_EQ(errorWith(on + "  leakage_port_mw: {value: 0.4, source: \"i\"}\n"),
            "error: leakage_port_mw prices what is switched off by itself; give router.gating the "
            "granularity port, channel or flit, or leave it out");
  gating = "gating: {granularity: tile}";
  EXPECT_THAT(errorWith(on), HasSubstr("expected router, port, channel or flit"));
  gating = "gating: {idle: 1}";
  EXPECT_THAT(errorWith(on), HasSubstr("unknown key 'idle'"));
}

TEST_F(ChipFile, FaultsAreLinksOfTheMesh) {
  auto with = [&](const std::string &links) {
    return "faults: {links: [" + links + "]}\nlatency:";
  };
  Chip chip = llvm::cantFail(
      read("latency:", with("{from: [1, 0], to: [1, 1]}, {from: [3, 1], to: [2, 1]}")));
  EXPECT_EQ(chip.router.deadLinks, (std::vector<DeadLink>{{1, 5}, {7, 6}}));
  EXPECT_EQ(errorOf("latency:", with("{from: [4, 0], to: [3, 0]}")),
            "chip.yaml:10:25: error: found [4, 0], expected the column and the row of a tile in a "
            "mesh of 4 columns and 2 rows, which count from 0");
  EXPECT_THAT(errorOf("latency:", with("{from: [0, 0], to: [-1, 0]}")), HasSubstr("found [-1, 0]"));
  EXPECT_THAT(errorOf("latency:", with("{from: [0], to: [1, 0]}")),
              HasSubstr("found [0], expected"));
  EXPECT_THAT(errorOf("latency:", with("{from: [0, 0], to: [1, 1]}")),
              HasSubstr("the two tiles are no neighbours, expected the ends of a link"));
  EXPECT_THAT(errorOf("latency:", with("{from: [0, 0], to: [3, 0]}")), HasSubstr("no neighbours"));
  EXPECT_THAT(errorOf("latency:", with("{from: [0, 0]}")), HasSubstr("to"));
  EXPECT_THAT(errorOf("latency:", "faults: {routers: []}\nlatency:"),
              HasSubstr("unknown key 'routers'"));
  std::string torus = kSmallChip;
  torus.replace(torus.find("pipeline_cycles: 5"), 18, "topology: torus\n  virtual_channels: 2");
  torus += "faults: {links: [{from: [0, 0], to: [3, 0]}]}\n";
  EXPECT_EQ(llvm::cantFail(readChip(folder.write("torus.yaml", torus))).router.deadLinks,
            (std::vector<DeadLink>{{0, 3}}));
}

TEST_F(ChipFile, TablesOfWaysAreForMeshesOfModestSize) {
  std::string text = kSmallChip;
  text.replace(text.find("columns: 4, rows: 2"), 19, "columns: 65, rows: 64");
  std::string faults = "faults: {links: [{from: [0, 0], to: [1, 0]}]}\n";
  auto errorIn = [&](const std::string &chip) {
    llvm::Expected<Chip> made = readChip(folder.write("chip.yaml", chip));
    return made ? std::string("accepted") : toText(made.takeError());
  };
  EXPECT_THAT(
      errorIn(text + faults),
      HasSubstr("routing up_down, dead links and dead tiles go by tables for up to 4096 tiles, "
                "and the mesh has 4160"));
  std::string routed = text;
  routed.replace(routed.find("pipeline_cycles: 5"), 18, "routing: up_down");
  EXPECT_THAT(errorIn(routed), HasSubstr("go by tables for up to 4096 tiles"));
  std::string trees = kSmallChip;
  trees.replace(trees.find("pipeline_cycles: 5"), 18, "multicast: tree");
  EXPECT_THAT(
      errorIn(trees + faults),
      HasSubstr("multicast tree goes along dimension order, and not round dead links and tiles; "
                "use multicast unicast and routing up_down"));
}

TEST_F(ChipFile, TheStagesOfTheDocumentationAreTheDefaults) {
  std::string page = llvm::cantFail(readFile("docs/formats/chip.md"));
  size_t begin = page.find("```yaml\nrouter:\n") + 16;
  EXPECT_EQ(llvm::cantFail(
                read("  pipeline_cycles: 5\n", page.substr(begin, page.find("```", begin) - begin)))
                .router.stages,
            StageCycles());
}

} // namespace
