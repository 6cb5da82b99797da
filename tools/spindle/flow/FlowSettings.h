// A flow as plain data: what is recorded of it, and what each stage reads.
#pragma once

#include "core/support/formats/Json.h"
#include "core/support/formats/Yaml.h"

namespace spindle {

struct Flow;

/// The document with its overrides: keys ascending, scalars as texts, aliases written out. The
/// error is that of a document which aliases make larger than any flow.
llvm::Expected<Json> settingsOf(const YamlDocument &document);

/// The members of `settings` that `keys` name. A calibration set belongs to the key
/// `dataset.calibration` alone; the number of threads to none, since no result depends on it.
Json settingsFor(const Json &settings, const std::vector<const char *> &keys);

/// The seeds in effect, by section.
Json seedsOf(const Flow &flow);

} // namespace spindle
