#include "core/chip/loads/MultiplexedRun.h"

#include "core/support/formats/JsonMapping.h"

#include "fmt/format.h"

#include <cmath>
#include <set>

namespace spindle {

static constexpr FileFormat kLoadsFormat = {"spindle-loads", 1};

size_t MultiplexedRun::clusters() const {
  size_t all = 0;
  for (const PlacedLoad &load : loads)
    all += load.clusters.size();
  return all;
}

SampleCost costOf(const MultiplexedRun &run) {
  SampleCost together;
  for (const PlacedLoad &load : run.loads) {
    together.writeCycles += load.cost.writeCycles;
    together.runCycles += load.cost.runCycles;
    together.packets += load.cost.packets;
    together.synapticEvents += load.cost.synapticEvents;
    together.energyPj += load.cost.energyPj;
  }
  return together;
}

static bool isCost(const SampleCost &cost) {
  for (double value :
       {cost.writeCycles, cost.runCycles, cost.packets, cost.synapticEvents, cost.energyPj})
    if (!std::isfinite(value) || value < 0)
      return false;
  return true;
}

static std::string faultOf(const PlacedLoad &load, const MultiplexedRun &run) {
  if (load.clusters.empty() || load.clusters.size() > run.crossbars)
    return fmt::format("a load of {} clusters for {} crossbars", load.clusters.size(),
                       run.crossbars);
  if (load.placements.size() != load.clusters.size())
    return fmt::format("{} places for {} clusters", load.placements.size(), load.clusters.size());
  std::set<std::pair<TileId, uint32_t>> taken;
  for (const Placement &place : load.placements)
    if (!taken.emplace(place.tile, place.crossbar).second)
      return fmt::format("two clusters of a load on crossbar {} of tile {}", place.crossbar,
                         place.tile);
  return isCost(load.cost) ? "" : "a load that takes less than nothing";
}

static std::string faultOf(const MultiplexedRun &run) {
  std::vector<bool> isLoaded(run.clusters());
  for (const PlacedLoad &load : run.loads) {
    if (std::string fault = faultOf(load, run); !fault.empty())
      return fault;
    for (ClusterId cluster : load.clusters) {
      if (cluster >= isLoaded.size() || isLoaded[cluster])
        return fmt::format("cluster {} of {} is in two loads, or is none", cluster,
                           isLoaded.size());
      isLoaded[cluster] = true;
    }
  }
  if (!isCost(run.atOnce))
    return "a network at once that takes less than nothing";
  if (run.samples == 0 || !(run.clockMhz > 0))
    return fmt::format("{} samples at {} MHz, expected more than none of both", run.samples,
                       run.clockMhz);
  double events = costOf(run).synapticEvents;
  if (std::abs(events - run.atOnce.synapticEvents) > 1e-9 * run.atOnce.synapticEvents)
    return fmt::format("the loads do {} synaptic events per sample, the network at once {}", events,
                       run.atOnce.synapticEvents);
  return "";
}

llvm::Error verify(const MultiplexedRun &run) {
  std::string fault = faultOf(run);
  return fault.empty() ? llvm::Error::success()
                       : checkError(fmt::format("loads on chip '{}'", run.chip), fault);
}

static void describe(auto &file, MaybeConst<Sourced> auto &price) {
  file.field("value", price.value);
  file.field("source", price.source);
}

static void describe(auto &file, MaybeConst<SampleCost> auto &cost) {
  file.field("write_cycles", cost.writeCycles);
  file.field("run_cycles", cost.runCycles);
  file.field("packets", cost.packets);
  file.field("synaptic_events", cost.synapticEvents);
  file.field("energy_pj", cost.energyPj);
}

static void describe(auto &file, MaybeConst<MultiplexedRun> auto &run) {
  file.field("chip", run.chip);
  file.field("crossbars", run.crossbars);
  file.field("samples", run.samples);
  file.field("clock_mhz", run.clockMhz);
  file.field("row_cycles", run.prices.rowCycles);
  file.field("cell_pj", run.prices.cellPj);
  file.list("loads", run.loads, [](auto &entry, auto &load) {
    entry.field("clusters", load.clusters);
    entry.list("placements", load.placements, [](auto &member, auto &place) {
      member.field("tile", place.tile);
      member.field("crossbar", place.crossbar);
    });
    entry.field("rows", load.rows);
    entry.field("cost", load.cost);
  });
  file.derived("together", [&] { return costOf(run); });
  file.group("at_once", [&](auto &whole) {
    whole.field("crossbars", run.crossbarsAtOnce);
    whole.field("cost", run.atOnce);
  });
}

llvm::Error writeMultiplexedRun(const std::string &path, const MultiplexedRun &run) {
  return writeDescribed(path, kLoadsFormat, run);
}

llvm::Expected<MultiplexedRun> readMultiplexedRun(const std::string &path) {
  SPINDLE_ASSIGN(MultiplexedRun run, readDescribed<MultiplexedRun>(path, kLoadsFormat));
  if (std::string fault = faultOf(run); !fault.empty())
    return inputError(path, "not a valid list of loads: " + fault);
  return run;
}

} // namespace spindle
