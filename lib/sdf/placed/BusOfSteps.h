// When packets arrive that share a segmented bus.
#pragma once

#include "core/chip/RouterTiming.h"
#include "core/chip/bus/BusTransfers.h"
#include "lib/sdf/placed/StepNetwork.h"

namespace spindle {

/// Nothing is left out: a bus moves whole packets anyway.
class BusOfSteps final : public StepNetwork {
public:
  explicit BusOfSteps(const Chip &chip);

  uint32_t addTree(const MulticastTree &tree) override;
  bool run(llvm::ArrayRef<MeshPacket> packets,
           llvm::function_ref<void(uint32_t, uint32_t, uint64_t)> received) override;
  MeshLoad load() const override { return busiest; }

private:
  llvm::ArrayRef<TileId> targetsOf(const MeshPacket &packet) const;
  void countLoad(llvm::ArrayRef<MeshPacket> packets);

  BusLine line;
  RouterTiming timing;
  BusTransfers transfers;
  std::vector<std::vector<TileId>> trees; // their targets
  std::vector<uint64_t> sent, received;   // flits, per tile
  std::vector<uint64_t> passed;           // flits, per segment
  uint64_t start = 0;                     // of the run
  MeshLoad busiest;
};

} // namespace spindle
