// What the signals of a network are in a program of integers.
#pragma once

#include "core/support/Error.h"
#include "dialects/snn/Names.h"
#include "dialects/snn/Snn.h"

namespace spindle::snn_to_loops {

/// An array steps × elements: spikes as i1, currents as signed integers.
struct Signal {
  mlir::Value array;
  int64_t most = 1;  // by amount
  int64_t lanes = 1; // of the nest that makes it

  mlir::IntegerType type() const;
  bool isSpikes() const { return type().getWidth() == 1; }
};

/// Whether encoders alone read what an operation computes, once per sample: their spikes come from
/// outside.
bool isHosts(mlir::Operation *op);

/// Bits of a signed integer that holds −most and most.
unsigned bitsFor(int64_t most);

/// An input error at an operation: `layer 'dense1' ` and what is wrong with it.
llvm::Error layerError(mlir::Operation *op, const std::string &message);

/// The constants of an operand as integers. Errors: it is not constant, a value is no integer.
llvm::Expected<std::vector<int64_t>> integersOf(mlir::Operation *op, mlir::Value operand,
                                                const char *what);

/// Parameters of a population, which are integers by the verifier.
std::vector<int64_t> toIntegers(const std::vector<float> &values);

/// The largest amount of a sum of the synapse's, of its partial sums too, for inputs of at most
/// these amounts, one for each of its sources.
llvm::Expected<int64_t> mostOfSums(snn::SynapseOp synapse, llvm::ArrayRef<int64_t> inputs);

} // namespace spindle::snn_to_loops
