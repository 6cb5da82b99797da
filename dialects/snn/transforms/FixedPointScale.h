// What a unit of a fixed-point membrane stands for.
#pragma once

#include "dialects/snn/Snn.h"

#include <cmath>

namespace spindle::snn {

/// Membranes of a population above its leak, in units of 2^−fraction · gain. A negative fraction is
/// a shift of the current to the right.
struct FixedPointScale {
  int64_t decay = 0, synapseDecay = 0, fraction = 0;
  double gain = 1;
  float leak = 0;

  double of(float v) const { return std::ldexp((double(v) - leak) / gain, int(fraction)); }
  llvm::SmallVector<float> of(llvm::ArrayRef<float> values) const {
    return llvm::map_to_vector(values, [&](float v) { return float(std::round(of(v))); });
  }
  double unit() const { return std::ldexp(gain, int(-fraction)); }
};

/// The encoder of a constant current that nothing but views lies after; none where several read
/// it.
EncodeOp directEncoderOf(mlir::Value current);

/// Divides a constant current by 2^shift, rounded, as wide as ± most.
void shiftCurrent(EncodeOp encoder, int64_t shift, int64_t most);

} // namespace spindle::snn
