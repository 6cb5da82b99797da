// The circuit of a network in the report: what its layers are and do, and what stands beside it.
#pragma once

#include "core/support/formats/Json.h"
#include "lib/report/StageFiles.h"

namespace spindle {

/// Of `files.hardware`, which is there: layers and, as far as they were measured, how busy each is,
/// how full streams are, cycles, area and energy; the int8 ANN of the same network beside it, or
/// the commands that make it; published accelerators.
Json hardwareSection(const StageFiles &files);

} // namespace spindle
