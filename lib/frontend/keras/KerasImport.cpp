// The layers of a Keras network in order, each by the function of its kind.
#include "lib/frontend/Import.h"
#include "lib/frontend/keras/KerasLayer.h"

#include "fmt/format.h"
#include "fmt/ranges.h"

#include <set>

using namespace mlir;

namespace spindle {

static std::map<std::string, KerasLayerKind> allKinds() {
  std::map<std::string, KerasLayerKind> kinds;
  for (llvm::ArrayRef<KerasLayerKind> table : {kerasWeights(), kerasPools(), kerasShapes()})
    for (const KerasLayerKind &kind : table)
      kinds.emplace(kind.name, kind);
  return kinds;
}

/// The layers after which nothing but arrangements and the last activation come.
static std::set<std::string> findEnd(const KerasModel &model) {
  static const std::set<std::string> harmless = {"Activation", "Dropout", "Flatten", "Reshape",
                                                 "Softmax"};
  std::set<std::string> end = {model.output};
  for (auto layer = model.layers.rbegin(); layer != model.layers.rend(); ++layer) {
    auto activation = layer->config.find("activation");
    bool keepsOrder =
        activation == layer->config.end() ||
        llvm::is_contained({Json("linear"), Json("softmax"), Json("sigmoid")}, *activation);
    bool passes = harmless.count(layer->kind) && (layer->kind != "Activation" || keepsOrder);
    if (passes && end.count(layer->name))
      end.insert(layer->sources.begin(), layer->sources.end());
  }
  return end;
}

static const char *reasonFor(const std::string &kind) {
  static const std::set<std::string> recurrent = {"LSTM",       "GRU",           "SimpleRNN",
                                                  "ConvLSTM2D", "Bidirectional", "TimeDistributed"};
  static const std::set<std::string> curved = {"LeakyReLU", "PReLU", "ELU", "ThresholdedReLU"};
  if (recurrent.count(kind))
    return "; recurrent layers are read from NIR files";
  if (curved.count(kind))
    return "; a spiking neuron approximates rectifiers only, train with ReLU instead";
  return "";
}

static llvm::Expected<Tensor> convert(const KerasLayerFile &file,
                                      const std::map<std::string, KerasLayerKind> &kinds,
                                      std::vector<Tensor> inputs, bool atEnd, AnnBuilder &builder) {
  auto kind = kinds.find(file.kind);
  if (kind == kinds.end()) {
    std::vector<std::string> names;
    for (const auto &[name, entry] : kinds)
      names.push_back(name);
    return builder.refuse(fmt::format("layer is not supported{}; supported: {}",
                                      reasonFor(file.kind), fmt::join(names, ", ")));
  }
  return kind->second.function(KerasLayer(file, std::move(inputs), atEnd, builder));
}

llvm::Expected<OwningOpRef<ModuleOp>> importKeras(MLIRContext &context,
                                                  const ModelOptions &options) {
  SPINDLE_ASSIGN(KerasModel model, readKerasModel(options.path));
  AnnBuilder builder(context, UnknownLoc::get(&context));
  builder.enter(fmt::format("{}: input", options.path), UnknownLoc::get(&context));
  bool channelsLast = options.inputLayout == InputLayout::Auto
                          ? model.channelsLast && model.input.size() == 4
                          : options.inputLayout == InputLayout::Nhwc;
  SPINDLE_ASSIGN(Tensor input, builder.input(model.input, channelsLast));

  const std::map<std::string, KerasLayerKind> kinds = allKinds();
  const std::set<std::string> end = findEnd(model);
  std::map<std::string, Tensor> values;
  for (const KerasLayerFile &layer : model.layers) {
    builder.enter(model.placeOf(layer), NameLoc::get(StringAttr::get(&context, layer.name)),
                  layer.name);
    std::vector<Tensor> inputs;
    for (const std::string &source : layer.sources)
      inputs.push_back(values.at(source));
    if (inputs.empty())
      inputs.push_back(input);
    SPINDLE_ASSIGN(values[layer.name],
                   convert(layer, kinds, std::move(inputs), end.count(layer.name) != 0, builder));
  }
  auto result = values.find(model.output);
  if (result == values.end())
    return builder.refuse(fmt::format("the output is layer '{}', which is absent", model.output));
  return builder.finish(result->second);
}

} // namespace spindle
