// Names that values would like to have in SystemVerilog.
#pragma once

#include "mlir/IR/Location.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/StringRef.h"

namespace spindle::rtl {

/// A wish for a name. It is in the location of the operation, which CSE and canonicalisation do not
/// compare: equal operations with different wishes become one all the same, and the circuit does
/// not depend on names.
struct NameHint {
  llvm::StringRef name; // empty: none
  bool isValue = false; // the value itself is called so, not what it is a part of
};

/// A NameLoc is the name of the value; a NameLoc inside of another location is what the value is a
/// part of.
NameHint nameHint(mlir::Location location);

/// That of the operation behind a value; none for a port.
NameHint nameHint(mlir::Value value);

/// The first place in a file; names in the location were meant for something else.
mlir::Location withoutNames(mlir::Location location);

/// That place with the wish.
mlir::Location withName(mlir::Location location, NameHint hint);

} // namespace spindle::rtl
