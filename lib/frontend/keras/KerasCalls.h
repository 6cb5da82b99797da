// What `inbound_nodes` of a Keras layer says: each call of it, and what that reads.
#pragma once

#include "core/support/formats/Json.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace spindle {

/// A result of a layer, or a number that stands in the place of one.
struct KerasArgument {
  std::string layer; // empty for a number
  size_t call = 0;   // of that layer, counted from 0
  double number = 0;
};

/// The arguments of one call. `unread` is what they hold beside results and numbers, as text: an
/// array, or another result than a layer's first.
struct KerasCall {
  std::vector<KerasArgument> arguments;
  std::string unread{};
};

/// An element of `inbound_nodes`, or a list of results such as `output_layers`. Keras 2 writes
/// lists [name, call, tensor, …], Keras 3 {"args": …, "kwargs": …} with such lists as
/// `keras_history`.
KerasCall readKerasCall(const Json &node);

} // namespace spindle
