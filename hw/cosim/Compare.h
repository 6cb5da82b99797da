// Values as a test bench holds them, and the first one that is not what it has to be.
#pragma once

#include "core/kernel/KernelInterface.h"
#include "hw/cosim/harness/Exchange.h"

#include <functional>
#include <optional>

namespace spindle::hls {

/// The scalars and memories of one run on these arguments; words of banks that hold no element are
/// filled with a pattern.
BenchRun toRun(const KernelInterface &kernel, const std::vector<KernelArray> &arguments);

/// The arguments after a run that began with `before`, and the results.
Values fromOutcome(const KernelInterface &kernel, const BenchOutcome &outcome,
                   const std::vector<KernelArray> &before);

struct Mismatch {
  std::string text;   // where, what was found, what was expected
  uint64_t cycle = 0; // of the clock, since the beginning of the simulation
};

struct Comparison {
  uint64_t mismatches = 0;
  std::optional<Mismatch> first; // the one written first; those never written come last
};

/// What an element or token is to whoever asked for a run, by argument; bits that differ are set.
/// Its text stands before that of a mismatch.
using ElementName = std::function<std::string(size_t argument, size_t element, uint64_t bits)>;

/// Bit for bit, NaN equal to NaN.
Comparison compare(const KernelInterface &kernel, const BenchRun &run, const BenchOutcome &outcome,
                   const Values &found, const Values &expected, const ElementName &name = {});

} // namespace spindle::hls
