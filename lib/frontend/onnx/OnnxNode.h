// What the function of an ONNX operator sees of its node.
#pragma once

#include "lib/frontend/AnnBuilder.h"

#include "onnx/onnx_pb.h"

namespace spindle {

class OnnxNode {
public:
  OnnxNode(const onnx::NodeProto &node, std::vector<Tensor> inputValues, int64_t operatorSet,
           bool last, AnnBuilder &graph)
      : builder(graph), opset(operatorSet), atEnd(last), proto(node),
        inputs(std::move(inputValues)) {}

  /// An input by position; one that the file leaves out has no values.
  const Tensor &input(size_t index) const { return inputs[index]; }
  bool has(size_t index) const {
    return index < inputs.size() && (inputs[index].activation || !inputs[index].values.empty());
  }

  // Attributes; `standard` where the file leaves them out.
  llvm::Expected<int64_t> integer(const char *name, int64_t standard) const;
  llvm::Expected<double> number(const char *name, double standard) const;
  llvm::Expected<Shape> integers(const char *name, Shape standard) const;
  llvm::Expected<std::string> word(const char *name, const char *standard) const;
  llvm::Expected<const onnx::TensorProto *> tensor(const char *name) const;

  /// Integers from an attribute of older operator sets, or from a constant input since.
  llvm::Expected<Shape> integersOrInput(const char *name, size_t index) const;
  /// The integers of a constant input.
  llvm::Expected<Shape> constantIntegers(size_t index) const;
  llvm::Error refuse(const std::string &message) const { return builder.refuse(message); }

  AnnBuilder &builder;
  const int64_t opset;
  const bool atEnd; // nothing but arrangements follow it

private:
  llvm::Expected<const onnx::AttributeProto *> find(const char *name,
                                                    onnx::AttributeProto::AttributeType type) const;
  const onnx::NodeProto &proto;
  std::vector<Tensor> inputs;
};

/// One operator: the number of its inputs and the function that adds it to the graph.
struct OnnxOperator {
  using Function = llvm::Expected<Tensor> (*)(const OnnxNode &);
  const char *name;
  size_t leastInputs, mostInputs;
  Function function;
};

/// Tables, sorted by name; each in the file of its concern.
llvm::ArrayRef<OnnxOperator> onnxArithmetic(); // OnnxArithmetic.cpp
llvm::ArrayRef<OnnxOperator> onnxWindows();    // OnnxWindows.cpp
llvm::ArrayRef<OnnxOperator> onnxShapes();     // OnnxShapes.cpp

} // namespace spindle
