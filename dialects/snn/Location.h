// Where an operation comes from, as errors print it.
#pragma once

#include "mlir/IR/Location.h"

#include <string>

namespace spindle::snn {

/// `file:line:column`; the name where the location only has a name; empty where nothing is known.
std::string placeOf(mlir::Location location);

} // namespace spindle::snn
