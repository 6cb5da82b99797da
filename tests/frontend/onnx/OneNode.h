// Builds an ONNX model around one node and gives the error of its import.
#pragma once

#include "tests/frontend/Imported.h"

namespace spindle {

using Ints = std::vector<int64_t>;

/// Builds a model around one node, which makes `y` from `x` and other tensors.
struct OneNode {
  explicit OneNode(const std::string &type, Ints input = {1, 2, 4, 4}, int64_t opset = 13)
      : file(input, opset) {
    file.node(type, {"x"}, "y").set_name("n");
    file.output("y");
  }
  onnx::NodeProto &node() { return *file.model.mutable_graph()->mutable_node(0); }
  OneNode &with(const std::string &name, const Ints &shape, const std::vector<float> &values) {
    file.floats(name, shape, values);
    node().add_input(name);
    return *this;
  }
  OneNode &with(const std::string &name, const Ints &values) {
    file.integers(name, values);
    node().add_input(name);
    return *this;
  }
  template <typename T> OneNode &attribute(const std::string &name, const T &value) {
    set(node(), name, value);
    return *this;
  }
  std::string error() { return import(file).error; }
  /// Without the place, which `place` tests.
  std::string message() {
    std::string text = error();
    size_t at = text.find(" error: ");
    return at == std::string::npos ? "no error: " + text : text.substr(at + 8);
  }
  OnnxFile file;
};

inline std::vector<float> zeros(size_t count) { return std::vector<float>(count, 0); }

} // namespace spindle
