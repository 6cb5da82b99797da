// Signals put one after the other along a dimension.
#include "lib/emulation/layers/PlanBuilder.h"

namespace spindle::layers {

Signal addJoined(PlanBuilder &b, llvm::ArrayRef<Signal> inputs, size_t outer) {
  size_t elements = 0;
  for (const Signal &input : inputs)
    elements += input.elements;
  bool binary = llvm::all_of(inputs, [](const Signal &input) { return input.binary; });
  Signal output = b.addSignal(Unit::Row, elements, binary);
  size_t first = 0;
  for (const Signal &input : inputs) {
    size_t part = input.elements / outer;
    StageKernel k(b, Work::Steps);
    Array in = k.floats(input.buffer), out = k.floats(output.buffer) + int64_t(first);
    k.loop(int64_t(outer),
           [&](Number o) { (out + o * (elements / outer)).copy(in + o * part, int64_t(part)); });
    b.addStage(std::move(k));
    first += part;
  }
  return output;
}

} // namespace spindle::layers
