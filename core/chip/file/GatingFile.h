// Routers that sleep, in a chip file.
#pragma once

#include "core/chip/Chip.h"

namespace spindle {

class YamlReader;

/// The section `gating` of a router, where there is one.
void readGating(YamlReader &reader, std::optional<Gating> &gating);

/// What is switched off saves leakage, or nothing; what sleeps by itself has a part of it. `reader`
/// is that of the whole chip.
void checkGating(YamlReader &reader, const Chip &chip);

} // namespace spindle
