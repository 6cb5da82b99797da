// A data-flow graph: synchronous (Lee & Messerschmitt 1987), or cyclo-static, where the rates and
// times of an actor take turns (Bilsen, Engels, Lauwereins & Peperstraete, "Cyclo-static dataflow",
// 1996).
#pragma once

#include "core/chip/file/ListsIn.h"
#include "core/chip/sdf/PerPhase.h"
#include "core/support/Error.h"

#include <cstdint>
#include <string>
#include <vector>

namespace spindle {

using ActorId = uint32_t;

struct SdfActor {
  std::string name;
  PerPhase<uint64_t> executionTime; // in the graph's time unit (cycles, if made from a clustering)
  bool operator==(const SdfActor &) const = default;
};

struct SdfChannel {
  ActorId source, target;
  PerPhase<uint32_t> produce = 1, consume = 1; // tokens per firing
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

/// The phases of each actor: the least common multiple of those of its times and rates; at most
/// kMaximumPhases in a graph that verifies.
constexpr uint64_t kMaximumPhases = uint64_t(1) << 16;
std::vector<uint64_t> phasesOf(const SdfGraph &graph);

/// Ends in range, rates not all zero. An actor of several phases does one after the other: it has a
/// channel to itself with rates 1 and one token.
llvm::Error verify(const SdfGraph &graph);

/// JSON; actors and channels of a long synchronous graph as arrays in a file beside it.
llvm::Error writeSdfGraph(const std::string &path, const SdfGraph &graph,
                          ListsIn lists = ListsIn::Auto);
llvm::Expected<SdfGraph> readSdfGraph(const std::string &path);          // JSON or SDF3 XML
llvm::Error writeSdfDot(const std::string &path, const SdfGraph &graph); // Graphviz

} // namespace spindle
