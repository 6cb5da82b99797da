// Populations in an order in which a step can work them.
#pragma once

#include "lib/frontend/network/Description.h"

namespace spindle::network {

struct Order {
  std::vector<size_t> populations;
  /// Of each projection: whether its spikes come from an earlier step by way of feedback, since
  /// they close a cycle; others follow the order and pass through delays.
  std::vector<bool> feedsBack;
};

/// Refuses cycles without a delay; `path` is the file.
llvm::Expected<Order> orderPopulations(const Description &description, const std::string &path);

} // namespace spindle::network
