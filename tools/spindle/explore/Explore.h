// Runs the points of a sweep, and collects what came of them.
#pragma once

#include "core/support/Error.h"

#include <cstdint>
#include <string>

namespace spindle {

/// Every `count`-th point from the `index`-th, which counts from 1.
struct Shard {
  uint64_t index = 1, count = 1;
};

struct ExploreOptions {
  std::string sweep;
  std::string folder; // empty: out/NAME-OF-SWEEP
  Shard shard;
  bool retry = false; // failed points, too
};

/// Runs the points of a shard that are not there yet, one after the other, in folders below
/// `folder/points`. A point is there once its `point.json` is, which says from which program and
/// files it was made; processes that work in one folder take turns by locks on the folders of
/// points, those that another one works on come last. Where all points of the sweep are there in
/// the end, collects them. Refuses keys and values that the flow refuses before the first point;
/// errors of a point stay with it.
llvm::Error explore(const ExploreOptions &options);

/// Writes `points.csv`, `points.sqlite` and `front.html` of the points that are there.
llvm::Error collectPoints(const std::string &folder);

} // namespace spindle
