// What local arrays hold before they are written.
#pragma once

#include "hw/program/Golden.h"

namespace spindle::hls {

/// Fills arrays where the program makes them: with zeros those that are not zero anyway, as
/// compiled code gets them, or all with a pattern. Of a program on arrays.
void fillLocals(mlir::ModuleOp module, LocalContents contents);

/// Whether any of these runs comes to other values than `expected` if local arrays hold something
/// else than zeros before they are written: then the program reads what it never wrote, and no
/// values are right. Errors: as of Golden.
llvm::Expected<bool> dependsOnLocals(mlir::ModuleOp module, const std::string &function,
                                     const std::vector<std::vector<KernelArray>> &inputs,
                                     const std::vector<Values> &expected);

} // namespace spindle::hls
