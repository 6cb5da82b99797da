// The passes from a program to a system of kernels.
#pragma once

#include "dialects/hls/Hls.h"
#include "dialects/system/System.h"

#include "mlir/Pass/Pass.h"

namespace spindle::system {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "dialects/system/Passes.h.inc"

} // namespace spindle::system
