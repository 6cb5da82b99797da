// Operators that are known and refused, with the reason: what a user can do depends on it.
#include "lib/frontend/onnx/OnnxNode.h"

#include "llvm/ADT/StringSwitch.h"

namespace spindle {

const char *onnxRefusal(llvm::StringRef name) {
  static const char curve[] =
      "a spiking neuron approximates rectifiers only: train with Relu or a bounded Relu (Clip "
      "from zero) instead";
  static const char sample[] =
      "its factors depend on the sample, which no fixed weights express: train with "
      "BatchNormalization instead";
  static const char control[] =
      "control flow is not supported: export the network with its loops unrolled and its branches "
      "decided";
  static const char recurrent[] = "recurrent layers are read from NIR files, not from ONNX";
  static const char product[] =
      "it multiplies or compares activations with each other, which is no synapse";
  return llvm::StringSwitch<const char *>(name)
      .Cases({"LeakyRelu", "PRelu", "Elu", "Selu", "Celu", "Gelu", "Tanh", "HardSigmoid",
              "HardSwish", "Mish", "Softplus", "Softsign", "ThresholdedRelu", "Shrink", "Erf",
              "Sin", "Cos"},
             curve)
      .Cases({"MeanVarianceNormalization", "InstanceNormalization", "LayerNormalization",
              "GroupNormalization", "LRN", "LpNormalization", "RMSNormalization"},
             sample)
      .Cases({"QLinearConv", "QLinearMatMul", "QLinearAdd", "QGemm", "ConvInteger", "MatMulInteger",
              "DynamicQuantizeLinear"},
             "it computes in integers: import the model as it was before it was quantised, and "
             "quantise it by the section fixed_point of the flow")
      .Cases({"If", "Loop", "Scan", "SequenceMap"}, control)
      .Cases({"RNN", "LSTM", "GRU"}, recurrent)
      .Cases({"ReduceMin", "ReduceL1", "ReduceL2", "ReduceProd", "ReduceLogSumExp", "Where",
              "Greater", "Less", "Equal", "Einsum", "TopK", "NonMaxSuppression", "Attention"},
             product)
      .Case("LpPool", "use AveragePool or MaxPool instead")
      .Case("ConvTranspose", "transposed convolution is not supported: use Resize and Conv instead")
      .Cases({"NonZero", "Unique", "Compress", "Range"},
             "the shape of its result depends on the values, shapes must be fixed")
      .Default(nullptr);
}

} // namespace spindle
