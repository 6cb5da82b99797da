#include "lib/frontend/onnx/OnnxNode.h"

#include "fmt/format.h"

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

llvm::Expected<std::string> OnnxNode::word(const char *name, const char *standard) const {
  SPINDLE_ASSIGN(const Attribute *found, find(name, Attribute::STRING));
  return found ? found->s() : standard;
}

llvm::Expected<const onnx::TensorProto *> OnnxNode::tensor(const char *name) const {
  SPINDLE_ASSIGN(const Attribute *found, find(name, Attribute::TENSOR));
  return found ? &found->t() : nullptr;
}

llvm::Expected<Shape> OnnxNode::constantIntegers(size_t index) const {
  const Tensor &tensor = input(index);
  constexpr double limit = 9007199254740992.0; // 2^53: doubles hold every integer up to here
  Shape integers;
  for (double value : tensor.values) {
    if (!(value >= -limit && value <= limit))
      return refuse(fmt::format("input {} holds {}, expected an integer", index, value));
    integers.push_back(static_cast<int64_t>(value));
  }
  if (!tensor.isConstant())
    return refuse(
        fmt::format("input {} depends on the input of the network, expected a constant", index));
  return integers;
}

llvm::Expected<Shape> OnnxNode::integersOrInput(const char *name, size_t index) const {
  if (has(index))
    return constantIntegers(index);
  return integers(name, {});
}

} // namespace spindle
