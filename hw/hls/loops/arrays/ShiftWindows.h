// Windows as shift registers and line buffers.
#pragma once

#include "hw/hls/loops/arrays/Window.h"

namespace spindle::hls {

/// Lengthens the two innermost loops, so that every word is read once, in an iteration of its own;
/// what it is read for comes later.
void shiftWindows(WindowNest nest);

} // namespace spindle::hls
