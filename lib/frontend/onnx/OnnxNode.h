// What the function of an ONNX operator sees of its node.
#pragma once

#include "lib/frontend/AnnBuilder.h"

#include "onnx/onnx_pb.h"

namespace spindle {

class OnnxNode {
public:
  OnnxNode(const onnx::NodeProto &node, std::vector<Tensor> inputValues, int64_t operatorSet,
           bool last, size_t wanted, AnnBuilder &graph)
      : builder(graph), opset(operatorSet), atEnd(last), output(wanted), proto(node),
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
  llvm::Expected<std::vector<double>> numbers(const char *name) const; // none where absent
  llvm::Expected<std::string> word(const char *name, const char *standard) const;
  llvm::Expected<const onnx::TensorProto *> tensor(const char *name) const;
  bool hasAttribute(const char *name) const;
  size_t inputCount() const { return inputs.size(); }
  size_t outputCount() const { return size_t(proto.output_size()); }

  /// Integers from an attribute of older operator sets, or from a constant input since.
  llvm::Expected<Shape> integersOrInput(const char *name, size_t index, bool isBound = false) const;
  /// The integers of a constant input. A bound may be the largest or smallest integer of 64 bits,
  /// "to the end"; it is cut to what a double holds.
  llvm::Expected<Shape> constantIntegers(size_t index, bool isBound = false) const;
  /// The numbers of a constant input.
  llvm::Expected<std::vector<double>> constantNumbers(size_t index) const;
  /// A float from an attribute of older operator sets, or from a constant input since.
  llvm::Expected<double> numberOrInput(const char *name, size_t index, double standard) const;
  /// A dimension of `rank`, counted from the end where negative.
  llvm::Expected<size_t> dimension(int64_t axis, size_t rank) const;
  llvm::Error refuse(const std::string &message) const { return builder.refuse(message); }

  AnnBuilder &builder;
  const int64_t opset;
  const bool atEnd;    // nothing but arrangements follow it
  const size_t output; // which of its outputs is asked for

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
  bool manyOutputs = false; // the function is called for each, the others have the first only
};

constexpr size_t onnxAnyInputs = 1 << 20;

/// Tables, sorted by name; each in the file of its concern.
llvm::ArrayRef<OnnxOperator> onnxArithmetic();   // OnnxArithmetic.cpp
llvm::ArrayRef<OnnxOperator> onnxActivations();  // OnnxActivations.cpp
llvm::ArrayRef<OnnxOperator> onnxArrangements(); // OnnxArrangements.cpp
llvm::ArrayRef<OnnxOperator> onnxConstants();    // OnnxConstants.cpp
llvm::ArrayRef<OnnxOperator> onnxWindows();      // OnnxWindows.cpp
llvm::ArrayRef<OnnxOperator> onnxReductions();   // OnnxReductions.cpp
llvm::ArrayRef<OnnxOperator> onnxResizing();     // OnnxResizing.cpp
llvm::ArrayRef<OnnxOperator> onnxShapes();       // OnnxShapes.cpp

/// Why an operator that exists is not supported; null where nothing is known of it.
const char *onnxRefusal(llvm::StringRef name); // OnnxRefusals.cpp

} // namespace spindle
