#include "lib/frontend/keras/KerasModel.h"

#include "fmt/format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include <set>

namespace spindle {

std::string KerasModel::placeOf(const KerasLayerFile &layer) const {
  return fmt::format("{}: layer '{}' ({})", path, layer.name, layer.kind);
}

/// Names of layers in `inbound_nodes`. Keras 2 writes lists [name, node, tensor, …], Keras 3
/// objects with `keras_history`: in both the name is a string followed by two numbers.
static void collectSources(const Json &node, std::vector<std::string> &sources, int depth = 32) {
  bool reference = node.is_array() && node.size() >= 3 && node[0].is_string() &&
                   node[1].is_number() && node[2].is_number();
  if (reference)
    sources.push_back(node[0].get<std::string>());
  else if (node.is_structured() && depth > 0)
    for (const Json &inner : node)
      collectSources(inner, sources, depth - 1);
}

/// All data sets below a group, by the last part of their names without `:0`.
static llvm::Error readWeights(const Hdf5Reader &file, const std::string &group,
                               KerasLayerFile &layer, int depth = 16) {
  if (depth == 0)
    return inputError(file.fileName(),
                      fmt::format("group '{}' is nested too deep, expected the weights of a layer "
                                  "within 16 groups",
                                  group));
  SPINDLE_ASSIGN(std::vector<std::string> names, file.members(group));
  for (const std::string &name : names) {
    std::string path = group + "/" + name;
    llvm::Expected<std::vector<std::string>> inner = file.members(path);
    if (inner) {
      SPINDLE_RETURN_IF_ERROR(readWeights(file, path, layer, depth - 1));
      continue;
    }
    llvm::consumeError(inner.takeError());
    SPINDLE_ASSIGN(std::vector<uint64_t> extents, file.shape(path));
    Tensor tensor = Tensor::constant(Shape(extents.begin(), extents.end()), {});
    SPINDLE_RETURN_IF_ERROR(file.read(path, tensor.values));
    if (tensor.values.empty())
      return inputError(
          file.fileName(),
          fmt::format("data set '{}' is empty, expected the numbers of a weight", path));
    layer.weights[llvm::StringRef(name).split(':').first.str()] = std::move(tensor);
  }
  return llvm::Error::success();
}

static llvm::Expected<KerasLayerFile> readLayer(const Hdf5Reader &file, const Json &entry,
                                                const std::vector<std::string> &before) {
  KerasLayerFile layer;
  layer.kind = entry.at("class_name").get<std::string>();
  layer.config = entry.at("config");
  layer.name = layer.config.value("name", entry.value("name", ""));
  if (entry.contains("inbound_nodes"))
    collectSources(entry.at("inbound_nodes"), layer.sources);
  else
    layer.sources = before;
  std::string group = "model_weights/" + layer.name;
  if (file.has(group)) {
    SPINDLE_RETURN_IF_ERROR(readWeights(file, group, layer));
  }
  return layer;
}

/// The shape of the input without its batch, from the layer that has it.
static llvm::Error readInputShape(const KerasLayerFile &layer, KerasModel &model) {
  for (const char *key : {"batch_input_shape", "batch_shape"}) {
    if (!layer.config.contains(key) || !layer.config.at(key).is_array() || !model.input.empty())
      continue;
    const Json &shape = layer.config.at(key);
    model.input = {1};
    for (size_t d = 1; d < shape.size(); ++d) {
      if (!shape[d].is_number_integer())
        return inputError(model.placeOf(layer),
                          fmt::format("dimension {} of the input has no fixed extent; save the "
                                      "model with a fixed input shape",
                                      d));
      model.input.push_back(shape[d].get<int64_t>());
    }
  }
  return llvm::Error::success();
}

/// Puts each layer after its sources. Keras stores functional networks in the order in which they
/// were built, which need not be one to compute in.
static llvm::Error sort(KerasModel &model) {
  std::vector<KerasLayerFile> sorted;
  std::set<std::string> done;
  while (!model.layers.empty()) {
    auto ready = llvm::find_if(model.layers, [&](const KerasLayerFile &layer) {
      return llvm::all_of(layer.sources,
                          [&](const std::string &source) { return done.count(source); });
    });
    if (ready == model.layers.end())
      return inputError(model.placeOf(model.layers.front()),
                        "reads a layer that is absent or depends on it");
    done.insert(ready->name);
    sorted.push_back(std::move(*ready));
    model.layers.erase(ready);
  }
  model.layers = std::move(sorted);
  return llvm::Error::success();
}

static llvm::Expected<KerasModel> build(const Hdf5Reader &file, const Json &root) {
  KerasModel model;
  model.path = file.fileName();
  std::string kind = root.at("class_name").get<std::string>();
  bool functional = kind == "Functional" || kind == "Model";
  if (kind != "Sequential" && !functional)
    return inputError(model.path, fmt::format("the model is a '{}', expected Sequential or "
                                              "Functional",
                                              kind));
  // Keras 1 stored the bare list of layers.
  const Json &config = root.at("config");
  const Json &layers = config.is_array() ? config : config.at("layers");
  std::vector<std::string> before;
  for (const Json &entry : layers) {
    SPINDLE_ASSIGN(KerasLayerFile layer, readLayer(file, entry, before));
    SPINDLE_RETURN_IF_ERROR(readInputShape(layer, model));
    before = {layer.name};
    if (auto format = layer.config.find("data_format");
        format != layer.config.end() && format->is_string())
      model.channelsLast = *format != "channels_first";
    model.layers.push_back(std::move(layer));
  }
  if (model.layers.empty())
    return inputError(model.path, "the model has no layers");
  if (model.input.empty())
    return inputError(model.path, "the shape of the input is not stored; save the model after it "
                                  "was built or trained");
  model.output = model.layers.back().name;
  if (functional) {
    std::vector<std::string> inputs, outputs;
    collectSources(Json::array({config.at("input_layers")}), inputs);
    collectSources(Json::array({config.at("output_layers")}), outputs);
    if (inputs.size() != 1 || outputs.size() != 1)
      return inputError(model.path, fmt::format("the model has {} inputs and {} outputs, expected "
                                                "one of each",
                                                inputs.size(), outputs.size()));
    model.output = outputs.front();
  }
  SPINDLE_RETURN_IF_ERROR(sort(model));
  return model;
}

llvm::Expected<std::string> readKerasConfig(const Hdf5Reader &file) {
  std::string text;
  if (llvm::Error absent = file.attribute("/", "model_config", text)) {
    llvm::consumeError(std::move(absent));
    return inputError(file.fileName(), "not a Keras model: it has no attribute 'model_config'; "
                                       "save the whole model, not its weights alone");
  }
  return text;
}

llvm::Expected<KerasModel> readKerasModel(const std::string &path) {
  SPINDLE_ASSIGN(Hdf5Reader file, Hdf5Reader::open(path));
  SPINDLE_ASSIGN(std::string text, readKerasConfig(file));
  Json root = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (root.is_discarded())
    return inputError(path, "attribute 'model_config' is no JSON");
  return parseJson<KerasModel>(path, root, [&](const Json &json) { return build(file, json); });
}

} // namespace spindle
