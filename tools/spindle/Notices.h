// What is said beside the output of a command.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace spindle {

/// A line on standard error. A full disk there changes neither what is done nor the exit code.
void printNotice(llvm::StringRef line);

} // namespace spindle
