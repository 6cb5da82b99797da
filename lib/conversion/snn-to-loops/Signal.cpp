#include "lib/conversion/snn-to-loops/Signal.h"

#include "dialects/location/Location.h"
#include "dialects/snn/IntegerRange.h"

#include "fmt/format.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;

namespace spindle::snn_to_loops {

constexpr double kMostAmount = 1LL << 40; // of a sum; sums and products stay below 64 bits

IntegerType Signal::type() const {
  return cast<IntegerType>(cast<MemRefType>(array.getType()).getElementType());
}

bool isHosts(Operation *op) {
  if (op->getNumResults() != 1 || snn::runsInTime(op->getResult(0).getType()) || op->use_empty())
    return false;
  return llvm::all_of(op->getUsers(),
                      [](Operation *user) { return isa<snn::EncodeOp>(user) || isHosts(user); });
}

unsigned bitsFor(int64_t most) { return llvm::Log2_64(uint64_t(std::max<int64_t>(most, 1))) + 2; }

llvm::Error layerError(Operation *op, const std::string &message) {
  return inputError(placeOf(op), fmt::format("layer '{}' {}", snn::nameOf(op), message));
}

std::vector<int64_t> toIntegers(const std::vector<float> &values) {
  return {values.begin(), values.end()};
}

static llvm::Error notInteger(Operation *op, const std::string &what, float value) {
  return layerError(op, fmt::format("has the {} {}, expected integers; quantise it first (section "
                                    "fixed_point, pass snn-quantize-weights)",
                                    what, value));
}

llvm::Expected<std::vector<int64_t>> integersOf(Operation *op, Value operand, const char *what) {
  FailureOr<std::vector<float>> values = snn::constantFloats(operand);
  if (failed(values))
    return layerError(op, fmt::format("has a {} that is not constant", what));
  for (float value : *values)
    if (value != std::trunc(value) || std::abs(value) > float(snn::kExactSums))
      return notInteger(op, what, value);
  return toIntegers(*values);
}

llvm::Expected<int64_t> mostOfSums(snn::SynapseOp synapse, ArrayRef<int64_t> inputs) {
  std::vector<snn::IntegerRange> sources;
  for (int64_t input : inputs)
    sources.push_back({-double(input), double(input), double(input)});
  snn::NotInteger fault;
  FailureOr<snn::IntegerRange> range = snn::rangeOfSums(synapse, sources, &fault);
  if (failed(range))
    return fault.what.empty() ? layerError(synapse, "has weights that are not constant")
                              : notInteger(synapse, fault.what, fault.value);
  if (range->most > kMostAmount)
    return layerError(synapse, fmt::format("has currents of up to {:.0f}, expected at most 2^40; "
                                           "use fewer bits for the weights",
                                           range->most));
  return int64_t(range->most);
}

} // namespace spindle::snn_to_loops
