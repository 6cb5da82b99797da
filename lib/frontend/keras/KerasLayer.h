// What the function of a Keras layer sees of it.
#pragma once

#include "lib/frontend/AnnBuilder.h"
#include "lib/frontend/keras/KerasModel.h"

namespace spindle {

class KerasLayer {
public:
  KerasLayer(const KerasLayerFile &layer, std::vector<Tensor> values, bool last, AnnBuilder &graph)
      : builder(graph), inputs(std::move(values)), atEnd(last), file(layer) {}

  const Tensor &input() const { return inputs.front(); }

  // Configuration; `standard` where the key is absent or null.
  llvm::Expected<std::string> word(const char *key, const char *standard) const;
  llvm::Expected<double> number(const char *key, double standard) const;
  llvm::Expected<bool> flag(const char *key, bool standard) const;
  /// `count` whole numbers; a single one stands for all.
  llvm::Expected<Shape> integers(const char *key, size_t count, int64_t standard) const;
  /// All whole numbers of a list, nested ones one after the other.
  llvm::Expected<Shape> list(const char *key) const;
  /// All numbers of a list or one alone, nested ones one after the other.
  llvm::Expected<std::vector<double>> numbers(const char *key) const;
  bool has(const char *key) const;

  /// A weight by the name of its role: kernel, bias, gamma, …
  llvm::Expected<Tensor> weight(const char *role) const;
  bool hasWeight(const char *role) const { return file.weights->count(role) != 0; }
  /// Adds the weight `bias` where the layer uses one; `axis` counts the channels of `x`.
  llvm::Expected<Tensor> addBias(const Tensor &x, size_t axis) const;
  /// The function of the key `activation`.
  llvm::Expected<Tensor> activate(const Tensor &x) const;
  llvm::Expected<Tensor> activate(const Tensor &x, const std::string &function) const;
  /// As the layer ReLU does, with its own configuration or that of an activation.
  llvm::Expected<Tensor> rectify(const Tensor &x) const { return rectify(x, file.config); }

  /// The input with its channels first, and a result back in the layer's own order.
  llvm::Expected<Tensor> channelsFirst(const Tensor &x) const;
  llvm::Expected<Tensor> ownOrder(const Tensor &x) const;
  llvm::Expected<bool> isChannelsLast() const;
  llvm::Error refuse(const std::string &message) const { return builder.refuse(message); }

  AnnBuilder &builder;
  const std::vector<Tensor> inputs;
  const bool atEnd; // nothing but arrangements follow it

private:
  const Json *find(const char *key) const;
  llvm::Expected<double> number(const Json &config, const char *key, double standard) const;
  llvm::Expected<Tensor> rectify(const Tensor &x, const Json &config) const;
  const KerasLayerFile &file;
};

/// How one kind of layer is added to the graph.
struct KerasLayerKind {
  using Function = llvm::Expected<Tensor> (*)(const KerasLayer &);
  const char *name;
  Function function;
};

/// Tables, sorted by name; each in the file of its concern.
llvm::ArrayRef<KerasLayerKind> kerasWeights(); // KerasWeights.cpp
llvm::ArrayRef<KerasLayerKind> kerasPools();   // KerasPools.cpp
llvm::ArrayRef<KerasLayerKind> kerasShapes();  // KerasShapes.cpp

/// Strides, padding and dilation of a layer with windows over `dimensions` dimensions; `kernel`
/// over these.
llvm::Expected<Window> kerasWindow(const KerasLayer &layer, const Tensor &image, Shape kernel,
                                   const char *stridesKey = "strides");

} // namespace spindle
