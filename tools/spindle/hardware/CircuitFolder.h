// The folder of a circuit that is to sit in a tile, and whether it fits there.
#pragma once

#include "core/kernel/KernelInterface.h"
#include "core/network/HardwareNetwork.h"
#include "tools/spindle/stages/TileCircuits.h"

namespace spindle {

struct CircuitFolder {
  std::string path;
  HardwareNetwork network; // with a tile
  hls::KernelInterface kernel;
  TileId tile = 0;
  ClusterId cluster = 0;
  uint32_t neurons = 0; // of the layer

  uint32_t first() const { return network.tile->first; }
};

/// Reads the folder that the flow names for a tile, and looks whether the layer is what the mapping
/// has there. Errors: those of makeTileCircuits about one tile.
llvm::Expected<CircuitFolder> openCircuit(const StageRun &run, const MappedNetwork &mapped,
                                          const CircuitOption &option);

} // namespace spindle
