// Packet times of BookSim 2 on the same traces: every delivery that is stored, with its settings
// (SETTINGS.md beside them).
#include "sim/model/Replay.h"

#include "core/support/files/DataPath.h"

#include "gmock/gmock.h"

#include <algorithm>
#include <fstream>
#include <sstream>

using namespace spindle;

namespace {

struct StoredDelivery {
  const char *name, *trace;
  uint32_t side;
  bool isLong; // bs4: routing in a stage of its own, no speculation; else bsmin
  uint32_t channels = 1;
  uint32_t routingCycles = 1; // of the long pipeline
  Routing routing = Routing::XY;
  SwitchAllocation allocator = SwitchAllocation::Separable;
  bool wraps = false;
};

void PrintTo(const StoredDelivery &delivery, std::ostream *stream) { *stream << delivery.name; }

Chip chipOf(const StoredDelivery &delivery) {
  Chip chip;
  chip.mesh = {delivery.side, delivery.side, delivery.wraps ? Topology::Torus : Topology::Mesh};
  chip.router.virtualChannels = delivery.channels;
  chip.router.routing = delivery.routing;
  chip.router.allocator = delivery.allocator;
  chip.router.stages = StageCycles{.routing = delivery.isLong ? delivery.routingCycles : 0,
                                   .speculative = !delivery.isLong};
  return chip;
}

/// The rows of a CSV file of whole numbers, without the header.
std::vector<std::vector<uint64_t>> readRows(const std::string &path) {
  std::vector<std::vector<uint64_t>> rows;
  std::ifstream file(path);
  std::string line, cell;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::istringstream cells(line);
    rows.emplace_back();
    while (std::getline(cells, cell, ','))
      rows.back().push_back(std::stoull(cell));
  }
  return rows;
}

class BookSim : public ::testing::TestWithParam<StoredDelivery> {};

TEST_P(BookSim, EveryPacketTimeIsTheSame) {
  const StoredDelivery &stored = GetParam();
  llvm::Expected<std::string> path =
      PathResolver().find(std::string("noc/traces/") + stored.trace + ".trace.csv", "");
  if (!path)
    GTEST_SKIP() << toText(path.takeError());
  Chip chip = chipOf(stored);
  llvm::Expected<PacketTrace> trace = readPacketTrace(*path, chip.mesh);
  ASSERT_TRUE(bool(trace)) << toText(trace.takeError());
  llvm::Expected<std::vector<Delivery>> deliveries = replay(*trace, chip);
  ASSERT_TRUE(bool(deliveries)) << toText(deliveries.takeError());

  path = PathResolver().find(std::string("noc/booksim_") + stored.name + ".delivered.csv", "");
  ASSERT_TRUE(bool(path)) << toText(path.takeError());
  // Columns: packet, source, target, flits, made, injected, head, tail, routers on the way.
  std::vector<std::vector<uint64_t>> rows = readRows(*path);
  ASSERT_EQ(rows.size(), deliveries->size());
  ASSERT_FALSE(rows.empty());
  size_t wrong = 0;
  for (const std::vector<uint64_t> &row : rows) {
    const Delivery &d = deliveries->at(row[0]);
    std::vector<uint64_t> ours = {d.packet,        d.source,    d.target,    d.flits,   d.madeCycle,
                                  d.injectedCycle, d.headCycle, d.tailCycle, d.hops + 1};
    if (ours != row && ++wrong <= 3)
      ADD_FAILURE() << ::testing::PrintToString(ours) << ", expected "
                    << ::testing::PrintToString(row);
  }
  EXPECT_EQ(wrong, 0u) << "of " << rows.size();
}

const StoredDelivery kStored[] = {
    {"bsmin_solo_4x4_s1", "solo_4x4_s1", 4, false},
    {"bs4_solo_4x4_s1", "solo_4x4_s1", 4, true},
    {"bsmin_solo_4x4_s4", "solo_4x4_s4", 4, false},
    {"bs4_solo_4x4_s4", "solo_4x4_s4", 4, true},
    {"bsmin_uni_4x4_s1_r0.05", "uni_4x4_s1_r0.05", 4, false},
    {"bs4_uni_4x4_s1_r0.05", "uni_4x4_s1_r0.05", 4, true},
    {"bsmin_uni_4x4_s4_r0.05", "uni_4x4_s4_r0.05", 4, false},
    {"bs4_uni_4x4_s4_r0.05", "uni_4x4_s4_r0.05", 4, true},
    {"bsmin_uni_8x8_s4_r0.05", "uni_8x8_s4_r0.05", 8, false},
    {"bs4_uni_8x8_s4_r0.05", "uni_8x8_s4_r0.05", 8, true},
    {"bsmin_uni_16x16_s4_r0.02", "uni_16x16_s4_r0.02", 16, false},
    {"bs4_uni_16x16_s4_r0.02", "uni_16x16_s4_r0.02", 16, true},
    {"vc1_burst_8x8", "burst_8x8", 8, false},
    {"vc2_burst_8x8", "burst_8x8", 8, false, 2},
    {"vc4_burst_8x8", "burst_8x8", 8, false, 4},
    {"vc1_hot_8x8", "hot_8x8", 8, false},
    {"vc2_hot_8x8", "hot_8x8", 8, false, 2},
    {"vc2_uni_8x8_s4_r0.05", "uni_8x8_s4_r0.05", 8, false, 2},
    {"vc4_uni_8x8_s4_r0.05", "uni_8x8_s4_r0.05", 8, false, 4},
    {"rd2_uni_8x8_s4_r0.05", "uni_8x8_s4_r0.05", 8, true, 1, 2},
    {"vc4minadapt_uni_8x8_s4_r0.05", "uni_8x8_s4_r0.05", 8, true, 4, 1, Routing::MinAdaptive},
    {"vc4planar_uni_8x8_s4_r0.05", "uni_8x8_s4_r0.05", 8, true, 4, 1, Routing::PlanarAdaptive},
    {"vc4islip_uni_8x8_s4_r0.05", "uni_8x8_s4_r0.05", 8, true, 4, 1, Routing::XY,
     SwitchAllocation::Islip},
    {"torus_vc2_uni_7x7_s4_r0.05", "uni_7x7_s4_r0.05", 7, false, 2, 1, Routing::XY,
     SwitchAllocation::Separable, true}};

INSTANTIATE_TEST_SUITE_P(Stored, BookSim, ::testing::ValuesIn(kStored), [](const auto &stored) {
  std::string name = stored.param.name;
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
});

} // namespace
