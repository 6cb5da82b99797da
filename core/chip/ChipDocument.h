// A chip file before it is read, for those who change its keys.
#pragma once

#include "core/support/formats/Yaml.h"

namespace spindle {

/// The file at this path, or that of the chip with this name.
llvm::Expected<YamlDocument> loadChip(const std::string &pathOrName);

} // namespace spindle
