// How fast a data-flow graph is on tiles, and which binding is fastest.
#pragma once

#include "lib/sdf/CycleRatio.h"
#include "lib/sdf/SdfOptions.h"
#include "lib/sdf/bound/BoundGraph.h"

namespace spindle {

/// Where the orders of tiles come from: list scheduling, or the binding itself.
enum class StaticOrders : uint8_t { Scheduled, Listed };

/// What the section `binding` sets.
struct BindingOptions {
  int64_t slice = 0;                 // of every wheel in use; 0: the least that are fast enough
  WheelRule rule = WheelRule::Exact; // `tdma`
  StaticOrders orders = StaticOrders::Scheduled;
  int64_t candidates = 2'000; // bindings that a search tries at most
};

/// Keys slice, tdma, order, candidates; errors are kept by the reader.
void readBindingOptions(YamlReader &reader, BindingOptions &options);

struct BindingAnalysis {
  TileBinding binding; // with orders and slices
  ChannelResources resources;
  CycleRatio period; // of an iteration of the application
  bool selfTimedAgrees = false;
  std::vector<std::string> cycle; // what limits the period: actors, and channels as `a -> b`
  uint64_t candidates = 1;        // bindings that were tried
};

/// Completes a binding and analyses it. Buffers of channels are those of the smallest distribution
/// that reaches the throughput the application asks for (StorageFront.h; where it asks for none,
/// with which it runs); a channel between tiles gets the bandwidth that this takes. List
/// scheduling has half of every wheel. A slice of 0 stands for
/// the smallest that, equal for all tiles, reach the throughput, each then made smaller as far as
/// it can be, tile after tile; without a throughput for whole wheels. The period is a maximum cycle
/// ratio (WheelCycleRatio.h), and self-timed execution agrees. Errors carry `place`: no processor
/// for an actor, no connection, memory, connections or bandwidth of a tile exceeded, a slice larger
/// than its wheel, an order that deadlocks, a throughput that is not reached.
llvm::Expected<BindingAnalysis>
analyzeBinding(const std::string &place, const SdfApplication &application,
               const SdfArchitecture &architecture, const TileBinding &binding,
               const SdfOptions &analysis, const BindingOptions &options);

/// The binding with the smallest period, then the fewest time units of wheels, then tiles. All of
/// them, where there are at most `candidates`; else the best by moving one actor and exchanging
/// two, from all actors on each tile and from balanced work. Errors as above, and that none fits.
llvm::Expected<BindingAnalysis> findBinding(const std::string &place,
                                            const SdfApplication &application,
                                            const SdfArchitecture &architecture,
                                            const SdfOptions &analysis,
                                            const BindingOptions &options);

} // namespace spindle
