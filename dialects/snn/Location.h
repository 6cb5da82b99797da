// Where an operation comes from, as errors print it.
#pragma once

#include "mlir/IR/Location.h"

#include <string>

namespace spindle::snn {

/// `file:line:column`; the name where the location only has a name; empty where nothing is known.
std::string placeOf(mlir::Location location);

/// The location of `file:line:column`, else one with that name.
mlir::Location locationOf(mlir::MLIRContext &context, llvm::StringRef place);

} // namespace spindle::snn
