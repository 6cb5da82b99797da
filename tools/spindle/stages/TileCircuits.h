// Circuits in tiles of a simulated chip (simulation.tiles).
#pragma once

#include "core/chip/Mapping.h"
#include "sim/model/CircuitTile.h"
#include "tools/spindle/flow/Stage.h"

#include "llvm/ADT/ArrayRef.h"

#include <memory>

namespace spindle {

struct SpikeTrace;

/// A network on a chip; all of it outlives what is made for it.
struct MappedNetwork {
  const Chip &chip;
  const Clustering &clustering;
  const Mapping &mapping;
  const SpikeTrace &trace;
};

/// A circuit sees the packets of a step only when the step is ended, so what it does in a step, and
/// in which cycles of it, follows from the spikes of that step alone. It is run twice: with all
/// packets there at once, which gives the cycles of its own packets to the simulation of the chip,
/// and with every packet in the cycle that the mesh brought it.
class TileCircuits {
public:
  virtual ~TileCircuits() = default;

  /// What each circuit does, for simulateChip, which adds what reaches it.
  virtual llvm::MutableArrayRef<CircuitTile> tiles() = 0;
  /// Runs the circuits as the mesh has driven them. The error (Check) names what is not as before.
  virtual llvm::Error replay() = 0;
  /// For the line of the stage.
  virtual std::string summary() const = 0;
};

/// Builds the circuits of the flow and runs them for the first time; nothing without any. Errors,
/// at their place in the flow: tiles outside the mesh or named twice, folders without a circuit or
/// without a network interface, circuits of another run, layers that are not what the tile holds,
/// circuits that are slower than the chip's clock. Errors (Check): spikes that differ from the
/// emulator's, and cycles that differ from the schedule's, by layer, neuron, sample and step.
/// hardware/TileCircuits.cpp; the program spindle-flow refuses all.
llvm::Expected<std::unique_ptr<TileCircuits>> makeTileCircuits(const StageRun &run,
                                                               const MappedNetwork &network);

} // namespace spindle
