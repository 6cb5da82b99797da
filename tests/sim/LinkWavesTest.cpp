#include "sim/model/router/LinkWaves.h"
#include "sim/model/Replay.h"

#include "gmock/gmock.h"

#include <map>
#include <sstream>

using namespace spindle;
using ::testing::ElementsAre;

namespace {

TEST(LinkWaves, LinksAreReadFromText) {
  EXPECT_THAT(llvm::cantFail(parseLinks("0-1, 5-1", {4, 2})),
              ElementsAre(WatchedLink{0, 1}, WatchedLink{5, 1}));
  EXPECT_EQ(toText(parseLinks("0-5", {4, 2}).takeError()),
            "--vcd: error: 0-5 joins no neighbours in the mesh of 4x2 tiles");
  EXPECT_EQ(toText(parseLinks("7-8", {4, 2}).takeError()),
            "--vcd: error: 7-8 joins no neighbours in the mesh of 4x2 tiles");
  EXPECT_EQ(toText(parseLinks("0-1,east", {4, 2}).takeError()),
            "--vcd: error: 'east' is no link, expected two tiles such as 0-1");
  EXPECT_EQ(toText(parseLinks("", {4, 2}).takeError()),
            "--vcd: error: '' is no link, expected two tiles such as 0-1");
  EXPECT_EQ(llvm::cantFail(parseLinks("5-8", {4, 2, Topology::Tree})).size(), 1u);
  EXPECT_EQ(toText(parseLinks("0-1", {4, 2, Topology::Tree}).takeError()),
            "--vcd: error: 0-1 joins no neighbours in the tree of 4x2 tiles, whose routers without "
            "a tile have the numbers from 8 on");
  EXPECT_EQ(toText(parseLinks("up", {4, 2, Topology::Tree}).takeError()),
            "--vcd: error: 'up' is no link, expected two routers such as 0-8");
  EXPECT_EQ(llvm::cantFail(parseLinks("0-3", {4, 2, Topology::Torus})).size(), 1u);
}

/// The values of every signal over time, read back from the dump.
std::map<std::string, std::map<uint64_t, std::string>> readVcd(const std::string &text) {
  std::map<std::string, std::string> names;
  std::map<std::string, std::map<uint64_t, std::string>> values;
  std::istringstream lines(text);
  std::string line, scope;
  uint64_t time = 0;
  while (std::getline(lines, line)) {
    std::istringstream words(line);
    std::string first, second, third, fourth, fifth;
    words >> first >> second >> third >> fourth >> fifth;
    if (first == "$scope")
      scope = third;
    else if (first == "$var")
      names[fourth] = scope + "." + fifth;
    else if (first[0] == '#')
      time = std::stoull(first.substr(1));
    else if (first[0] == 'b')
      values[names.at(second)][time] = first.substr(1);
    else if (first[0] != '$')
      values[names.at(first.substr(1))][time] = first.substr(0, 1);
  }
  return values;
}

TEST(LinkWaves, EveryFlitIsAPulse) {
  Chip chip;
  chip.mesh = {3, 1};
  PacketTrace trace;
  trace.packets = {{10, 0, {2}, 2}, {11, 1, {2}, 1}};
  std::vector<WatchedLink> links = {{1, 2}, {2, 1}};
  std::vector<LinkFlit> flits;
  std::vector<Delivery> deliveries = llvm::cantFail(replay(trace, chip, links, &flits));
  // Packet 1 starts one link further and a cycle later: it is there first.
  EXPECT_THAT(flits,
              ElementsAre(LinkFlit{16, 0, 1, 0, true, true}, LinkFlit{18, 0, 0, 0, true, false},
                          LinkFlit{19, 0, 0, 0, false, true}));
  EXPECT_EQ(deliveries[0].headCycle, 21u);
  auto values = readVcd(vcdText(links, flits));
  using Times = std::map<uint64_t, std::string>;
  EXPECT_EQ(values["link_1_2.valid"],
            (Times{{0, "0"}, {16, "1"}, {17, "0"}, {18, "1"}, {19, "1"}, {20, "0"}}));
  EXPECT_EQ(values["link_1_2.packet"], (Times{{0, "0"}, {16, "1"}, {18, "0"}, {19, "0"}}));
  EXPECT_EQ(values["link_1_2.head"], (Times{{0, "0"}, {16, "1"}, {18, "1"}, {19, "0"}}));
  EXPECT_EQ(values["link_1_2.tail"], (Times{{0, "0"}, {16, "1"}, {18, "0"}, {19, "1"}}));
  EXPECT_EQ(values["link_2_1.valid"], (Times{{0, "0"}}));
}

} // namespace
