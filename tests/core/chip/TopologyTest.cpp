// Chips whose routers make a tree, or whose tiles share a bus, as their files say it.
#include "core/chip/Mapping.h"

#include "core/support/files/File.h"
#include "tests/core/chip/ChipFile.h"

#include "gmock/gmock.h"

namespace spindle {
namespace {

using ::testing::HasSubstr;

class TopologyFile : public ChipFile {
protected:
  /// With this in the place of the router's cycles, and faults.
  llvm::Expected<Chip> read(const std::string &router, const std::string &more = "") {
    return readChip(folder.write("chip.yaml", textWith(kCycles, router) + more));
  }
  std::string errorOf(const std::string &router, const std::string &more = "") {
    llvm::Expected<Chip> chip = read(router, more);
    if (chip)
      return "accepted";
    std::string text = toText(chip.takeError());
    return text.substr(text.find("error: "));
  }
  static constexpr const char *kCycles = "pipeline_cycles: 5";
};

TEST_F(TopologyFile, ATreeHasRoutersAndABusHasLanes) {
  Chip tree = llvm::cantFail(read("topology: tree\n  virtual_channels: 2\n  multicast: tree"));
  EXPECT_EQ(tree.mesh, (Mesh{4, 2, Topology::Tree}));
  EXPECT_EQ(tree.mesh.routers(), 8u + 2 + 1);
  Chip bus = llvm::cantFail(read("topology: segmented_bus\n  multicast: tree\n"
                                 "  bus: {lanes: 3, segments_per_cycle: 5}"));
  EXPECT_EQ(bus.mesh, (Mesh{4, 2, Topology::SegmentedBus}));
  EXPECT_EQ(bus.router.bus, (BusWires{3, 5}));
  EXPECT_EQ(llvm::cantFail(read("topology: segmented_bus")).router.bus, BusWires());
}

TEST_F(TopologyFile, WhatATopologyDoesNotHaveIsRefused) {
  EXPECT_EQ(errorOf("topology: star"),
            "error: topology is 'star', expected mesh, torus, tree or segmented_bus");
  for (const char *topology : {"tree", "segmented_bus"}) {
    std::string head = std::string("topology: ") + topology + "\n  ";
    EXPECT_EQ(errorOf(head + "routing: yx"),
              std::string("error: routing is given, but there is one way between two tiles "
                          "(topology ") +
                  topology + "); leave it out");
    EXPECT_THAT(errorOf(head + "adaptive_options: all"), HasSubstr("adaptive_options is given"));
    EXPECT_THAT(errorOf(head + "multicast: path"),
                HasSubstr(std::string("multicast path goes along the columns of a mesh, and the "
                                      "topology is ") +
                          topology + "; use multicast tree"));
    EXPECT_EQ(
        errorOf(head.substr(0, head.size() - 3), "faults: {links: [{from: [0, 0], to: [1, 0]}]}\n"),
        std::string("error: there is one way between two tiles of topology ") + topology +
            ", which a dead link cuts; leave links out of faults");
  }
  EXPECT_EQ(errorOf("bus: {lanes: 2}"),
            "error: bus is given, but a bus with lanes is a segmented one (topology mesh); leave "
            "it out");
  for (const char *key : {"pipeline_cycles: 2", "link_cycles: 2", "speculative: true",
                          "virtual_channels: 1", "allocator: islip", "buffer_flits: 4",
                          "multicast_entries: 9", "gating: {idle_cycles: 1, wake_cycles: 1}"}) {
    std::string name = std::string(key).substr(0, std::string(key).find(':'));
    EXPECT_THAT(errorOf(std::string("topology: segmented_bus\n  ") + key),
                HasSubstr(name + " is given, but a bus has no routers (topology segmented_bus); "
                                 "leave it out"));
  }
  EXPECT_THAT(errorOf("topology: segmented_bus\n  bus: {lanes: 0}"),
              HasSubstr("lanes is 0, expected 1 to 64"));
  EXPECT_THAT(errorOf("topology: segmented_bus\n  bus: {segments_per_cycle: -1}"),
              HasSubstr("segments_per_cycle is -1, expected 0 to 65536"));
  EXPECT_THAT(errorOf("topology: segmented_bus\n  bus: {lane: 1}"),
              HasSubstr("unknown key 'lane'"));
}

TEST_F(TopologyFile, ABusHasNoRoutersToPrice) {
  EXPECT_THAT(errorOf("topology: segmented_bus", "  leakage_router_mw: {value: 2, source: f}\n"),
              HasSubstr("leakage_router_mw prices routers, and a bus has none (topology "
                        "segmented_bus); leave it out, or give it to leakage_tile_mw"));
}

/// Nothing goes through a tile, so that a dead one is in nobody's way.
TEST_F(TopologyFile, DeadTilesAreLeaves) {
  for (const char *topology : {"tree", "segmented_bus"}) {
    Chip chip = llvm::cantFail(
        read(std::string("topology: ") + topology, "faults: {tiles: [{at: [1, 0]}]}\n"));
    EXPECT_EQ(chip.router.deadTiles, std::vector<TileId>{1});
  }
}

TEST_F(TopologyFile, MappingsNameTheTopology) {
  Mapping mapping;
  mapping.chip = "c";
  mapping.algorithm = "a";
  for (Topology topology :
       {Topology::Mesh, Topology::Torus, Topology::Tree, Topology::SegmentedBus}) {
    mapping.mesh = {4, 2, topology};
    ASSERT_FALSE(writeMapping(folder / "mapping.json", mapping));
    EXPECT_EQ(llvm::cantFail(readMapping(folder / "mapping.json")), mapping);
  }
  // As files named a torus before.
  std::string old = llvm::cantFail(readFile(folder / "mapping.json"));
  old.replace(old.find("\"topology\": \"segmented_bus\""), 27, "\"wraps\": true");
  EXPECT_EQ(llvm::cantFail(readMapping(folder.write("old.json", old))).mesh.topology,
            Topology::Torus);
  std::string text = llvm::cantFail(readFile(folder / "mapping.json"));
  text.replace(text.find("segmented_bus"), 13, "ring");
  std::string error = toText(readMapping(folder.write("ring.json", text)).takeError());
  EXPECT_THAT(error, HasSubstr("expected mesh, torus, tree or segmented_bus"));
}

} // namespace
} // namespace spindle
