// A kernel placed and routed on a Lattice iCE40 HX8K, by Yosys and nextpnr.
#pragma once

#include "core/kernel/KernelArea.h"
#include "hw/area/Yosys.h"

namespace spindle::hls {

/// In the package ct256. nextpnr tries for `periodNs` with a fixed seed, so that a circuit always
/// has one figure. Where the ports have more bits than the package has pins, they are joined to
/// shift registers. Errors: programs that are not there or fail, a circuit that does not fit.
llvm::Expected<RoutedArea> routeForIce40(const Yosys &yosys, double periodNs);

} // namespace spindle::hls
