// How a kernel is started, fed and read.
#pragma once

#include "core/kernel/KernelInterface.h"
#include "dialects/hls/Hls.h"
#include "hw/hls/prepare/Bindings.h"

namespace spindle::hls {

/// The interface of a scheduled kernel that is made from `function`, whose name is that of the
/// module, too; without sources and predicted cycles.
KernelInterface describeInterface(KernelOp kernel, const std::string &function,
                                  const Bindings &bind);

} // namespace spindle::hls
