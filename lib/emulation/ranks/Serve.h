// What the ranks after the first one do: work for it.
#pragma once

#include "lib/emulation/ranks/Ranks.h"

namespace spindle {

/// Works for rank 0 until it dismisses everybody.
llvm::Error serveEmulations(Ranks &ranks);

/// Sends the others home.
void dismiss(Ranks &ranks);

} // namespace spindle
