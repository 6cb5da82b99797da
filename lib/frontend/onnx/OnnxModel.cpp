#include "lib/frontend/onnx/OnnxModel.h"

#include "core/support/files/File.h"

#include "fmt/format.h"
#include "fmt/ranges.h"
#include "llvm/ADT/APFloat.h"

#include <climits>
#include <set>

namespace spindle {

/// The name by which users know a node.
static const std::string &nameOf(const onnx::NodeProto &node) {
  return node.name().empty() && node.output_size() > 0 ? node.output(0) : node.name();
}

std::string OnnxModel::placeOf(const onnx::NodeProto &node) const {
  return fmt::format("{}: node '{}' ({})", path, nameOf(node), node.op_type());
}

static llvm::Error parse(OnnxModel &model) {
  SPINDLE_ASSIGN(std::string bytes, readFile(model.path));
  if (bytes.size() > INT_MAX || !model.proto.ParseFromArray(bytes.data(), int(bytes.size())))
    return inputError(model.path,
                      "not an ONNX model: the file is cut short or no protobuf message");
  if (!model.proto.has_graph() || model.proto.graph().node_size() == 0)
    return inputError(model.path, "not an ONNX model: it has no graph with nodes");
  for (const onnx::OperatorSetIdProto &set : model.proto.opset_import())
    if (set.domain().empty() || set.domain() == "ai.onnx")
      model.opset = set.version();
  if (model.opset < onnxLeastOpset || model.opset > onnxMostOpset)
    return inputError(model.path, fmt::format("operator set {} is not supported, expected {} to {}",
                                              model.opset, onnxLeastOpset, onnxMostOpset));
  return llvm::Error::success();
}

/// Finds the one input that is no initializer, and the one output.
static llvm::Error findEnds(OnnxModel &model) {
  const onnx::GraphProto &graph = model.proto.graph();
  for (const onnx::TensorProto &tensor : graph.initializer())
    model.initializers.emplace(tensor.name(), &tensor);
  std::vector<std::string> inputs;
  for (const onnx::ValueInfoProto &value : graph.input())
    if (!model.initializers.count(value.name())) {
      model.input = &value;
      inputs.push_back(value.name());
    }
  std::set<std::string> outputs;
  for (const onnx::ValueInfoProto &value : graph.output())
    outputs.insert(value.name());
  if (inputs.size() != 1)
    return inputError(model.path, fmt::format("the model has {} inputs [{}], expected one",
                                              inputs.size(), fmt::join(inputs, ", ")));
  if (outputs.size() != 1)
    return inputError(model.path, fmt::format("the model has {} outputs [{}], expected one",
                                              outputs.size(), fmt::join(outputs, ", ")));
  model.output = *outputs.begin();
  return llvm::Error::success();
}

/// Depth first from the output; files may store nodes in any order.
static llvm::Error sort(OnnxModel &model) {
  std::map<std::string, const onnx::NodeProto *> makers;
  for (const onnx::NodeProto &node : model.proto.graph().node())
    for (const std::string &output : node.output())
      if (!output.empty() && !makers.emplace(output, &node).second)
        return inputError(model.placeOf(node), fmt::format("makes '{}', which another node makes "
                                                           "already",
                                                           output));

  struct Visit {
    const onnx::NodeProto *node;
    int next;
  };
  std::vector<Visit> stack;
  std::set<const onnx::NodeProto *> open, done; // only asked for membership
  auto visit = [&](const std::string &name, const std::string &place) -> llvm::Error {
    if (name.empty() || name == model.input->name() || model.initializers.count(name))
      return llvm::Error::success();
    auto maker = makers.find(name);
    if (maker == makers.end())
      return inputError(place, fmt::format("reads '{}', which no node makes", name));
    if (done.count(maker->second))
      return llvm::Error::success();
    if (!open.insert(maker->second).second)
      return inputError(place, fmt::format("reads '{}', which depends on it: a cycle", name));
    stack.push_back({maker->second, 0});
    return llvm::Error::success();
  };
  SPINDLE_RETURN_IF_ERROR(visit(model.output, model.path));
  while (!stack.empty()) {
    Visit &top = stack.back();
    if (top.next < top.node->input_size()) {
      const std::string &name = top.node->input(top.next++);
      SPINDLE_RETURN_IF_ERROR(visit(name, model.placeOf(*top.node)));
      continue;
    }
    open.erase(top.node);
    done.insert(top.node);
    model.order.push_back(top.node);
    stack.pop_back();
  }
  return llvm::Error::success();
}

llvm::Expected<std::unique_ptr<OnnxModel>> readOnnxModel(const std::string &path) {
  auto model = std::make_unique<OnnxModel>();
  model->path = path;
  SPINDLE_RETURN_IF_ERROR(parse(*model));
  SPINDLE_RETURN_IF_ERROR(findEnds(*model));
  SPINDLE_RETURN_IF_ERROR(sort(*model));
  return model;
}

/// Elements stored as raw little-endian bytes, or in the repeated field of their type.
template <typename T, typename Field>
static llvm::Expected<Tensor> decode(const onnx::TensorProto &proto, const Field &field,
                                     const std::string &place) {
  Tensor tensor = Tensor::constant(Shape(proto.dims().begin(), proto.dims().end()), {});
  const std::string &raw = proto.raw_data();
  size_t count = proto.has_raw_data() ? raw.size() / sizeof(T) : size_t(field.size());
  int64_t expected = 1;
  for (int64_t extent : tensor.shape) // an empty list says something, an empty matrix nothing
    if (extent < (tensor.shape.size() == 1 ? 0 : 1) ||
        __builtin_mul_overflow(expected, extent, &expected))
      expected = -1;
  if (expected < 0 || size_t(expected) != count ||
      (proto.has_raw_data() && raw.size() % sizeof(T) != 0))
    return inputError(place, fmt::format("tensor '{}' of shape {} holds {} values", proto.name(),
                                         toText(tensor.shape), count));
  for (size_t i = 0; i < count; ++i) {
    T value;
    if (proto.has_raw_data())
      std::memcpy(&value, raw.data() + i * sizeof(T), sizeof(T));
    else
      value = T(field.Get(int(i)));
    tensor.values.push_back(double(value));
  }
  return tensor;
}

llvm::Expected<Tensor> readOnnxTensor(const onnx::TensorProto &proto, const std::string &place) {
  switch (proto.data_type()) {
  case onnx::TensorProto::FLOAT:
    return decode<float>(proto, proto.float_data(), place);
  case onnx::TensorProto::DOUBLE:
    return decode<double>(proto, proto.double_data(), place);
  case onnx::TensorProto::INT32:
    return decode<int32_t>(proto, proto.int32_data(), place);
  case onnx::TensorProto::INT64:
    return decode<int64_t>(proto, proto.int64_data(), place);
  case onnx::TensorProto::BOOL:
  case onnx::TensorProto::UINT8:
    return decode<uint8_t>(proto, proto.int32_data(), place);
  case onnx::TensorProto::INT8: {
    SPINDLE_ASSIGN(Tensor tensor, decode<int8_t>(proto, proto.int32_data(), place));
    tensor.isSignedByte = true;
    return tensor;
  }
  case onnx::TensorProto::FLOAT16: {
    SPINDLE_ASSIGN(Tensor tensor, decode<uint16_t>(proto, proto.int32_data(), place));
    for (double &value : tensor.values)
      value = llvm::APFloat(llvm::APFloat::IEEEhalf(), llvm::APInt(16, uint64_t(value)))
                  .convertToDouble();
    return tensor;
  }
  default:
    const std::string &name =
        onnx::TensorProto_DataType_Name(static_cast<onnx::TensorProto_DataType>(proto.data_type()));
    return inputError(place, fmt::format("tensor '{}' has elements of type {}, expected FLOAT, "
                                         "DOUBLE, FLOAT16, INT8, UINT8, INT32, INT64 or BOOL",
                                         proto.name(),
                                         name.empty() ? std::to_string(proto.data_type()) : name));
  }
}

} // namespace spindle
