// The report of a run: every number with its unit and the file it came from.
#pragma once

#include "core/support/formats/Json.h"

namespace spindle {

/// Reads the stage files of `folder` and returns the report (docs/report.schema.json). A number is
/// plain where it has no unit (its section names the `source` file), else `{value, unit, source}`.
/// Sections of stages that were not run are absent. Members that depend on the clock stand under
/// `timing` only.
llvm::Expected<Json> buildReport(const std::string &folder);

/// Writes `report.json` and `report.html`, one page that needs no network, into `folder`.
llvm::Error writeReport(const std::string &folder);

} // namespace spindle
