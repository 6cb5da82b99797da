// What carries the packets of a step that is predicted: whole packets, not their flits.
#pragma once

#include "core/chip/Chip.h"
#include "core/chip/routing/MulticastTree.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <memory>

namespace spindle {

/// A packet of a step. Cycles count from the beginning of the step.
struct MeshPacket {
  uint64_t madeCycle;
  TileId source, target; // or with `isTree` the number of a tree, which begins at the source
  uint32_t flits;
  bool isTree = false;
};

/// What the busiest of each kind did in a run.
struct MeshLoad {
  uint64_t sent = 0, received = 0; // flits, by a tile
  double linkCycles = 0;           // of a link between two tiles for its flits (RouterTiming.h)
};

class StepNetwork {
public:
  virtual ~StepNetwork() = default;

  virtual uint32_t addTree(const MulticastTree &tree) = 0;

  /// Lets the packets, ascending by cycle, travel to an empty network's end. `received(packet,
  /// target, cycle)`: its tail is there; `target`: its place among those of a tree, else 0. False
  /// where packets wait for each other for ever, which routings that checkDeadlockFree passes never
  /// do.
  virtual bool run(llvm::ArrayRef<MeshPacket> packets,
                   llvm::function_ref<void(uint32_t, uint32_t, uint64_t)> received) = 0;
  virtual MeshLoad load() const = 0;
};

/// Of routers (PacketMesh.h), or of a bus (BusOfSteps.h).
std::unique_ptr<StepNetwork> makeStepNetwork(const Chip &chip);

} // namespace spindle
