// What may be a layer at all, before anything is made of it.
#include "lib/frontend/keras/KerasLayout.h"

#include "core/support/TextPlace.h"

#include "fmt/format.h"
#include "fmt/ranges.h"
#include "llvm/ADT/StringRef.h"

namespace spindle {

static constexpr size_t longestName = 1024; // networks hand theirs on to all that is inside

const std::set<std::string> &arithmeticOfKeras() {
  static const std::set<std::string> names{"Add", "Divide", "Multiply", "Subtract", "TrueDivide"};
  return names;
}

std::string kerasName(const Json &layer) {
  const Json &config = layer.at("config");
  return config.is_object() ? config.value("name", layer.value("name", "")) : std::string();
}

std::string kerasPlace(const std::string &path, const std::string &name, const std::string &kind) {
  return fmt::format("{}: layer '{}' ({})", path, name, kind);
}

static std::string textOf(const Json &layer, const char *key) {
  Json value = layer.value(key, Json());
  return value.is_string() ? value.get<std::string>() : std::string();
}

static llvm::Error checkLayer(const Json &layer, const std::string &path) {
  std::string name = kerasName(layer), own = textOf(layer, "registered_name");
  auto kind = layer.at("class_name").get<std::string>();
  if (name.size() > longestName)
    return inputError(path, fmt::format("the name of layer '{}' has {} bytes, expected at most {}",
                                        excerpt(name, 40), name.size(), longestName));
  std::string place = kerasPlace(path, name, excerpt(kind, 60));
  if (!own.empty() && own != kind)
    return inputError(place, fmt::format("is the class '{}' of a program, which the file does not "
                                         "hold; use layers of Keras",
                                         excerpt(own, 60)));
  bool isFunction = llvm::StringRef(textOf(layer, "module")).contains(".ops");
  if (isFunction && !arithmeticOfKeras().count(kind))
    return inputError(place, fmt::format("is a function of keras.ops, of which {} are read; use "
                                         "layers",
                                         fmt::join(arithmeticOfKeras(), ", ")));
  return isKerasNetwork(kind) ? checkKerasLayers(layer, path) : llvm::Error::success();
}

llvm::Error checkKerasLayers(const Json &network, const std::string &path) {
  for (const Json &layer : kerasLayers(network.at("config")))
    SPINDLE_RETURN_IF_ERROR(checkLayer(layer, path));
  return llvm::Error::success();
}

const Json &kerasLayers(const Json &config) {
  return config.is_array() ? config : config.at("layers");
}

} // namespace spindle
