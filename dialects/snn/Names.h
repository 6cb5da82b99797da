// What operations and populations are called: alike in traces, circuits and errors.
#pragma once

#include "mlir/IR/Block.h"
#include "mlir/IR/Operation.h"

#include <string>
#include <vector>

namespace spindle::snn {

/// On synapses: the kind that a file gives them (core/network/synapses/SynapseKind.h), in the place
/// of what the operation says.
inline constexpr const char *kSynapseKind = "synapse_kind";

/// Gives an operation that is made of others the kind that the first one of them has, if any has.
void keepSynapseKind(mlir::Operation *made, std::initializer_list<mlir::Operation *> of);

/// The `layer` attribute, else kind and position among its kind: `dense2`.
std::string nameOf(mlir::Operation *op);

/// Whether the host makes spikes of activations here.
bool isSpikeEncoder(mlir::Operation *op);

/// Whether its spikes, or membranes, count as those of a population.
bool isPopulation(mlir::Operation *op);

struct NamedPopulation {
  mlir::Operation *op = nullptr;
  std::string
      name; // `nameOf`, `input` of encoders without a layer; with a number where it is taken
};

/// The populations of a network in their order, no two of one name.
std::vector<NamedPopulation> namedPopulations(mlir::Block &network);

} // namespace spindle::snn
