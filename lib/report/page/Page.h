// The page of a report: the template, its style and script, and the data, in one string.
#pragma once

#include "core/support/formats/Json.h"

namespace spindle {

/// HTML that loads nothing from anywhere. `figures` as made by `buildFigures`.
std::string renderPage(const Json &report, const Json &figures);

/// JSON text that may stand inside a script element whatever the strings hold.
std::string inlineJson(const Json &value);

} // namespace spindle
