// What the banks of a constant array hold after configuration.
#pragma once

#include "dialects/hls/Hls.h"

#include <vector>

namespace spindle::hls {

/// By bank, its words as bits, zeros where the last words of a bank are none of the array; empty
/// for a memory without contents. One pass over the array.
std::vector<mlir::ElementsAttr> bankContents(MemoryOp memory);

} // namespace spindle::hls
