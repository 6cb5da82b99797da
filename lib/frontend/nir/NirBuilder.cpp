#include "lib/frontend/nir/NirBuilder.h"

#include "fmt/format.h"
#include "fmt/ranges.h"

#include <algorithm>
#include <cmath>

using namespace mlir;

namespace spindle {

llvm::Expected<const NirArray *> NirBuilder::numbers(const std::string &name) const {
  auto found = node.parameters.find(name);
  if (found == node.parameters.end())
    return refuse(fmt::format("parameter '{}' is absent in this {}", name, node.type));
  const NirArray &array = found->second;
  if (array.type == NirType::Texts)
    return refuse(fmt::format("parameter '{}' holds texts, expected numbers", name));
  if (array.numbers.empty())
    return refuse(fmt::format("parameter '{}' is empty", name));
  for (double number : array.numbers)
    if (!std::isfinite(number) || !std::isfinite(static_cast<float>(number)))
      return refuse(fmt::format("parameter '{}' holds {}, expected finite numbers", name, number));
  return &array;
}

llvm::Expected<std::vector<int64_t>> NirBuilder::integers(const std::string &name,
                                                          size_t count) const {
  SPINDLE_ASSIGN(const NirArray *array, numbers(name));
  if (array->numbers.size() != count && array->numbers.size() != 1)
    return refuse(fmt::format("parameter '{}' has {} values, expected {}", name,
                              array->numbers.size(), count));
  std::vector<int64_t> values;
  for (double number : array->numbers) {
    if (std::fabs(number) > 1e9)
      return refuse(
          fmt::format("parameter '{}' holds {}, expected numbers of at most 1e9", name, number));
    if (number != std::floor(number))
      return refuse(fmt::format("parameter '{}' holds {}, expected whole numbers", name, number));
    values.push_back(static_cast<int64_t>(number));
  }
  values.resize(count, values[0]);
  return values;
}

/// Whether the extents are (channels), (channels, 1, 1), …: NumPy would repeat them over the rest.
static bool isPerChannel(const std::vector<uint64_t> &extents, llvm::ArrayRef<int64_t> shape,
                         size_t count) {
  return !extents.empty() && extents.size() == shape.size() &&
         extents[0] == static_cast<uint64_t>(shape[0]) && count == extents[0];
}

llvm::Expected<std::vector<float>> NirBuilder::perNeuron(const std::string &name,
                                                         llvm::ArrayRef<int64_t> shape,
                                                         double factor,
                                                         std::optional<float> absent) const {
  if (absent && !has(name))
    return std::vector<float>{*absent};
  SPINDLE_ASSIGN(const NirArray *array, numbers(name));
  std::vector<float> values;
  for (double number : array->numbers)
    values.push_back(static_cast<float>(number * factor));
  size_t size = 1;
  for (int64_t extent : shape)
    size *= static_cast<size_t>(extent);
  if (values.size() != 1 && values.size() != size &&
      !isPerChannel(array->extents, shape, array->numbers.size()))
    return refuse(fmt::format("parameter '{}' has the shape ({}), the population ({})", name,
                              fmt::join(array->extents, ", "), fmt::join(shape, ", ")));
  if (llvm::all_equal(values))
    values.resize(1);
  return values;
}

Value NirBuilder::make(llvm::StringRef name, ValueRange operands, Type result,
                       llvm::ArrayRef<NamedAttribute> attributes) const {
  OperationState state(location, name, operands, result, attributes);
  state.addAttribute("layer", builder.getStringAttr(node.name));
  return builder.create(state)->getResult(0);
}

Value NirBuilder::constant(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<float> values) const {
  return snn::makeConstant(builder, location, shape, values);
}

Value NirBuilder::withEcho(Value current, int64_t steps, llvm::ArrayRef<float> weights) const {
  llvm::ArrayRef<int64_t> shape = snn::shapeOf(current);
  auto bundle = snn::SpikeBundleType::get(builder.getContext(), shape);
  OperationState back(location, "snn.feedback", ValueRange(), bundle);
  back.addAttribute("population", builder.getStringAttr(node.name));
  back.addAttribute("steps", builder.getI64IntegerAttr(steps));
  Value spikes = builder.create(back)->getResult(0);
  Type type = snn::synapseResult(bundle, shape);
  OperationState scale(location, "snn.scale", {spikes, constant(shape, weights)}, type);
  OperationState sum(location, "snn.add", {current, builder.create(scale)->getResult(0)}, type);
  return builder.create(sum)->getResult(0);
}

Value NirBuilder::toCurrent(Value signal) const {
  if (isa<snn::CurrentType>(signal.getType()))
    return signal;
  int64_t channels = snn::shapeOf(signal)[0];
  Value ones = constant({channels}, std::vector<float>(static_cast<size_t>(channels), 1));
  OperationState state(location, "snn.scale", {signal, ones},
                       snn::synapseResult(signal.getType(), snn::shapeOf(signal)));
  return builder.create(state)->getResult(0);
}

} // namespace spindle
