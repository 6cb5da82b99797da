// How a tensor kernel may work: sums side by side, values at a time, and what that costs.
#pragma once

#include "dialects/snn/Snn.h"

#include <string>
#include <vector>

namespace spindle {

struct TensorForm {
  int64_t lanes = 1, inputs = 1; // sums side by side, and what each of them takes at a time
  int64_t products = 1;          // in a cycle
  int64_t cycles = 0;            // per sample
};

/// A layer that is to be a tensor kernel.
struct TensorChoice {
  std::string name;
  bool isWindowed = false;
  std::vector<TensorForm> forms = {}; // each faster than the one before
  size_t chosen = 0;
  const TensorForm &form() const { return forms[chosen]; }
};

/// Of a dense layer at least so many lanes, which divide its neurons.
TensorChoice choiceOf(snn::DenseOp dense, int64_t leastLanes = 1);
/// All filters side by side, so many neighbours in a row of a window at a time; each place of the
/// padded image takes its turn.
TensorChoice choiceOf(snn::Conv2dOp convolution);

int64_t productsOf(const std::vector<TensorChoice> &layers);

/// The slowest layer becomes faster as long as it takes more than `enough` cycles and there are
/// products left for it, of `most` at a time. False where the slowest forms need more.
bool balance(std::vector<TensorChoice> &layers, double most, double enough = 0);

/// Of layers one after the other: while all of them take more than `enough` cycles, the layer that
/// gains the most cycles per product becomes faster. False where the slowest forms need more.
bool balanceSum(std::vector<TensorChoice> &layers, double most, double enough = 0);

/// The fewest cycles that each may take.
double fastest(const TensorChoice &layer);

} // namespace spindle
