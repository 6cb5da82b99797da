// The spiking circuit beside the ANN of 8-bit integers that the same stages make of its network.
#pragma once

#include "core/support/formats/Json.h"
#include "lib/report/StageFiles.h"

#include <string>
#include <vector>

namespace spindle {

/// The commands that make the int8 ANN in the folder of the run, `DIR`, and measure what was
/// measured of the spiking circuit; the last one makes the report again.
std::vector<std::string> int8Commands(const StageFiles &files);

/// Quantity by quantity that both circuits have, and which is the better one: {rows: [{name, unit,
/// snn, int8_ann, better, source}], snn, int8_ann, equal} with the numbers of rows that each wins.
/// The circuits as sections of the report; of `files` both accuracies. Area is that of Yosys where
/// both have it, else the estimates.
Json compareWithInt8(const Json &snn, const Json &int8Ann, const StageFiles &files);

} // namespace spindle
