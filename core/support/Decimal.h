// Decimal numbers of files.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace spindle {

/// Reads a number that is all of a text, as LLVM's getAsDouble does (`1`, `-2.5e-3`, `inf`), in a
/// time that is proportional to its length. False: it is none; `value` is as it was.
bool readDecimal(llvm::StringRef text, double &value);

} // namespace spindle
