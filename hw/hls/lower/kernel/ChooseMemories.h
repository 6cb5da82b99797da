// Block RAM or LUT RAM.
#pragma once

#include "dialects/hls/Hls.h"
#include "hw/hls/Target.h"

namespace spindle::hls {

/// Makes local arrays LUT RAM (`distributed`) where that takes fewer resources and no more cycles:
/// a bank of w words of b bits with r reading ports takes b * r * (ceil(w / 32) + (ceil(w / 32) -
/// 1) / 2) LUTs, ceil(w / 64) for constants, which has to be at most the LUTs that its block RAM
/// stands for (`block_luts` of the target); no pipeline stores more than one word of a bank in an
/// iteration, as LUT RAM has one writing port. It gets as many reading
/// ports as a block RAM has ports where an iteration or tasks that may meet read more than once,
/// else one; with the writing one nothing waits that did not wait for the ports of a block RAM.
/// Reads take no cycle, or one where an address or a condition of an access is computed from what
/// was read without a register in between.
///
/// To be called on a kernel without a schedule.
llvm::Error chooseMemories(KernelOp kernel, const Target &target);

} // namespace spindle::hls
