// Who takes the spikes of an encoder or a population, and how much later than others.
#pragma once

#include "lib/conversion/snn-to-loops/events/Feeds.h"

#include "llvm/ADT/DenseMap.h"

namespace spindle::snn_to_loops {

class SpikeReaders {
public:
  /// Of the layers of a function whose ways of spikes are known; others are none.
  SpikeReaders(mlir::Block &network, int64_t steps);

  bool areRead(mlir::Value spikes) const { return !readers.lookup(spikes).empty(); }
  /// Whether one process cannot take the spikes of another as they come: there are several readers,
  /// or one that takes them later.
  bool needFork(mlir::Value spikes) const;
  /// Of each reader in program order, how many steps are ahead of it while the longest way to where
  /// it meets others is under way.
  llvm::SmallVector<int64_t> stepsAhead(mlir::Value spikes) const;
  /// The first reader that passes on what it takes, or as many as there are readers.
  size_t recorder(mlir::Value spikes) const;

private:
  struct Reader {
    int64_t layers = 1; // from the spikes to its own, at most
    int64_t delay = 0;
    bool answers = false;
  };
  llvm::DenseMap<mlir::Value, llvm::SmallVector<Reader>> readers;
};

} // namespace spindle::snn_to_loops
