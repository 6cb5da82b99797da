// Writes small ONNX models, node by node.
#pragma once

#include "onnx/onnx_pb.h"

#include <cstdint>
#include <string>
#include <vector>

namespace spindle {

class OnnxFile {
public:
  using Names = std::vector<std::string>;

  /// A model with input `x`; an extent of 0 stands for a symbolic one.
  explicit OnnxFile(const std::vector<int64_t> &input, int64_t opset = 13) {
    model.set_ir_version(8);
    model.add_opset_import()->set_version(opset);
    addValue(*model.mutable_graph()->add_input(), "x", input);
  }

  onnx::NodeProto &node(const std::string &type, const Names &inputs, const std::string &output) {
    onnx::NodeProto &node = *model.mutable_graph()->add_node();
    node.set_op_type(type);
    for (const std::string &name : inputs)
      node.add_input(name);
    node.add_output(output);
    return node;
  }
  void floats(const std::string &name, const std::vector<int64_t> &shape,
              const std::vector<float> &values, bool raw = false) {
    onnx::TensorProto &tensor = initializer(name, shape, onnx::TensorProto::FLOAT);
    if (raw)
      tensor.set_raw_data(values.data(), values.size() * sizeof(float));
    else
      for (float value : values)
        tensor.add_float_data(value);
  }
  void integers(const std::string &name, const std::vector<int64_t> &values) {
    onnx::TensorProto &tensor =
        initializer(name, {int64_t(values.size())}, onnx::TensorProto::INT64);
    for (int64_t value : values)
      tensor.add_int64_data(value);
  }
  void output(const std::string &name) { model.mutable_graph()->add_output()->set_name(name); }
  std::string bytes() const { return model.SerializeAsString(); }

  static void addValue(onnx::ValueInfoProto &value, const std::string &name,
                       const std::vector<int64_t> &shape) {
    value.set_name(name);
    onnx::TypeProto_Tensor &type = *value.mutable_type()->mutable_tensor_type();
    type.set_elem_type(onnx::TensorProto::FLOAT);
    for (int64_t extent : shape) {
      auto &dimension = *type.mutable_shape()->add_dim();
      if (extent > 0)
        dimension.set_dim_value(extent);
      else
        dimension.set_dim_param("N");
    }
  }
  onnx::TensorProto &initializer(const std::string &name, const std::vector<int64_t> &shape,
                                 onnx::TensorProto::DataType type) {
    onnx::TensorProto &tensor = *model.mutable_graph()->add_initializer();
    tensor.set_name(name);
    tensor.set_data_type(type);
    for (int64_t extent : shape)
      tensor.add_dims(extent);
    return tensor;
  }

  onnx::ModelProto model;
};

inline onnx::AttributeProto &attribute(onnx::NodeProto &node, const std::string &name,
                                       onnx::AttributeProto::AttributeType type) {
  onnx::AttributeProto &result = *node.add_attribute();
  result.set_name(name);
  result.set_type(type);
  return result;
}
inline void set(onnx::NodeProto &node, const std::string &name, int64_t value) {
  attribute(node, name, onnx::AttributeProto::INT).set_i(value);
}
inline void set(onnx::NodeProto &node, const std::string &name, float value) {
  attribute(node, name, onnx::AttributeProto::FLOAT).set_f(value);
}
inline void set(onnx::NodeProto &node, const std::string &name, const std::string &value) {
  attribute(node, name, onnx::AttributeProto::STRING).set_s(value);
}
inline void set(onnx::NodeProto &node, const std::string &name, const std::vector<float> &values) {
  onnx::AttributeProto &list = attribute(node, name, onnx::AttributeProto::FLOATS);
  for (float value : values)
    list.add_floats(value);
}
inline void set(onnx::NodeProto &node, const std::string &name,
                const std::vector<int64_t> &values) {
  onnx::AttributeProto &list = attribute(node, name, onnx::AttributeProto::INTS);
  for (int64_t value : values)
    list.add_ints(value);
}

} // namespace spindle
