#include "lib/frontend/keras/KerasCalls.h"

#include "core/support/TextPlace.h"

namespace spindle {

static bool isReference(const Json &node) {
  return node.is_array() && node.size() >= 3 && node[0].is_string() && node[1].is_number() &&
         node[2].is_number();
}

static void addReference(const Json &node, KerasCall &call) {
  bool isFirst = node[2].is_number_integer() && node[2] == 0;
  if (!node[1].is_number_unsigned() || !isFirst)
    call.unread = jsonText(node);
  else
    call.arguments.push_back({node[0].get<std::string>(), node[1].get<size_t>()});
}

static void addArguments(const Json &node, KerasCall &call, int depth = 32) {
  if (isReference(node))
    return addReference(node, call);
  if (node.is_null())
    return;
  bool isTensor = node.is_object() && node.value("class_name", Json()) == "__keras_tensor__";
  if (node.is_number()) {
    call.arguments.push_back({"", 0, node.get<double>()});
  } else if (node.is_array() && depth > 0) {
    for (const Json &inner : node)
      addArguments(inner, call, depth - 1);
  } else if (isTensor && isReference(node.at("config").value("keras_history", Json()))) {
    addReference(node.at("config").at("keras_history"), call);
  } else {
    call.unread = jsonText(node);
  }
}

KerasCall readKerasCall(const Json &node) {
  KerasCall call;
  if (!node.is_object() || !node.contains("args")) {
    addArguments(node, call);
    return call;
  }
  addArguments(node["args"], call);
  const Json options = node.value("kwargs", Json::object());
  for (const auto &[name, value] : options.items())
    if (name != "training" && name != "mask")
      addArguments(value, call);
  return call;
}

} // namespace spindle
