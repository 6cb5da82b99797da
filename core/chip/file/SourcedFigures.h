// Figures of a chip file: counts, and prices with their sources.
#pragma once

#include "core/chip/Chip.h"
#include "core/support/formats/Yaml.h"

namespace spindle {

/// A whole number from `least` to `most`; `value` stays where the key is absent.
void readCount(YamlReader &reader, const char *key, uint32_t &value, int64_t least, int64_t most);

/// `{value: 3.08, source: "…"}`. `mapping` is the YAML behind `reader`.
void readSourced(YamlReader &reader, const YAML::Node &mapping, const char *key, Sourced &figure,
                 double least, double most);

} // namespace spindle
