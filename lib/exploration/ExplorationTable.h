// What came of an exploration, for spreadsheets and for queries.
#pragma once

#include "core/run/Exploration.h"

namespace spindle {

/// A line per point: its folder, how it ended and stands, the keys that vary, the figures that are
/// wanted, its error and the command that repeats it.
std::string csvOf(const Exploration &exploration, const std::vector<ExploredPoint> &points);

/// A SQLite database with the tables points, settings, figures (all numbers of the reports) and
/// wanted; in place of the file, or not at all. The same points give the same bytes.
llvm::Error writeDatabase(const std::string &path, const Exploration &exploration,
                          const std::vector<ExploredPoint> &points);

} // namespace spindle
