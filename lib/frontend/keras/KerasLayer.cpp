#include "lib/frontend/keras/KerasLayer.h"

#include "core/support/TextPlace.h"

#include "fmt/format.h"

#include <limits>
#include <type_traits>

namespace spindle {

static std::string shown(const Json &value) { return excerpt(jsonText(value), 60); }

const Json *KerasLayer::find(const char *key) const {
  auto found = file.config.find(key);
  return found == file.config.end() || found->is_null() ? nullptr : &*found;
}

bool KerasLayer::has(const char *key) const { return find(key) != nullptr; }

llvm::Expected<std::string> KerasLayer::word(const char *key, const char *standard) const {
  const Json *found = find(key);
  if (!found)
    return standard;
  if (found->is_string())
    return found->get<std::string>();
  // Keras 3 writes objects of its own as {"class_name": …, "config": …}, and functions as such of
  // the class `function`, with their name for a configuration.
  if (found->is_object() && found->contains("class_name") && found->at("class_name").is_string()) {
    auto name = found->at("class_name").get<std::string>();
    auto config = found->find("config");
    bool isFunction = name == "function" && config != found->end() && config->is_string();
    return isFunction ? config->get<std::string>() : name;
  }
  return refuse(fmt::format("'{}' is {}, expected a word", key, shown(*found)));
}

llvm::Expected<double> KerasLayer::number(const char *key, double standard) const {
  return number(file.config, key, standard);
}

llvm::Expected<double> KerasLayer::number(const Json &config, const char *key,
                                          double standard) const {
  auto found = config.find(key);
  if (found == config.end() || found->is_null())
    return standard;
  if (!found->is_number())
    return refuse(fmt::format("'{}' is {}, expected a number", key, shown(*found)));
  return found->get<double>();
}

llvm::Expected<bool> KerasLayer::flag(const char *key, bool standard) const {
  const Json *found = find(key);
  if (!found)
    return standard;
  if (!found->is_boolean())
    return refuse(fmt::format("'{}' is {}, expected true or false", key, shown(*found)));
  return found->get<bool>();
}

/// Appends the numbers of nested lists; false where there is something else.
template <typename Number>
static bool flatten(const Json &value, std::vector<Number> &numbers, int depth = 4) {
  if (std::is_integral_v<Number> ? value.is_number_integer() : value.is_number()) {
    numbers.push_back(value.get<Number>());
    return true;
  }
  return value.is_array() && depth > 0 &&
         llvm::all_of(value, [&](const Json &inner) { return flatten(inner, numbers, depth - 1); });
}

llvm::Expected<Shape> KerasLayer::list(const char *key) const {
  const Json *found = find(key);
  Shape numbers;
  if (found && !flatten(*found, numbers))
    return refuse(fmt::format("'{}' is {}, expected whole numbers", key, shown(*found)));
  return numbers;
}

llvm::Expected<std::vector<double>> KerasLayer::numbers(const char *key) const {
  const Json *found = find(key);
  std::vector<double> values;
  if (found && !flatten(*found, values))
    return refuse(fmt::format("'{}' is {}, expected numbers", key, shown(*found)));
  return values;
}

llvm::Expected<Shape> KerasLayer::integers(const char *key, size_t count, int64_t standard) const {
  SPINDLE_ASSIGN(Shape numbers, list(key));
  if (numbers.empty())
    numbers = {standard};
  if (numbers.size() == 1)
    numbers.resize(count, numbers.front());
  if (numbers.size() != count)
    return refuse(fmt::format("'{}' has {} numbers, expected {}", key, numbers.size(), count));
  return numbers;
}

llvm::Expected<Tensor> KerasLayer::weight(const char *role) const {
  auto found = file.weights->find(role);
  if (found == file.weights->end())
    return refuse(fmt::format(
        "weight '{}' is absent from the file; save the model after it was built or trained", role));
  return found->second;
}

llvm::Expected<Tensor> KerasLayer::addBias(const Tensor &x, size_t axis) const {
  SPINDLE_ASSIGN(bool used, flag("use_bias", true));
  if (!used)
    return x;
  SPINDLE_ASSIGN(Tensor bias, weight("bias"));
  bias.shape.resize(x.shape.size() - axis, 1);
  return builder.arithmetic(Arithmetic::Add, x, bias);
}

llvm::Expected<Tensor> KerasLayer::rectify(const Tensor &x, const Json &config) const {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  SPINDLE_ASSIGN(double most, number(config, "max_value", infinity));
  SPINDLE_ASSIGN(double slope, number(config, "negative_slope", 0));
  SPINDLE_ASSIGN(double threshold, number(config, "threshold", 0));
  if (slope != 0 || threshold != 0)
    return refuse("negative_slope and threshold are not supported: a spiking neuron "
                  "approximates max(x, 0)");
  return builder.clamp(x, 0, most);
}

llvm::Expected<Tensor> KerasLayer::activate(const Tensor &x) const {
  const Json *object = find("activation");
  if (object && object->is_object() && object->value("class_name", Json()) == "ReLU" &&
      object->contains("config") && object->at("config").is_object())
    return rectify(x, object->at("config"));
  SPINDLE_ASSIGN(std::string function, word("activation", "linear"));
  return activate(x, function);
}

llvm::Expected<Tensor> KerasLayer::activate(const Tensor &x, const std::string &function) const {
  if (function == "linear")
    return x;
  if (function == "relu" || function == "ReLU")
    return builder.relu(x);
  if (function == "relu6")
    return builder.clamp(x, 0, 6);
  if (function == "softmax" || function == "Softmax")
    return builder.dropAtEnd("softmax", x, atEnd, {x.shape.back()});
  if (function == "sigmoid")
    return builder.dropAtEnd("sigmoid", x, atEnd, x.shape);
  return refuse(fmt::format("activation '{}' is not supported, expected linear, relu, relu6, or "
                            "softmax or sigmoid at the end",
                            function));
}

llvm::Expected<bool> KerasLayer::isChannelsLast() const {
  SPINDLE_ASSIGN(std::string format, word("data_format", "channels_last"));
  return format != "channels_first";
}

/// Moves the last dimension after the batch, or from there back.
static Shape rotation(size_t rank, bool toFront) {
  Shape order = {0};
  if (toFront)
    order.push_back(int64_t(rank) - 1);
  for (size_t d = toFront ? 1 : 2; d < rank - (toFront ? 1 : 0); ++d)
    order.push_back(int64_t(d));
  if (!toFront)
    order.push_back(1);
  return order;
}

llvm::Expected<Tensor> KerasLayer::channelsFirst(const Tensor &x) const {
  SPINDLE_ASSIGN(bool last, isChannelsLast());
  if (!last || x.shape.size() < 3)
    return x;
  return builder.transpose(x, rotation(x.shape.size(), true));
}

llvm::Expected<Tensor> KerasLayer::ownOrder(const Tensor &x) const {
  SPINDLE_ASSIGN(bool last, isChannelsLast());
  if (!last || x.shape.size() < 3)
    return x;
  return builder.transpose(x, rotation(x.shape.size(), false));
}

llvm::Expected<Window> kerasWindow(const KerasLayer &layer, const Tensor &image, Shape kernel,
                                   const char *stridesKey) {
  size_t dimensions = kernel.size();
  if (image.shape.size() != dimensions + 2)
    return layer.refuse(fmt::format("input is {}, expected batch, channels and {} dimensions",
                                    toText(image.shape), dimensions));
  Window window;
  SPINDLE_ASSIGN(window.strides, layer.integers(stridesKey, dimensions, 1));
  SPINDLE_ASSIGN(window.dilations, layer.integers("dilation_rate", dimensions, 1));
  SPINDLE_ASSIGN(std::string padding, layer.word("padding", "valid"));
  window.kernel = std::move(kernel);
  for (const Shape *numbers : {&window.kernel, &window.strides, &window.dilations})
    for (int64_t number : *numbers)
      if (number < 1 || number > 1 << 20)
        return layer.refuse(fmt::format("kernel, strides and dilation are from 1 to {}, found {}",
                                        1 << 20, number));
  if (dimensions == 1)
    for (Shape *numbers : {&window.kernel, &window.strides, &window.dilations})
      numbers->insert(numbers->begin(), 1);
  if (padding == "same")
    padToSame(window, {dimensions == 1 ? 1 : image.shape[2], image.shape.back()}, false);
  else if (padding == "causal" && dimensions == 1)
    window.padding[1] = (window.kernel[1] - 1) * window.dilations[1];
  else if (padding != "valid")
    return layer.refuse(fmt::format("padding is '{}', expected valid or same", padding));
  return window;
}

} // namespace spindle
