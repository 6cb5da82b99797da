#include "core/chip/Mapping.h"

#include "gmock/gmock.h"

#include <functional>

namespace spindle {
namespace {

using testing::HasSubstr;

Chip chip() {
  Chip result;
  result.name = "small";
  result.mesh = {3, 2};
  result.crossbarsPerTile = 2;
  return result;
}

Clustering clustering() {
  Clustering result;
  result.clusters.resize(3);
  result.links = {{0, 1, 10, 2}, {1, 2, 5, 0}, {kNone, 2, 7, 0}};
  return result;
}

/// Cluster 0 on tile 0, cluster 1 on tile 5 (two right, one down), cluster 2 beside it.
Mapping mapping() {
  return {"by hand",
          "small",
          {3, 2},
          {{0, 1}, {5, 0}, {5, 1}},
          {{0, 1, {0, 1, 2, 5}}, {1, 2, {5}}, {kNone, 2, {0, 3, 4, 5}}},
          (10 + 2) * 3 + 7 * 3,
          80.5,
          10};
}

std::string faultOf(const Mapping &wrong) { return toText(verify(wrong, clustering(), chip())); }

TEST(Mapping, SurvivesAFile) {
  std::string path = testing::TempDir() + "mapping.json";
  ASSERT_FALSE(bool(writeMapping(path, mapping())));
  auto read = readMapping(path);
  ASSERT_TRUE(bool(read)) << toText(read.takeError());
  EXPECT_EQ(*read, mapping());
}

/// Tile 2 is as near to tile 5 as tile 4 is, and named first.
TEST(Mapping, RoutesOfTheHostBeginAtItsNearestTile) {
  Chip target = chip();
  Mapping made = mapping();
  target.mesh.hostTiles = made.mesh.hostTiles = {2, 0, 4};
  made.routes[2].tiles = {2, 5};
  made.spikeHops = (10 + 2) * 3 + 7;
  EXPECT_EQ(toText(verify(made, clustering(), target)), "");
  std::string path = testing::TempDir() + "mapping-host.json";
  llvm::cantFail(writeMapping(path, made));
  EXPECT_EQ(llvm::cantFail(readMapping(path)), made);
  made.routes[2].tiles = {4, 5};
  EXPECT_THAT(toText(verify(made, clustering(), target)),
              HasSubstr("route host -> cluster 2 does not lead from tile 2 to tile 5"));
  EXPECT_EQ(toText(verify(mapping(), clustering(), target)),
            "mapping onto chip 'small': error: made for chip 'small' of 3x2 tiles, expected "
            "'small' of 3x2 with the host at tiles 2, 0, 4");
}

TEST(Mapping, VerifyFindsEveryKindOfFault) {
  EXPECT_EQ(faultOf(mapping()), "");
  Mapping wrong = mapping();
  wrong.mesh = {2, 3};
  EXPECT_EQ(faultOf(wrong), "mapping onto chip 'small': error: made for chip 'small' of 2x3 tiles, "
                            "expected 'small' of 3x2");
  wrong = mapping();
  wrong.placements.pop_back();
  EXPECT_THAT(faultOf(wrong), HasSubstr("2 clusters and 3 routes, expected 3 and 3"));
  wrong = mapping();
  wrong.placements[1].crossbar = 2;
  EXPECT_THAT(faultOf(wrong),
              HasSubstr("cluster 1 on tile 5 crossbar 2, but the chip has 6 tiles of 2 crossbars"));
  wrong = mapping();
  wrong.placements[2].crossbar = 0;
  EXPECT_THAT(faultOf(wrong), HasSubstr("clusters 1 and 2 share tile 5 crossbar 0"));
  wrong = mapping();
  wrong.routes[0].to = 2;
  EXPECT_THAT(
      faultOf(wrong),
      HasSubstr("route 0 leads from cluster 0 to cluster 2, expected cluster 0 to cluster 1"));
  wrong = mapping();
  wrong.routes[2].tiles.front() = 1;
  EXPECT_THAT(faultOf(wrong),
              HasSubstr("route host -> cluster 2 does not lead from tile 0 to tile 5"));
  wrong = mapping();
  wrong.routes[0].tiles = {0, 2, 5};
  EXPECT_THAT(faultOf(wrong), HasSubstr("route cluster 0 -> cluster 1 is broken at tile 2"));
  wrong = mapping();
  wrong.spikeHops += 1;
  EXPECT_THAT(faultOf(wrong), HasSubstr("58 spike hops, but the routes add up to 57"));
  wrong = mapping();
  wrong.randomSpikeHops = -1;
  EXPECT_THAT(faultOf(wrong), HasSubstr("the mean over random placements"));
}

TEST(Mapping, JoinedChipsRoundTripAndAreThoseOfTheChip) {
  std::string path = testing::TempDir() + "joined-mapping.json";
  Mapping joined = mapping();
  joined.mesh.chipColumns = 1;
  joined.mesh.chipRows = 2;
  llvm::cantFail(writeMapping(path, joined));
  EXPECT_EQ(llvm::cantFail(readMapping(path)), joined);
  EXPECT_THAT(faultOf(joined), HasSubstr("of 3x2 tiles in chips of 1x2, expected 'small' of 3x2"));
}

// What nobody would notice before a tile is looked up.
TEST(Mapping, FilesWhoseTilesAreNotOnTheirMeshAreRefused) {
  auto readError = [](const std::function<void(Mapping &)> &change) {
    std::string path = testing::TempDir() + "wrong-mapping.json";
    Mapping wrong = mapping();
    change(wrong);
    llvm::cantFail(writeMapping(path, wrong));
    std::string error = toText(readMapping(path).takeError()),
                start = path + ": error: not a valid mapping: ";
    return error.substr(0, start.size()) == start ? error.substr(start.size()) : error;
  };
  EXPECT_EQ(readError([](Mapping &m) { m.placements[1].tile = 6; }),
            "cluster 1 lies on tile 6 of a mesh of 6");
  EXPECT_EQ(readError([](Mapping &m) { m.mesh = {0, 6}; }),
            "a mesh of 0x6 tiles, expected 1 to 256 on a side");
  EXPECT_EQ(readError([](Mapping &m) { m.mesh = {65536, 65537}; }),
            "a mesh of 65536x65537 tiles, expected 1 to 256 on a side");
  EXPECT_EQ(readError([](Mapping &m) { m.mesh.hostTiles = {1, 6}; }),
            "the host is at tile 6 of a mesh of 6");
  EXPECT_EQ(readError([](Mapping &m) { m.mesh.hostTiles = {}; }), "a host without a tile");
  EXPECT_EQ(readError([](Mapping &m) { m.mesh.chipColumns = 3; }),
            "chips of 3x0 tiles do not make a mesh of 3x2");
  EXPECT_EQ(readError([](Mapping &m) { m.mesh.chipRows = 2; }),
            "chips of 0x2 tiles do not make a mesh of 3x2");
  EXPECT_EQ(readError([](Mapping &m) { m.mesh.chipColumns = m.mesh.chipRows = 2; }),
            "chips of 2x2 tiles do not make a mesh of 3x2");
  EXPECT_EQ(readError([](Mapping &m) { m.routes[0].to = 3; }),
            "route cluster 0 -> cluster 3 names one of 3 clusters");
  EXPECT_EQ(readError([](Mapping &m) { m.routes[1].from = 7; }),
            "route cluster 7 -> cluster 2 names one of 3 clusters");
  EXPECT_EQ(readError([](Mapping &m) { m.routes[1].tiles = {}; }),
            "route cluster 1 -> cluster 2 does not lead from tile 5 to tile 5");
  EXPECT_EQ(readError([](Mapping &m) { m.routes[0].tiles[1] = 4294967295; }),
            "route cluster 0 -> cluster 1 is broken at tile 4294967295");
  EXPECT_EQ(readError([](Mapping &m) { m.placements.clear(); }),
            "route cluster 0 -> cluster 1 names one of 0 clusters");
}

TEST(Mapping, NothingLiesOrPassesWhereAFaultIs) {
  Chip broken = chip();
  broken.router.deadLinks = {{2, 1}};
  EXPECT_THAT(
      toText(verify(mapping(), clustering(), broken)),
      HasSubstr("route cluster 0 -> cluster 1 goes from tile 1 to tile 2, which faults say is "
                "dead"));
  broken = chip();
  broken.router.deadTiles = {4};
  EXPECT_THAT(toText(verify(mapping(), clustering(), broken)),
              HasSubstr("route host -> cluster 2 goes from tile 3 to tile 4, which faults say is "
                        "dead"));
  Clustering full = clustering();
  full.clusters[2].units = 3;
  full.clusters[2].axons.resize(5);
  broken = chip();
  broken.crossbar = {.rows = 6, .columns = 4};
  broken.crossbarFaults = {{5, 1, {2}, {0}}};
  EXPECT_EQ(toText(verify(mapping(), full, broken)), "");
  broken.crossbarFaults = {{5, 1, {2, 3}, {0}}};
  EXPECT_THAT(toText(verify(mapping(), full, broken)),
              HasSubstr("cluster 2 needs 5 rows and 3 columns, which do not all work on tile 5 "
                        "crossbar 1"));
  broken.crossbarFaults = {{5, 1, {}, {}}};
  EXPECT_THAT(toText(verify(mapping(), full, broken)), HasSubstr("do not all work on tile 5"));
}

/// Where routers go along x first, then along y, nothing needs to be said.
TEST(Mapping, RoutesMayBeImplied) {
  Mapping implied = mapping();
  implied.routes.clear();
  implied.impliesRoutes = true;
  EXPECT_EQ(faultOf(implied), "");
  Clustering clusters = clustering();
  for (size_t l = 0; l < clusters.links.size(); ++l)
    EXPECT_EQ(
        tilesOf(implied, clusters.links[l], l),
        chip().mesh.route(mapping().routes[l].tiles.front(), mapping().routes[l].tiles.back()));
  std::string path = testing::TempDir() + "implied.json";
  llvm::cantFail(writeMapping(path, implied));
  EXPECT_EQ(llvm::cantFail(readMapping(path)), implied);
  implied.spikeHops = 58;
  EXPECT_THAT(faultOf(implied), HasSubstr("58 spike hops, but the routes add up to 57"));
  implied.spikeHops = 57;
  Chip other = chip();
  other.router.routing = Routing::YX;
  EXPECT_THAT(toText(verify(implied, clustering(), other)),
              HasSubstr("lists no routes, which only routers that go along x first, then along y, "
                        "and have no faults imply"));
}

TEST(Mapping, LongerRoutesCostMore) {
  Mapping detour = mapping();
  detour.routes[0].tiles = {0, 3, 4, 1, 2, 5};
  EXPECT_THAT(faultOf(detour), HasSubstr("57 spike hops, but the routes add up to 81"));
}

} // namespace
} // namespace spindle
