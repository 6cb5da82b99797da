// Synapses listed in a file of their own.
#pragma once

#include "lib/frontend/network/Connectivity.h"

#include "core/support/Error.h"

namespace spindle::network {

/// Pairs of neurons; weights, and delays in ms, where the file has them: one each.
struct ListedSynapses {
  Pairs pairs;
  std::vector<double> weights, delays;
};

/// Reads lines of source and target, weight, delay, the last two or the last one left out in all
/// lines; a heading may name them in another order or leave the weight out and not the delay.
/// Numbers stand apart by blanks, tabs, commas or semicolons, in quotes or not; what follows a `#`
/// is left out unless it is a heading (`# columns = ["i", "j", "delay"]`). Files may be packed by
/// gzip.
llvm::Expected<ListedSynapses> readSynapses(const std::string &path);

} // namespace spindle::network
