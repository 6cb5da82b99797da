// Packet times of BookSim 2 (dimension order, one virtual channel, buffers of four flits) on the
// same traces.
#include "sim/model/MeshNetwork.h"

#include "core/support/files/DataPath.h"

#include "gmock/gmock.h"

#include <algorithm>
#include <fstream>
#include <sstream>

using namespace spindle;

namespace {

struct Setting {
  const char *name;
  uint32_t pipelineCycles;
};
constexpr Setting kSettings[] = {{"bsmin", 3}, {"bs4", 5}};

struct Trace {
  const char *name;
  uint32_t side;
};

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

class BookSim : public ::testing::TestWithParam<Trace> {};

TEST_P(BookSim, EveryPacketTimeIsTheSame) {
  auto [name, side] = GetParam();
  for (const Setting &setting : kSettings) {
    std::string trace = std::string("noc/traces/") + name + ".trace.csv";
    std::string delivered =
        std::string("noc/booksim_") + setting.name + "_" + name + ".delivered.csv";
    llvm::Expected<std::string> tracePath = PathResolver().find(trace, "");
    if (!tracePath)
      GTEST_SKIP() << toText(tracePath.takeError());
    llvm::Expected<std::string> deliveredPath = PathResolver().find(delivered, "");
    ASSERT_TRUE(bool(deliveredPath)) << toText(deliveredPath.takeError());

    Mesh mesh{side, side};
    MeshNetwork network(
        mesh, {.pipelineCycles = setting.pipelineCycles, .endCycles = 2, .bufferFlits = 4});
    // Columns: packet, cycle, source, target, flits.
    for (const std::vector<uint64_t> &row : readRows(*tracePath))
      ASSERT_EQ(network.send(static_cast<TileId>(row[2]), static_cast<TileId>(row[3]),
                             static_cast<uint32_t>(row[4]), row[1]),
                row[0]);
    network.drain();

    // Columns: packet, source, target, flits, made, injected, head, tail, routers on the way.
    std::vector<std::vector<uint64_t>> rows = readRows(*deliveredPath);
    ASSERT_EQ(rows.size(), network.packets().size());
    ASSERT_FALSE(rows.empty());
    for (const std::vector<uint64_t> &row : rows) {
      const Packet &packet = network.packets().at(row[0]);
      ASSERT_EQ(mesh.hops(packet.source, packet.target) + 1, row[8]);
      ASSERT_EQ(packet.madeCycle, row[4]);
      ASSERT_EQ(packet.headCycle, row[6]) << setting.name << " packet " << row[0];
      ASSERT_EQ(packet.tailCycle, row[7]) << setting.name << " packet " << row[0];
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Traces, BookSim,
                         ::testing::Values(Trace{"solo_4x4_s1", 4}, Trace{"solo_4x4_s4", 4},
                                           Trace{"uni_4x4_s1_r0.05", 4},
                                           Trace{"uni_4x4_s4_r0.05", 4},
                                           Trace{"uni_8x8_s4_r0.05", 8},
                                           Trace{"uni_16x16_s4_r0.02", 16}),
                         [](const auto &trace) {
                           std::string name = trace.param.name;
                           std::replace(name.begin(), name.end(), '.', '_');
                           return name;
                         });

} // namespace
