// The page of an exploration: the front, each point of it with the command that repeats it.
#pragma once

#include "core/run/Exploration.h"

namespace spindle {

/// HTML that loads nothing from anywhere, in the style of report.html. Every picture has a text in
/// its place.
std::string explorationPage(const Exploration &exploration,
                            const std::vector<ExploredPoint> &points);

} // namespace spindle
