#include "lib/conversion/snn-to-loops/Signal.h"

#include "dialects/location/Location.h"

#include "fmt/format.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;

namespace spindle::snn_to_loops {

constexpr double kMostAmount = 1LL << 40; // of a sum; sums and products stay below 64 bits

IntegerType Signal::type() const {
  return cast<IntegerType>(cast<MemRefType>(array.getType()).getElementType());
}

unsigned bitsFor(int64_t most) { return llvm::Log2_64(uint64_t(std::max<int64_t>(most, 1))) + 2; }

std::string layerNameOf(Operation *op) {
  if (StringRef layer = snn::layerOf(op); !layer.empty())
    return layer.str();
  unsigned place = 1;
  for (Operation *other = op->getPrevNode(); other; other = other->getPrevNode())
    place += other->getName() == op->getName();
  return fmt::format("{}{}", op->getName().stripDialect().str(), place);
}

llvm::Error layerError(Operation *op, const std::string &message) {
  return inputError(placeOf(op), fmt::format("layer '{}' {}", layerNameOf(op), message));
}

std::vector<int64_t> toIntegers(const std::vector<float> &values) {
  return {values.begin(), values.end()};
}

llvm::Expected<std::vector<int64_t>> integersOf(Operation *op, Value operand, const char *what) {
  FailureOr<std::vector<float>> values = snn::constantFloats(operand);
  if (failed(values))
    return layerError(op, fmt::format("has a {} that is not constant", what));
  for (float value : *values)
    if (value != std::trunc(value) || std::abs(value) > float(1 << 24))
      return layerError(op, fmt::format("has the {} {}, expected integers; quantise it first "
                                        "(section fixed_point, pass snn-quantize-weights)",
                                        what, value));
  return toIntegers(*values);
}

llvm::Expected<int64_t> mostOfSums(snn::SynapseOp synapse, ArrayRef<int64_t> inputs) {
  std::vector<double> sums(size_t(snn::sizeOf(synapse.getTarget())), 0);
  for (auto [source, input] : llvm::enumerate(inputs)) {
    FailureOr<snn::LinearMap> map = synapse.linearMap(unsigned(source));
    if (failed(map))
      return layerError(synapse, "has weights that are not constant");
    for (size_t output = 0; output < sums.size(); ++output) {
      sums[output] += std::abs(double(map->bias[output]));
      for (size_t k = map->offsets[output]; k < map->offsets[output + 1]; ++k)
        sums[output] += std::abs(double(map->weights[k])) * double(input);
    }
  }
  double most = *std::max_element(sums.begin(), sums.end());
  if (most > kMostAmount)
    return layerError(synapse, fmt::format("has currents of up to {:.0f}, expected at most 2^40; "
                                           "use fewer bits for the weights",
                                           most));
  return int64_t(most);
}

} // namespace spindle::snn_to_loops
