// The section `crossbar` of a chip file (docs/formats/chip.md).
#pragma once

#include "core/chip/Chip.h"
#include "core/support/formats/Yaml.h"

namespace spindle {

/// `mapping` is the YAML behind `reader`, `version` that of the file: 1 knows crossbars, 2 the
/// limits of a core, too.
void readCrossbar(YamlReader reader, const YAML::Node &mapping, Crossbar &crossbar,
                  int64_t version);

} // namespace spindle
