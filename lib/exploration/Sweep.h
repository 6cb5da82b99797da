// Which points of a flow are to be explored: a sweep file (docs/formats/sweep.md).
#pragma once

#include "core/run/Exploration.h"
#include "core/support/formats/Yaml.h"

#include <optional>

namespace spindle {

/// The values that a key may have.
struct SweptKey {
  std::string key;
  std::string place;               // of the values, file:line:column
  std::vector<std::string> values; // as `--set` takes them; empty where a random sample draws …
  double from = 0, to = 0;         // … from a range,
  bool isLogarithmic = false, isWhole = false;
};

struct Sweep {
  std::string path;
  std::string flow; // as it was written
  std::string flowPlace;
  std::string lastStage; // empty: all that the flow asks for
  std::string lastStagePlace;
  std::vector<SweptKey> fixed; // one value each
  std::vector<SweptKey> keys;
  struct Sample {
    uint64_t points = 0, seed = 1;
  };
  std::optional<Sample> sample; // random points; none: the grid of all combinations
  std::vector<Objective> objectives;
  std::vector<Constraint> constraints;
  std::map<std::string, std::string> namePlaces; // of objectives and constraints
};

/// What is wanted where a sweep does not say: accuracy, cycles, energy and crossbars.
std::vector<Objective> usualObjectives();

/// A number of the range of a key, as a point has it.
std::string drawnText(const SweptKey &key, double value);

llvm::Expected<Sweep> readSweep(const std::string &path);

/// The settings of every point, each point once, ascending keys. A grid is in the order of its
/// keys, the last one changing fastest; a sample has fewer points than it asks for where the keys
/// have no more combinations. Refuses more than a million points.
llvm::Expected<std::vector<std::vector<Setting>>> pointsOf(const Sweep &sweep);

} // namespace spindle
