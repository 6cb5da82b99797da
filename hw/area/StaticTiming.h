// The slowest path of a netlist, by OpenSTA.
#pragma once

#include "core/kernel/KernelArea.h"

namespace spindle::hls {

/// Of the netlist `mapped.v` of module `top` in the cells of `library.lib`, both in `folder`, where
/// script and log stay, too. Ports are there with the clock edge and are taken at it; wires cost
/// nothing. Errors: OpenSTA that is not there or reads something else than was written.
llvm::Expected<LibraryTiming> measureTiming(const std::string &folder, const std::string &top,
                                            double periodNs);

} // namespace spindle::hls
