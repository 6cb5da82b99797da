// A network checked once, so that interpreter, engine and graph extraction walk it without doubt.
#pragma once

#include "core/network/Population.h"
#include "core/support/Error.h"
#include "dialects/snn/Names.h"
#include "dialects/snn/Snn.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

#include <optional>
#include <string>
#include <vector>

namespace spindle {

/// One operation of a network, constants and the return left out.
struct NetworkOp {
  mlir::Operation *op;
  std::vector<mlir::Value> sources; // the signals it reads: operands but for weights
  /// Whether its result changes from step to step. The others work once per sample: activations
  /// before the encoders, and the constant current of a direct encoder up to the first neurons.
  bool everyStep;
  std::optional<size_t> population; // index, where its spikes count as those of a population
};

struct Network {
  mlir::func::FuncOp function;
  mlir::Value input, output;
  std::vector<NetworkOp> ops; // program order
  std::vector<Population> populations;

  /// Whether the answer changes from step to step: a spiking network rather than an ANN.
  bool runsInTime = false;

  std::vector<int64_t> inputShape() const { return snn::shapeOf(input).vec(); }
  size_t inputs() const { return static_cast<size_t>(snn::sizeOf(input)); }
  size_t outputs() const { return static_cast<size_t>(snn::sizeOf(output)); }
};

/// Of a part of a network (`restrictNetwork`) the spikes of a divided population are gathered.
enum class NetworkExtent { Whole, Part };

/// Checks that `module` holds `@main(tensor) -> tensor` of operations that the emulator knows, with
/// constant finite weights. Errors name the place of the operation. The module must outlive the
/// result.
llvm::Expected<Network> readNetwork(mlir::ModuleOp module,
                                    NetworkExtent extent = NetworkExtent::Whole);

/// Encoders that make spikes (kind Input), neuron operations and maximum poolings of spikes in
/// program order. Names are those of the layers ("input" for an encoder), made unique by a number.
std::vector<Population> populationsOf(mlir::func::FuncOp function);

/// The signals that an operation reads: operands but for weights.
std::vector<mlir::Value> sourcesOf(mlir::Operation *op);

/// Whether an operation names a source but reads nothing of it: compressed rows without entries,
/// whose bias is an activation that does not depend on the sample.
bool ignoresSource(mlir::Operation *op);

/// The number of the first neuron of a population of the function.
NeuronId firstNeuronOf(mlir::Operation *population);

/// What outputs the spikes that come back: a population, or the gather of a divided one.
mlir::Operation *populationOf(snn::FeedbackOp feedback);
/// That of each feedback of a network; looking for one takes as long as for all.
llvm::DenseMap<mlir::Operation *, mlir::Operation *> populationsOfFeedback(const Network &network);

/// The gather of the spikes of a divided population; none where all its neurons are here.
snn::GatherOp gatherOf(mlir::Operation *population);

/// The populations of the network that a part was made of: of the network itself, where it is
/// whole.
std::vector<Population> wholePopulations(const Network &network);

/// The constant floats of an operand of a checked network; empty for an absent operand.
std::vector<float> constantOf(mlir::Value value);

using snn::nameOf;

/// file:line:column of an operation, or its name where it came from no file.
std::string placeOrNameOf(mlir::Operation *op);

} // namespace spindle
