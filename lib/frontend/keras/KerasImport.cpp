// The layers of a Keras network in order, each by the function of its kind.
#include "lib/frontend/Import.h"
#include "lib/frontend/keras/KerasLayer.h"
#include "lib/frontend/keras/KerasLayout.h"

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
    if (passes && end.count(layer->value))
      for (const KerasSource &source : layer->sources)
        end.insert(source.value);
  }
  return end;
}

/// The layer of a value `network:0/layer:0`.
static std::string nameOfValue(llvm::StringRef value) {
  return value.rsplit('/').second.empty() ? value.rsplit(':').first.str()
                                          : value.rsplit('/').second.rsplit(':').first.str();
}

static const char *reasonFor(const std::string &kind) {
  static const std::set<std::string> recurrent = {"LSTM",       "GRU",           "SimpleRNN",
                                                  "ConvLSTM2D", "Bidirectional", "TimeDistributed"};
  static const std::set<std::string> curved = {"LeakyReLU", "PReLU", "ELU", "ThresholdedReLU"};
  static const std::set<std::string> normalised = {"GroupNormalization", "LayerNormalization",
                                                   "UnitNormalization"};
  if (normalised.count(kind))
    return "; its factors depend on the sample, train with BatchNormalization instead";
  if (kind == "Lambda")
    return "; its function is Python code, which the file does not hold: use layers instead";
  if (kind == "Conv2DTranspose" || kind == "Conv1DTranspose")
    return "; use UpSampling2D and Conv2D instead";
  if (recurrent.count(kind))
    return "; recurrent layers are read from NIR files";
  if (curved.count(kind))
    return "; a spiking neuron approximates rectifiers only, train with ReLU instead";
  return "";
}

/// Other layers than those of arithmetic would take a number for an image.
static llvm::Error checkNumbers(const KerasLayerFile &file, const AnnBuilder &builder) {
  for (const KerasSource &source : file.sources)
    if (source.number && !arithmeticOfKeras().count(file.kind))
      return builder.refuse(
          fmt::format("is called with the number {}, expected results of layers", *source.number));
  return llvm::Error::success();
}

/// A kernel with scales beside it, or with what LoRA adds, is not what the layer multiplies with.
static llvm::Error checkWeights(const KerasLayerFile &file, const AnnBuilder &builder) {
  static const std::set<std::string> read = {"kernel",
                                             "bias",
                                             "gamma",
                                             "beta",
                                             "moving_mean",
                                             "moving_variance",
                                             "depthwise_kernel",
                                             "pointwise_kernel",
                                             "mean",
                                             "variance",
                                             "count"};
  bool hasWeights = llvm::any_of(
      kerasWeights(), [&](const KerasLayerKind &each) { return each.name == file.kind; });
  for (const auto &[name, tensor] : *file.weights)
    if (hasWeights && !read.count(name))
      return builder.refuse(fmt::format("weight '{}' is not read, as those of quantised layers and "
                                        "of LoRA; save the model in plain numbers",
                                        name));
  return llvm::Error::success();
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
  SPINDLE_RETURN_IF_ERROR(checkWeights(file, builder));
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
    SPINDLE_RETURN_IF_ERROR(checkNumbers(layer, builder));
    std::vector<Tensor> inputs;
    for (const KerasSource &source : layer.sources)
      inputs.push_back(source.number ? Tensor::constant({}, {*source.number})
                                     : values.at(source.value));
    if (inputs.empty())
      inputs.push_back(input);
    SPINDLE_ASSIGN(values[layer.value],
                   convert(layer, kinds, std::move(inputs), end.count(layer.value) != 0, builder));
  }
  auto result = values.find(model.output);
  if (result == values.end())
    return builder.refuse(
        fmt::format("the output is layer '{}', which is absent", nameOfValue(model.output)));
  return builder.finish(result->second);
}

} // namespace spindle
