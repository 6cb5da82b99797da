// `spindle simulate --packets TRACE.csv --chip CHIP`: a trace of packets instead of a mapped
// network.
#include "tools/spindle/Commands.h"

#include "core/support/files/File.h"
#include "core/support/files/FolderLock.h"
#include "sim/chip/Engines.h"
#include "sim/model/Replay.h"
#include "tools/spindle/flow/Flow.h"
#include "tools/spindle/flow/ProgressDisplay.h"

#include "fmt/format.h"

#include <algorithm>

namespace spindle {

static std::string summaryOf(const std::vector<Delivery> &deliveries, const Mesh &mesh) {
  if (deliveries.empty())
    return "no packets";
  std::vector<uint64_t> latencies;
  uint64_t lastCycle = 0, sum = 0;
  for (const Delivery &delivery : deliveries) {
    latencies.push_back(delivery.tailCycle - delivery.madeCycle);
    sum += latencies.back();
    lastCycle = std::max(lastCycle, delivery.tailCycle);
  }
  std::sort(latencies.begin(), latencies.end());
  auto percentile = [&](uint64_t p) { return latencies[(latencies.size() - 1) * p / 100]; };
  OfferedLoad load = offeredLoad(deliveries, mesh);
  std::string saturation =
      load.isSaturated()
          ? fmt::format("; the {} is saturated: {:.3f} flits per cycle and tile are made in the "
                        "second half of the trace, {:.3f} received",
                        mesh.isBus() ? "bus" : mesh.topologyName(), load.made, load.received)
          : "";
  return fmt::format("{} deliveries by cycle {}, latency {:.1f} cycles on average, {} at half of "
                     "them, {} at 99 %, {} at most{}",
                     deliveries.size(), lastCycle, double(sum) / double(latencies.size()),
                     percentile(50), percentile(99), latencies.back(), saturation);
}

llvm::Error replayPackets(const ReplayArguments &arguments, const std::string &folder) {
  SPINDLE_ASSIGN(std::string chipFile, findChip(arguments.chip, "", "--chip"));
  SPINDLE_ASSIGN(Chip chip, readChip(chipFile));
  SPINDLE_ASSIGN(PacketTrace trace, readPacketTrace(arguments.packets, chip.mesh));
  std::vector<WatchedLink> links;
  if (arguments.links) {
    SPINDLE_ASSIGN(links, parseLinks(*arguments.links, chip.mesh));
    if (chip.mesh.isBus() && chip.router.bus.lanes > 1)
      return inputError(chip.path,
                        fmt::format("--vcd shows a flit per link and cycle, and a bus of {} lanes "
                                    "has more; set bus.lanes to 1, or leave --vcd out",
                                    chip.router.bus.lanes));
  }
  auto engine = std::find(std::begin(kEngineNames), std::end(kEngineNames), arguments.engine);
  SPINDLE_ASSIGN(std::unique_ptr<PacketNetwork> network,
                 makeNetwork(arguments.engine.empty()
                                 ? Engine::Model
                                 : static_cast<Engine>(engine - std::begin(kEngineNames)),
                             chip));
  ProgressDisplay progress;
  ProgressTicker ticker(progress);
  progress.startStage("simulate", "packets");
  std::vector<LinkFlit> flits;
  SPINDLE_ASSIGN(std::vector<Delivery> deliveries,
                 replay(trace, chip, links, &flits, network.get()));
  SPINDLE_RETURN_IF_ERROR(makeFolder(folder));
  SPINDLE_ASSIGN(FolderLock lock, FolderLock::take(folder));
  SPINDLE_RETURN_IF_ERROR(writeDeliveries(folder + "/delivered.csv", deliveries));
  if (!links.empty())
    SPINDLE_RETURN_IF_ERROR(writeFile(folder + "/links.vcd", vcdText(links, flits)));
  progress.endStage(summaryOf(deliveries, chip.mesh));
  return llvm::Error::success();
}

} // namespace spindle
