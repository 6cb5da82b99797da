// On which ways spikes reach the neurons of a population.
#pragma once

#include "core/support/Error.h"
#include "dialects/snn/Snn.h"

#include "llvm/ADT/SmallVector.h"

#include <functional>
#include <memory>

namespace spindle::snn_to_loops {

/// One way, from the spikes of an encoder or a population to the currents that neurons add up.
struct Feed {
  mlir::Value spikes;
  int64_t delay = 0;                          // steps by which they come later
  llvm::SmallVector<snn::MaxPool2dOp> maxima; // that they go through, the first one first
  llvm::SmallVector<int64_t> shape;           // of the input of the weights
  std::function<int64_t(int64_t)> inputOf; // of an element that comes out of the maxima; −1: none
  mlir::Operation *weights = nullptr;      // dense, conv2d, sum_pool2d or scale, all there is
  bool isDirect = false;                   // the spikes are the currents
  std::shared_ptr<const snn::LinearMap> map = {}; // of the elements, where it is none of these
};

/// All ways of the currents of `population`. A way is a chain of linear operations behind a delay
/// and maxima of windows; those that only say which input an element is (views, parts of a
/// concatenation, sums of windows that share no element) are in `inputOf`, and what is left is one
/// operation or a map. Errors: an operation that has no form in events, by name.
llvm::Expected<llvm::SmallVector<Feed>> feedsOf(snn::NeuronOp population);

/// What the currents of a population are beside its spikes, one value per neuron. Errors: a bias
/// that is not constant, or no integer.
llvm::Expected<std::vector<int64_t>> biasesOf(snn::NeuronOp population);

/// The largest amount of its currents in a step, of their partial sums too.
llvm::Expected<int64_t> mostOfCurrents(snn::NeuronOp population);

/// The encoder or population of a signal, behind views.
mlir::Value behindViews(mlir::Value signal);

} // namespace spindle::snn_to_loops
