// An ONNX file, parsed and put in order.
#pragma once

#include "core/support/Error.h"
#include "lib/frontend/Tensor.h"

#include "onnx/onnx_pb.h"

#include <map>
#include <memory>

namespace spindle {

struct OnnxModel {
  std::string path;
  onnx::ModelProto proto;
  int64_t opset = 0;
  const onnx::ValueInfoProto *input = nullptr;
  std::string output;
  std::map<std::string, const onnx::TensorProto *> initializers;
  /// The nodes that the output depends on, each after the makers of its inputs.
  std::vector<const onnx::NodeProto *> order;

  /// Where errors in a node are reported: file, name of the node (else of its output) and operator.
  std::string placeOf(const onnx::NodeProto &node) const;
};

/// The versions of the operator set that are understood.
constexpr int64_t onnxLeastOpset = 7, onnxMostOpset = 23;

/// Parses and checks a file: one input, one output, every value made once, no cycle.
llvm::Expected<std::unique_ptr<OnnxModel>> readOnnxModel(const std::string &path);

/// The values of a constant in the message, where `loadOnnxData` puts those of other files.
llvm::Expected<Tensor> readOnnxTensor(const onnx::TensorProto &proto, const std::string &place);

} // namespace spindle
