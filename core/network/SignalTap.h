// A place in a network whose signal somebody wants to see.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <string>

namespace spindle {

struct SignalTap {
  enum Place {
    Population, // the current that arrives at the population
    Source,     // what the operation with weights reads
    Result,     // what it makes of it
    Answer,     // the output of the network
  };
  std::string layer; // name of the population, or of the operation with weights; none for answers
  Place place = Population;
};

/// Receives a signal of one sample, step-major: steps × elements; one step where it does not change
/// in time. May be called from several threads, once per sample, in no order.
using SignalReader = llvm::function_ref<void(size_t sample, llvm::ArrayRef<float> signal)>;

} // namespace spindle
