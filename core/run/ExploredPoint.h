// One point of an exploration: a flow with settings, and what came of it (`point.json`).
#pragma once

#include "core/run/RunRecord.h"

#include <map>
#include <string>
#include <vector>

namespace spindle {

/// A key of a flow, or of its chip behind `chip.`, and its value as `--set` takes it.
struct Setting {
  std::string key, value;
  bool operator==(const Setting &) const = default;
};

/// Names the folder of a point: 16 digits of the hash of its settings, in any order.
std::string pointId(std::vector<Setting> settings);

struct ExploredPoint {
  std::vector<Setting> settings;      // ascending keys
  std::string program;                // version and commit
  FileHashes sources;                 // files outside the folder: models, data sets, chips
  std::vector<std::string> overrides; // `--set` of each, by which `spindle run` repeats the point
  std::map<std::string, double> figures; // numbers of report.json by dotted names, without `timing`
  std::string error;                     // why there are none, or fewer; empty after a success
};

/// JSON, docs/formats/exploration.md. Written whole or not at all.
llvm::Error writeExploredPoint(const std::string &path, const ExploredPoint &point);
llvm::Expected<ExploredPoint> readExploredPoint(const std::string &path);

/// The numbers of a report: `snn.accuracy`, `chip.energy_pj.total`; those with a unit by the name
/// of what holds them, true as 1. Lists and what depends on the clock are left out.
std::map<std::string, double> figuresOfReport(const Json &report);

} // namespace spindle
