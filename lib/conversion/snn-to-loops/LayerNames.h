// The names that the layers of a circuit go by: those of traces, and others where a layer has none
// there.
#pragma once

#include "core/support/Error.h"
#include "core/support/FreeNames.h"
#include "lib/conversion/snn-to-loops/CircuitOptions.h"

#include "mlir/IR/Block.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"

#include <string>
#include <vector>

namespace spindle::snn_to_loops {

class LayerNames {
public:
  explicit LayerNames(mlir::Block &network);

  /// Of a population: its name in traces.
  const std::string &ofPopulation(mlir::Operation *op) const;
  /// The name of a population in traces, or one that no other layer has.
  std::string of(mlir::Operation *op);
  /// `name`, or with a number where another layer has it.
  std::string unique(const std::string &name);

  /// The options of a layer, which takes some.
  LayerOptions optionsOf(const std::string &layer, int64_t neurons, const CircuitOptions &options);
  /// Options are for layers that are there. Errors: one is for none of the layers that take
  /// options, and perhaps for another one.
  llvm::Error check(const CircuitOptions &options) const;

private:
  llvm::DenseMap<mlir::Operation *, std::string> populations;
  FreeNames all{"_"};
  std::vector<std::string> optional; // layers that take options
};

} // namespace spindle::snn_to_loops
