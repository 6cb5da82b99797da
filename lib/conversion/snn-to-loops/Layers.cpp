// What the layers share.
#include "lib/conversion/snn-to-loops/Layers.h"

#include "fmt/format.h"

using namespace mlir;

namespace spindle::snn_to_loops {

llvm::Error checkLanes(const LayerTask &task, int64_t most, const char *what) {
  if (task.layer.lanes >= 1 && task.layer.lanes <= most)
    return llvm::Error::success();
  return inputError("", fmt::format("layer '{}' has {} lanes, expected 1 to {} (its {})",
                                    task.layer.name, task.layer.lanes, most, what));
}

Lanes::Lanes(int64_t elements, int64_t most)
    : count(elements), groups((elements + most - 1) / most),
      lanes((elements + groups - 1) / groups) {}

AffineExpr Lanes::room(AffineExpr number) const {
  return groups * lanes == count ? AffineExpr() : -number + (count - 1);
}

Value amount(const IntegerMath &math, const Signal &signal, Value element, unsigned bits) {
  if (!signal.isSpikes())
    return math.resize(element, bits);
  IntegerType type = math.program.integer(bits);
  return math.select(element, math.program.constant(type, 1), math.program.constant(type, 0));
}

Value weigh(const IntegerMath &math, const Signal &signal, Value element, Value weight,
            unsigned bits) {
  if (!signal.isSpikes())
    return math.multiply(weight, element, bits);
  return math.resize(math.select(element, weight, math.constant(weight, 0)), bits);
}

unsigned bitsOf(ArrayRef<int64_t> values) {
  int64_t most = 0;
  for (int64_t value : values)
    most = std::max(most, std::abs(value));
  return bitsFor(most);
}

llvm::Expected<Parameter> biasOf(const LayerTask &task, Value bias) {
  if (!bias)
    return Parameter();
  SPINDLE_ASSIGN(std::vector<int64_t> values, integersOf(task.op, bias, "bias"));
  if (llvm::all_of(values, [](int64_t value) { return value == 0; }))
    return Parameter();
  return task.program.parameter(task.layer.name, "bias", task.bits, std::move(values));
}

} // namespace spindle::snn_to_loops
