// `60-sdf-binding.json`: a graph on its tiles, by names.
#pragma once

#include "lib/sdf/bound/AnalyzeBinding.h"

namespace spindle {

struct BindingFile {
  struct Tile {
    std::string name;
    uint64_t wheel = 0, slice = 0;  // time units
    std::vector<std::string> order; // firings, from the first one again
    bool operator==(const Tile &) const = default;
  };
  /// On one tile: tokens that fit. Between tiles: those at its source and at its target, and the
  /// time that the bits of a token take, without the delay of the connection.
  struct Channel {
    std::string source, target;
    std::optional<uint64_t> capacity, sourceCapacity, targetCapacity, tokenTime;
    bool operator==(const Channel &) const = default;
  };
  std::string graph, architecture;
  CycleRatio period;
  bool selfTimedAgrees = false;
  uint64_t candidates = 1;
  std::vector<std::string> limitedBy;
  std::vector<Tile> tiles;
  std::vector<Channel> channels;
  bool operator==(const BindingFile &) const = default;
};

BindingFile toFile(const SdfApplication &application, const SdfArchitecture &architecture,
                   const BindingAnalysis &analysis);
llvm::Error writeBinding(const std::string &path, const BindingFile &file);
llvm::Expected<BindingFile> readBinding(const std::string &path);

} // namespace spindle
