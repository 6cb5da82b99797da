// A synchronous data-flow graph (Lee & Messerschmitt 1987).
#pragma once

#include "core/support/Error.h"

#include <cstdint>
#include <string>
#include <vector>

namespace spindle {

using ActorId = uint32_t;

struct SdfActor {
  std::string name;
  uint64_t executionTime = 0; // in the graph's time unit (cycles for graphs made from clusterings)
  bool operator==(const SdfActor &) const = default;
};

struct SdfChannel {
  ActorId source, target;
  uint32_t produce = 1, consume = 1; // tokens per firing
  uint64_t initialTokens = 0;
  uint32_t tokenBits = 0;
  bool operator==(const SdfChannel &) const = default;
};

struct SdfGraph {
  std::string name;
  std::vector<SdfActor> actors;
  std::vector<SdfChannel> channels;
  bool operator==(const SdfGraph &) const = default;
};

/// Ends in range, rates at least one.
llvm::Error verify(const SdfGraph &graph);

llvm::Error writeSdfGraph(const std::string &path, const SdfGraph &graph); // JSON
llvm::Expected<SdfGraph> readSdfGraph(const std::string &path);            // JSON or SDF3 XML
llvm::Error writeSdfDot(const std::string &path, const SdfGraph &graph);   // Graphviz

} // namespace spindle
