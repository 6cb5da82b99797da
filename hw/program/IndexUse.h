// Which integer arguments of a program say where something lies, or how often a loop runs.
#pragma once

#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace spindle::hls {

/// Per argument of the function: whether it is an index, or integers that become one (followed
/// through loads and integer arithmetic of the function itself).
std::vector<bool> usedAsIndex(mlir::ModuleOp module, const std::string &function);

} // namespace spindle::hls
