#include "lib/frontend/keras/KerasLayout.h"

#include "lib/frontend/keras/KerasCalls.h"

#include "core/support/TextPlace.h"

#include "fmt/format.h"

#include <algorithm>
#include <set>

namespace spindle {

namespace {

/// Networks that call networks several times could make more of them than memory holds.
constexpr size_t mostCalls = 10'000;
constexpr size_t deepestNetwork = 32;

/// One layer of one network, with all its calls.
struct Entry {
  const Json &config;
  std::string kind, name;
  std::vector<KerasCall> calls;
};

class Layout {
public:
  Layout(const KerasWeightsOf &weights, KerasModel &result) : weightsOf(weights), model(result) {}

  llvm::Error run(const Json &root) {
    SPINDLE_ASSIGN(model.output,
                   add(root.at("class_name").get<std::string>(), root.at("config"), {}));
    if (model.input.empty())
      model.input = innerInput;
    if (model.input.empty())
      SPINDLE_RETURN_IF_ERROR(readBuiltInput(root));
    model.output = resolved(model.output);
    for (KerasLayerFile &layer : model.layers)
      for (KerasSource &source : layer.sources)
        source.value = resolved(source.value);
    return llvm::Error::success();
  }

private:
  /// Adds the calls of a network that reads `given`; returns the value of its result.
  llvm::Expected<std::string> add(const std::string &kind, const Json &config,
                                  const std::vector<KerasSource> &given);
  llvm::Error addCalls(const Entry &entry, const std::vector<KerasSource> &given);
  llvm::Error addNetwork(const Entry &entry, size_t call, std::vector<KerasSource> sources);
  llvm::Expected<std::vector<Entry>> entriesOf(const Json &config);
  llvm::Error readInput(const Entry &entry);
  llvm::Error readBuiltInput(const Json &root);

  std::string placeOf(const Entry &entry) const {
    return kerasPlace(model.path, entry.name, entry.kind);
  }
  std::string valueOf(const std::string &name, size_t call) const {
    return fmt::format("{}{}:{}", scope, name, call);
  }
  std::string valueOf(const KerasArgument &argument) const {
    auto shift = firstCalls.find(argument.layer);
    return valueOf(argument.layer, argument.call - (shift == firstCalls.end() ? 0 : shift->second));
  }
  /// The result of a network in place of that of the layer which it is.
  std::string resolved(std::string value) const {
    for (auto at = results.find(value); at != results.end(); at = results.find(value))
      value = at->second;
    return value;
  }

  const KerasWeightsOf &weightsOf;
  KerasModel &model;
  std::vector<std::string> networks;        // around the layer, the outermost one first
  std::string scope;                        // these with the numbers of their calls
  std::map<std::string, size_t> firstCalls; // of the layers of this network, where they are not 0
  std::map<std::string, std::string> results;
  Shape innerInput;
  size_t calls = 0;
};

/// A shape, its batch one; an error where an extent is open.
static llvm::Expected<Shape> readShape(const Json &shape, const std::string &place) {
  Shape input = {1};
  for (size_t d = 1; d < shape.size(); ++d) {
    if (!shape[d].is_number_integer())
      return inputError(place, fmt::format("dimension {} of the input has no fixed extent; save "
                                           "the model with a fixed input shape",
                                           d));
    input.push_back(shape[d].get<int64_t>());
  }
  return input;
}

/// The shape of the input, from the layer that has it.
llvm::Error Layout::readInput(const Entry &entry) {
  Shape &input = networks.empty() ? model.input : innerInput;
  for (const char *key : {"batch_input_shape", "batch_shape"})
    if (entry.config.contains(key) && entry.config.at(key).is_array() && input.empty()) {
      SPINDLE_ASSIGN(input, readShape(entry.config.at(key), placeOf(entry)));
    }
  return llvm::Error::success();
}

/// A Sequential network without an input layer has the shape that it was built for.
llvm::Error Layout::readBuiltInput(const Json &root) {
  const Json &config = root.at("config");
  Json shape = config.is_object() ? config.value("build_input_shape", Json()) : Json();
  if (Json built = root.value("build_config", Json()); !shape.is_array() && built.is_object())
    shape = built.value("input_shape", Json());
  if (shape.is_array()) {
    SPINDLE_ASSIGN(model.input, readShape(shape, model.path));
  }
  return llvm::Error::success();
}

/// In a Sequential network each layer reads the one before.
llvm::Expected<std::vector<Entry>> Layout::entriesOf(const Json &config) {
  std::vector<Entry> entries;
  for (const Json &layer : kerasLayers(config)) {
    Entry entry{layer.at("config"), layer.at("class_name").get<std::string>(), "", {}};
    entry.name = kerasName(layer);
    if (layer.contains("inbound_nodes"))
      for (const Json &node : layer.at("inbound_nodes"))
        entry.calls.push_back(readKerasCall(node));
    else
      entry.calls.resize(1);
    if (!layer.contains("inbound_nodes") && !entries.empty())
      entry.calls.front().arguments = {{entries.back().name}};
    if (entry.calls.empty())
      entry.calls.resize(1); // of an input
    SPINDLE_RETURN_IF_ERROR(readInput(entry));
    if (auto format = entry.config.find("data_format");
        format != entry.config.end() && format->is_string())
      model.channelsLast = *format != "channels_first";
    entries.push_back(std::move(entry));
  }
  return entries;
}

/// Of networks inside, Keras 2 counts calls from one: it made them by a call that it does not save.
static std::map<std::string, size_t> shiftsOf(const std::vector<Entry> &entries,
                                              const KerasCall &outputs) {
  std::map<std::string, size_t> last, shifts;
  auto look = [&](const KerasCall &call) {
    for (const KerasArgument &argument : call.arguments)
      last[argument.layer] = std::max(last[argument.layer], argument.call);
  };
  look(outputs);
  for (const Entry &entry : entries)
    for (const KerasCall &call : entry.calls)
      look(call);
  for (const Entry &entry : entries)
    if (isKerasNetwork(entry.kind) && last[entry.name] == entry.calls.size())
      shifts[entry.name] = 1;
  return shifts;
}

llvm::Error Layout::addNetwork(const Entry &entry, size_t call, std::vector<KerasSource> sources) {
  if (networks.size() == deepestNetwork)
    return inputError(placeOf(entry),
                      fmt::format("networks are nested deeper than {} levels", deepestNetwork));
  std::string value = valueOf(entry.name, call), outer = std::exchange(scope, value + "/");
  auto outerCalls = std::exchange(firstCalls, {});
  networks.push_back(entry.name);
  SPINDLE_ASSIGN(results[value], add(entry.kind, entry.config, sources));
  networks.pop_back();
  scope = std::move(outer);
  firstCalls = std::move(outerCalls);
  return llvm::Error::success();
}

llvm::Error Layout::addCalls(const Entry &entry, const std::vector<KerasSource> &given) {
  std::shared_ptr<const KerasWeights> weights;
  if (!isKerasNetwork(entry.kind)) {
    SPINDLE_ASSIGN(weights, weightsOf(entry.name, networks));
  }
  for (size_t call = 0; call < entry.calls.size(); ++call) {
    if (++calls > mostCalls)
      return inputError(placeOf(entry),
                        fmt::format("the network has more than {} calls of layers", mostCalls));
    if (!entry.calls[call].unread.empty())
      return inputError(placeOf(entry),
                        fmt::format("is called with {}, expected results of layers and numbers; "
                                    "constants are read as weights of layers",
                                    excerpt(entry.calls[call].unread, 60)));
    std::vector<KerasSource> sources;
    for (const KerasArgument &argument : entry.calls[call].arguments)
      sources.push_back(argument.layer.empty() ? KerasSource{"", argument.number}
                                               : KerasSource{valueOf(argument), std::nullopt});
    if (sources.empty())
      sources = given;
    if (isKerasNetwork(entry.kind)) {
      SPINDLE_RETURN_IF_ERROR(addNetwork(entry, call, std::move(sources)));
      continue;
    }
    model.layers.push_back({entry.kind, entry.name, valueOf(entry.name, call), entry.config,
                            std::move(sources), weights});
  }
  return llvm::Error::success();
}

llvm::Expected<std::string> Layout::add(const std::string &kind, const Json &config,
                                        const std::vector<KerasSource> &given) {
  SPINDLE_ASSIGN(std::vector<Entry> entries, entriesOf(config));
  bool isFunctional = kind != "Sequential";
  KerasCall inputs, outputs;
  if (isFunctional) {
    inputs = readKerasCall(Json::array({config.at("input_layers")}));
    outputs = readKerasCall(Json::array({config.at("output_layers")}));
  }
  size_t wanted = networks.empty() ? 1 : given.size();
  size_t found = isFunctional ? inputs.arguments.size() : 1;
  size_t made = isFunctional ? outputs.arguments.size() + !outputs.unread.empty() : 1;
  if (found != wanted || made != 1)
    return inputError(
        model.path,
        fmt::format("the {} has {} inputs and {} outputs, expected {}",
                    networks.empty() ? "model" : fmt::format("network '{}'", networks.back()),
                    found, made, wanted == 1 ? "one of each" : fmt::format("{} and one", wanted)));
  firstCalls = shiftsOf(entries, outputs);
  for (const Entry &entry : entries) {
    std::vector<KerasSource> read = given;
    for (size_t i = 0; i < inputs.arguments.size() && i < given.size(); ++i)
      if (inputs.arguments[i].layer == entry.name)
        read = {given[i]};
    SPINDLE_RETURN_IF_ERROR(addCalls(entry, read));
  }
  if (isFunctional)
    return valueOf(outputs.arguments.front());
  return entries.empty() ? std::string() : valueOf(entries.back().name, 0);
}

} // namespace

bool isKerasNetwork(const std::string &kind) {
  return kind == "Sequential" || kind == "Functional" || kind == "Model";
}

llvm::Error layOutKeras(const Json &root, const KerasWeightsOf &weightsOf, KerasModel &model) {
  return Layout(weightsOf, model).run(root);
}

} // namespace spindle
