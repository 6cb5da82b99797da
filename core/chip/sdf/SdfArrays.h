// Actors and channels of a data-flow graph as arrays (docs/formats/sdf.md).
#pragma once

#include "core/chip/file/ArraysBeside.h"
#include "core/chip/sdf/SdfGraph.h"

namespace spindle {

/// Times and rates are numbers, none is a list: only such graphs are written as arrays.
bool hasSinglePhases(const SdfGraph &graph);
llvm::Error writeSdfArrays(const std::string &path, const SdfGraph &graph);
llvm::Error readSdfArrays(const ArraysReader &file, SdfGraph &graph);

} // namespace spindle
