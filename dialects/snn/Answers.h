// Where a network's answer is read.
#pragma once

#include "dialects/snn/Snn.h"

namespace spindle::snn {

/// Whether what is decoded is the answer itself, perhaps in another shape; else layers behind the
/// spikes compute it from what is decoded.
bool isAnswer(DecodeOp decode);

} // namespace spindle::snn
