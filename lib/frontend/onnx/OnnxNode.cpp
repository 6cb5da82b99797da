#include "lib/frontend/onnx/OnnxNode.h"

#include "fmt/format.h"

#include <algorithm>

namespace spindle {

using Attribute = onnx::AttributeProto;

llvm::Expected<const Attribute *> OnnxNode::find(const char *name,
                                                 Attribute::AttributeType type) const {
  for (const Attribute &attribute : proto.attribute()) {
    if (attribute.name() != name)
      continue;
    if (attribute.type() != type)
      return refuse(fmt::format("attribute '{}' has another type than {}", name,
                                onnx::AttributeProto_AttributeType_Name(type)));
    return &attribute;
  }
  return nullptr;
}

llvm::Expected<int64_t> OnnxNode::integer(const char *name, int64_t standard) const {
  SPINDLE_ASSIGN(const Attribute *found, find(name, Attribute::INT));
  return found ? found->i() : standard;
}

llvm::Expected<double> OnnxNode::number(const char *name, double standard) const {
  SPINDLE_ASSIGN(const Attribute *found, find(name, Attribute::FLOAT));
  return found ? found->f() : standard;
}

llvm::Expected<Shape> OnnxNode::integers(const char *name, Shape standard) const {
  SPINDLE_ASSIGN(const Attribute *found, find(name, Attribute::INTS));
  return found ? Shape(found->ints().begin(), found->ints().end()) : standard;
}

llvm::Expected<std::vector<double>> OnnxNode::numbers(const char *name) const {
  SPINDLE_ASSIGN(const Attribute *found, find(name, Attribute::FLOATS));
  return found ? std::vector<double>(found->floats().begin(), found->floats().end())
               : std::vector<double>();
}

llvm::Expected<std::string> OnnxNode::word(const char *name, const char *standard) const {
  SPINDLE_ASSIGN(const Attribute *found, find(name, Attribute::STRING));
  return found ? found->s() : standard;
}

llvm::Expected<const onnx::TensorProto *> OnnxNode::tensor(const char *name) const {
  SPINDLE_ASSIGN(const Attribute *found, find(name, Attribute::TENSOR));
  return found ? &found->t() : nullptr;
}

llvm::Expected<std::vector<double>> OnnxNode::constantNumbers(size_t index) const {
  if (!has(index) || !input(index).isConstant())
    return refuse(
        fmt::format("input {} is absent or depends on the input of the network, expected a "
                    "constant",
                    index));
  std::vector<double> values = input(index).values;
  values.resize(size_t(spindle::sizeOf(input(index).shape)), values.front());
  return values;
}

llvm::Expected<Shape> OnnxNode::constantIntegers(size_t index, bool isBound) const {
  const Tensor &tensor = input(index);
  constexpr double limit = 9007199254740992.0; // 2^53: doubles hold every integer up to here
  Shape integers;
  for (double value : tensor.values) {
    if (isBound)
      value = std::clamp(value, -limit, limit);
    if (!(value >= -limit && value <= limit))
      return refuse(fmt::format("input {} holds {}, expected an integer", index, value));
    integers.push_back(static_cast<int64_t>(value));
  }
  if (!tensor.isConstant())
    return refuse(
        fmt::format("input {} depends on the input of the network, expected a constant", index));
  // A single value stands for all elements.
  if (integers.size() == 1)
    integers.resize(size_t(spindle::sizeOf(tensor.shape)), integers.front());
  return integers;
}

llvm::Expected<Shape> OnnxNode::integersOrInput(const char *name, size_t index,
                                                bool isBound) const {
  if (has(index))
    return constantIntegers(index, isBound);
  return integers(name, {});
}

llvm::Expected<double> OnnxNode::numberOrInput(const char *name, size_t index,
                                               double standard) const {
  if (!has(index))
    return number(name, standard);
  const Tensor &tensor = input(index);
  if (!tensor.isConstant() || spindle::sizeOf(tensor.shape) != 1)
    return refuse(fmt::format("input {} is {}, expected a constant of one value", index,
                              tensor.isConstant() ? toText(tensor.shape) : "an activation"));
  return tensor.at(0);
}

bool OnnxNode::hasAttribute(const char *name) const {
  for (const Attribute &attribute : proto.attribute())
    if (attribute.name() == name)
      return true;
  return false;
}

llvm::Expected<size_t> OnnxNode::dimension(int64_t axis, size_t rank) const {
  int64_t result = axis < 0 ? axis + int64_t(rank) : axis;
  if (result < 0 || result >= int64_t(rank))
    return refuse(fmt::format("axis is {}, expected a dimension of {}", axis, rank));
  return size_t(result);
}

} // namespace spindle
