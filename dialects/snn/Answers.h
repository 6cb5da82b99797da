// Where a network's answer is read.
#pragma once

#include "dialects/snn/Snn.h"

#include <string>

namespace spindle::snn {

/// Whether what is decoded is the answer itself, perhaps in another shape; else layers behind the
/// spikes compute it from what is decoded.
bool isAnswer(DecodeOp decode);

/// Of an ANN: the rectifier that makes its answer, perhaps in another shape or the largest of some;
/// none where the answer is a sum or a mean, of rectified layers, too.
ReluOp answeringRectifier(mlir::Value answer);

/// Of an ANN without such a rectifier: the layer that answers; `answer` where means of a rectified
/// layer do.
std::string answerName(mlir::Value answer);

} // namespace spindle::snn
