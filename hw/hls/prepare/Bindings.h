// Values given to arguments before synthesis: `--bind 0=20,3=20x25`.
#pragma once

#include "core/support/Error.h"

#include "llvm/ADT/StringRef.h"

#include <map>
#include <vector>

namespace spindle::hls {

/// By argument index: the value of an integer argument (one number), or the shape of an array whose
/// type leaves extents open (one number per dimension).
using Bindings = std::map<unsigned, std::vector<int64_t>>;

/// Reads `index=value` or `index=NxM`, separated by commas; an empty text binds nothing.
llvm::Expected<Bindings> parseBindings(llvm::StringRef text);

} // namespace spindle::hls
