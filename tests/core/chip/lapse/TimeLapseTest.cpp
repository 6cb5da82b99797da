#include "core/chip/lapse/TimeLapse.h"

#include "core/support/formats/Json.h"
#include "tests/support/TemporaryFolder.h"

#include "gmock/gmock.h"

using namespace spindle;
using ::testing::HasSubstr;

namespace {

/// Three tiles in a row, a packet from the first to the last.
TimeLapse threeTiles() {
  TimeLapse lapse;
  lapse.chip = "row";
  lapse.mesh = {3, 1};
  lapse.clockMhz = 100;
  lapse.synchronisation = "barrier";
  lapse.steps = 2;
  lapse.slots = 3;
  lapse.slotsPerFrame = 2;
  lapse.links = {{0, 1}, {1, 2}};
  lapse.frames = {{0, 40, {1, 1}, {2, 0, 0}, {5, 5, 4}, {1, 2, 3}, {}},
                  {40, 60, {0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {45, 45.5, 46}}};
  lapse.frames[0].celsius = lapse.frames[1].celsius;
  lapse.spikes = 1;
  lapse.ways = {{"layer", 7, 1, {{0, 3, 5, {{0, 10, 10}, {1, 15, 16}}, {{2, 19, 20}}}}}};
  return lapse;
}

TEST(TimeLapse, IsReadAsItWasWritten) {
  TemporaryFolder folder;
  std::string path = folder / "lapse.json";
  llvm::cantFail(writeTimeLapse(path, threeTiles()));
  EXPECT_EQ(llvm::cantFail(readTimeLapse(path)), threeTiles());
}

TEST(TimeLapse, WrongFilesAreRefusedAtTheirPath) {
  TemporaryFolder folder;
  std::string path = folder / "lapse.json";
  llvm::cantFail(writeTimeLapse(path, threeTiles()));
  const Json json = llvm::cantFail(readJson(path));
  auto errorWith = [&](const char *pointer, const Json &value) {
    Json changed = json;
    changed[Json::json_pointer(pointer)] = value;
    llvm::cantFail(writeJson(path, changed));
    std::string error = toText(readTimeLapse(path).takeError());
    EXPECT_THAT(error, HasSubstr(path + ": error: not a valid "));
    return error;
  };
  EXPECT_THAT(errorWith("/mesh/columns", 0), HasSubstr("a mesh of 0x1 tiles"));
  EXPECT_THAT(errorWith("/clock_mhz", 0), HasSubstr("a clock of 0 MHz"));
  for (const Json &link : {Json({0, 2}), Json({1, 1}), Json({2, 3}), Json({4000000000u, 1})})
    EXPECT_THAT(errorWith("/links/1", link), HasSubstr("which are no neighbours"));
  EXPECT_THAT(errorWith("/clock_mhz", 1e308), HasSubstr("a clock of 1e+308 MHz"));
  EXPECT_THAT(errorWith("/synchronisation", "x"),
              HasSubstr("synchronisation 'x', expected barrier, pipeline or free"));
  EXPECT_THAT(errorWith("/links/1", {0, 1}), HasSubstr("the links do not ascend at 0 -> 1"));
  EXPECT_THAT(errorWith("/frames/1/celsius", Json::array()), HasSubstr("frame 1 with figures of"));
  for (double pj : {-1e-9, 1e31})
    EXPECT_THAT(errorWith("/frames/1/pj/2", pj), HasSubstr("pJ in a tile"));
  EXPECT_THAT(errorWith("/frames/0/celsius/1", -274), HasSubstr("frame 0 with a tile of -274 °C"));
  EXPECT_THAT(errorWith("/ways/0/packets", Json::array()),
              HasSubstr("a spike of 'layer' without a packet"));
  for (int steps : {0, 4})
    EXPECT_THAT(errorWith("/steps", steps), HasSubstr("steps in 3 slots"));
  EXPECT_THAT(errorWith("/slots", 5), HasSubstr("2 frames of 2 slots for 5 slots"));
  EXPECT_THAT(errorWith("/slots_per_frame", 0), HasSubstr("2 frames of 0 slots for 3 slots"));
  EXPECT_THAT(errorWith("/spikes", 0), HasSubstr("the ways of 1 spikes of 0"));
  EXPECT_THAT(errorWith("/frames/1/begin_cycle", 41),
              HasSubstr("frame 1 from cycle 41 to 60 after one that ends at 40"));
  EXPECT_THAT(errorWith("/frames/1/end_cycle", 39), HasSubstr("frame 1 from cycle 40 to 39"));
  for (const char *list : {"link_flits", "source_cycles", "router_cycles", "pj", "celsius"})
    EXPECT_THAT(errorWith((std::string("/frames/1/") + list).c_str(), {1}),
                HasSubstr("frame 1 with figures of"))
        << list;
  const std::string way = "/ways/0/packets/0/";
  EXPECT_THAT(errorWith((way + "source").c_str(), 3), HasSubstr("a packet from tile 3"));
  EXPECT_THAT(errorWith((way + "injected_cycle").c_str(), 2),
              HasSubstr("made in cycle 3 and sent in 2"));
  EXPECT_THAT(errorWith((way + "hops/0/0").c_str(), 1),
              HasSubstr("a packet from tile 0 over link 1, where it has not come"));
  EXPECT_THAT(errorWith((way + "hops/0/0").c_str(), 2), HasSubstr("over link 2"));
  EXPECT_THAT(errorWith((way + "hops/1/1").c_str(), 9),
              HasSubstr("whose head passes link 1 in cycle 9, after 10, and its tail in 16"));
  EXPECT_THAT(errorWith((way + "hops/1/2").c_str(), 14), HasSubstr("and its tail in 14"));
  EXPECT_THAT(errorWith((way + "ends").c_str(), Json::array()),
              HasSubstr("a packet from tile 0 to no tile"));
  EXPECT_THAT(errorWith((way + "ends").c_str(), {{2, 19, 20}, {2, 19, 20}}),
              HasSubstr("whose targets do not ascend at 2"));
  for (const Json &end : {Json({3, 19, 20}), Json({2, 4, 20}), Json({2, 19, 18})})
    EXPECT_THAT(errorWith((way + "ends/0").c_str(), end), HasSubstr("receives in the cycles"));
}

} // namespace
