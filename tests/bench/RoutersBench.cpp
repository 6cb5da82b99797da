// How many cycles of a network of routers are simulated in a second of one core.
// Usage: routers-bench [results.csv [commit]]
#include "sim/chip/Engines.h"
#include "sim/model/router/MeshNetwork.h"

#include "core/support/CounterRandom.h"
#include "core/support/files/RunApart.h"

#include "fmt/format.h"

#include <algorithm>
#include <cstring>
#include <ctime>
#include <fstream>
#include <set>

using namespace spindle;

namespace {

struct Workload {
  const char *name;
  uint32_t side;
  Router router;
  uint32_t targets = 1; // of a packet; more: multicast to so many at random
  double load = 0.05;   // flits made per tile and cycle, in packets of four
  Engine engine = Engine::Model;
};

const Workload workloads[] = {
    {"8x8, 1 channel", 8, {}},
    {"8x8, 1 channel, five stages", 8, {.pipelineCycles = 5}},
    {"8x8, 2 channels", 8, {.virtualChannels = 2}},
    {"8x8, 4 channels", 8, {.virtualChannels = 4}},
    {"8x8, 4 channels, five stages", 8, {.virtualChannels = 4, .stages = StageCycles{}}},
    {"8x8, 4 channels, iSLIP",
     8,
     {.virtualChannels = 4, .allocator = SwitchAllocation::Islip, .stages = StageCycles{}}},
    {"8x8, 4 channels, min_adaptive",
     8,
     {.virtualChannels = 4, .routing = Routing::MinAdaptive, .stages = StageCycles{}}},
    {"8x8, 4 channels, multicast to 4", 8, {.virtualChannels = 4}, 4, 0.0125},
    {"8x8, 4 channels, multicast to 4, as many packets", 8, {.virtualChannels = 4}, 4},
    {"8x8, 1 channel, engine tlm", 8, {}, 1, 0.05, Engine::Tlm},
    {"4x4, 1 channel", 4, {}},
    {"4x4, 1 channel, engine tlm", 4, {}, 1, 0.05, Engine::Tlm},
    {"4x4, 1 channel, engine pins", 4, {}, 1, 0.05, Engine::Pins},
    {"16x16, 1 channel", 16, {}, 1, 0.02},
    {"32x32, 1 channel", 32, {}, 1, 0.01},
};

constexpr uint32_t kFlits = 4;

void sendPackets(PacketNetwork &network, const Workload &workload, uint64_t cycles) {
  CounterRandom random(1);
  Mesh mesh{workload.side, workload.side};
  double perCycle = workload.load * mesh.tiles() / kFlits, owed = 0;
  std::vector<std::pair<TileId, uint32_t>> trees; // from which tile
  for (uint32_t i = 0; i < 500 && workload.targets > 1; ++i) {
    TileId source = random.below(mesh.tiles());
    std::set<TileId> targets;
    while (targets.size() < workload.targets)
      if (TileId target = random.below(mesh.tiles()); target != source)
        targets.insert(target);
    std::vector<TileId> list(targets.begin(), targets.end());
    trees.push_back({source, network.addTree(multicastTree(mesh, Routing::XY, source, list))});
  }
  for (uint64_t cycle = 0; cycle < cycles; ++cycle)
    for (owed += perCycle; owed >= 1; owed -= 1) {
      if (!trees.empty()) {
        network.sendTree(trees[random.below(500)].second, kFlits, cycle);
        continue;
      }
      TileId source = random.below(mesh.tiles()), target = random.below(mesh.tiles());
      network.send(source, target, kFlits, cycle);
    }
}

double cpuSeconds() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}

/// Cycles in a second, flit-hops in a second, packets.
struct Rates {
  double cycles, hops;
  uint64_t packets;
};

Rates measure(const Workload &workload) {
  constexpr uint64_t cycles = 200'000;
  Chip chip;
  chip.mesh = {workload.side, workload.side};
  chip.router = workload.router;
  auto network = llvm::cantFail(makeNetwork(workload.engine, chip));
  double start = cpuSeconds();
  sendPackets(*network, workload, cycles);
  network->drain();
  double seconds = cpuSeconds() - start;
  uint64_t hops = 0, lastCycle = 0;
  for (TileId tile = 0; tile < chip.mesh.tiles(); ++tile)
    for (uint32_t port = 0; port < kLocal; ++port)
      hops += network->linkFlits(tile, port);
  for (const Packet &packet : network->packets())
    lastCycle = std::max(lastCycle, packet.tailCycle);
  return {double(lastCycle) / seconds, double(hops) / seconds, network->delivered()};
}

} // namespace

int main(int argc, char **argv) {
  std::ofstream csv;
  if (argc > 1) {
    csv.open(argv[1]);
    csv << "commit,metric,value,unit\n";
  }
  fmt::print("{:50} {:>14} {:>12} {:>10}\n", "workload", "cycles/s", "flit-hops/s", "packets");
  for (const Workload &workload : workloads) {
    // SystemC simulates once in a process.
    std::string bytes =
        llvm::cantFail(runApart({"routers-bench", "the network", ""}, [&](const Refusal &) {
          Rates rates = measure(workload);
          return std::string(reinterpret_cast<const char *>(&rates), sizeof rates);
        }));
    Rates rates;
    std::memcpy(&rates, bytes.data(), sizeof rates);
    fmt::print("{:50} {:14.0f} {:12.0f} {:10}\n", workload.name, rates.cycles, rates.hops,
               rates.packets);
    if (csv.is_open())
      csv << fmt::format("{},\"{}\",{:.0f},cycles/s\n", argc > 2 ? argv[2] : "", workload.name,
                         rates.cycles);
  }
}
