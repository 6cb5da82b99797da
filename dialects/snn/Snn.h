// The snn dialect in C++.
#pragma once

#include "core/network/RandomRows.h"
#include "core/network/Samples.h"
#include "dialects/snn/NeuronModel.h"
#include "dialects/snn/neuron-level/SingleNeuron.h"
#include "dialects/snn/synapses/LinearMap.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "dialects/snn/Snn.h.inc"
#include "dialects/snn/SnnEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/snn/SnnAttrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "dialects/snn/SnnTypes.h.inc"

#include "dialects/snn/SnnInterfaces.h.inc"

#define GET_OP_CLASSES
#include "dialects/snn/SnnOps.h.inc"

#define GET_OP_CLASSES
#include "dialects/snn/neuron-level/NeuronLevelOps.h.inc"

#include <vector>

namespace spindle::snn {

/// Extents of a signal: an activation, a bundle or a current.
llvm::ArrayRef<int64_t> shapeOf(mlir::Type signal);
inline llvm::ArrayRef<int64_t> shapeOf(mlir::Value signal) { return shapeOf(signal.getType()); }

/// Elements of a signal.
int64_t sizeOf(mlir::Type signal);
inline int64_t sizeOf(mlir::Value signal) { return sizeOf(signal.getType()); }

/// What `snn.encode` is given for samples that are encoded so.
Encoding encodingOf(InputEncoding encoding);

/// Whether a signal has a value per step rather than one per sample.
bool runsInTime(mlir::Type signal);

/// The type of what a synapse of output `shape` makes from `input`: activations from activations,
/// else current.
mlir::Type synapseResult(mlir::Type input, llvm::ArrayRef<int64_t> shape);

/// The type `signal` with another shape.
mlir::Type withShape(mlir::Type signal, llvm::ArrayRef<int64_t> shape);

/// The floats of a constant operand, row-major; fails when it is not constant.
mlir::FailureOr<std::vector<float>> constantFloats(mlir::Value value);

/// A constant of f32 values before `anchor`'s insertion point.
mlir::Value makeConstant(mlir::OpBuilder &builder, mlir::Location location,
                         llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<float> values);

/// The `layer` attribute, or an empty string.
llvm::StringRef layerOf(mlir::Operation *op);

} // namespace spindle::snn
