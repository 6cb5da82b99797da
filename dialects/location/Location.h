// Where an operation comes from, as errors print it.
#pragma once

#include "mlir/IR/Location.h"

#include <string>

namespace spindle {

/// `file:line:column`; the name where the location only has a name; empty where nothing is known.
std::string placeOf(mlir::Location location);
std::string placeOf(mlir::Operation *op);

/// Of programs, which have no names: `file:line:column`, the file alone for the module that a file
/// is, empty where the location has no file.
std::string filePlaceOf(mlir::Location location);
std::string filePlaceOf(mlir::Operation *op);

/// The location of `file:line:column`, else one with that name.
mlir::Location locationOf(mlir::MLIRContext &context, llvm::StringRef place);

} // namespace spindle
