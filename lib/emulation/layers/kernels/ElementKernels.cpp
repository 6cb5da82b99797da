// Signals worked element by element: sums, factors, sums over time, other orders of elements.
#include "lib/emulation/layers/PlanBuilder.h"

namespace spindle::layers {

namespace {

/// Works `size` elements of each row, a vector at a time.
void addElementStage(PlanBuilder &b, StageKernel &&kernel, size_t size,
                     llvm::function_ref<void(Number i)> work) {
  kernel.loop({int64_t(size), lanes::kLanes}, work);
  b.addStage(std::move(kernel));
}

Signal addRowsLike(PlanBuilder &b, const Signal &input, bool binary) {
  return {b.addFloats(Unit::Row, input.layout.size), input.elements, input.layout, binary};
}

size_t addState(PlanBuilder &b, size_t size) {
  size_t state = b.addFloats(Unit::Slot, size);
  b.plan.cleared.push_back(state);
  return state;
}

/// A parameter of one value per channel or per element, element by element in the places of a
/// layout.
size_t addSpread(PlanBuilder &b, const std::vector<float> &values, const Signal &input) {
  std::vector<float> spread(input.layout.size);
  for (size_t n = 0; n < input.elements; ++n)
    spread[input.layout.at(n)] = values[n / (input.elements / values.size())];
  return b.addParameter(spread);
}

} // namespace

Signal addSum(PlanBuilder &b, const Signal &left, const Signal &right) {
  Signal output = addRowsLike(b, left, false);
  StageKernel k(b, Work::Steps);
  Array x = k.floats(left.buffer), y = k.floats(right.buffer), sum = k.floats(output.buffer);
  addElementStage(b, std::move(k), left.layout.size,
                  [&](Number i) { (sum + i).storeAligned((x + i).aligned() + (y + i).aligned()); });
  return output;
}

Signal addScale(PlanBuilder &b, snn::ScaleOp op, const Signal &input) {
  Signal output = addRowsLike(b, input, false);
  StageKernel k(b, Work::Steps);
  Array x = k.floats(input.buffer),
        factor = k.floats(addSpread(b, constantOf(op.getFactor()), input)),
        scaled = k.floats(output.buffer);
  std::optional<Array> bias;
  if (op.getBias())
    bias = k.floats(addSpread(b, constantOf(op.getBias()), input));
  addElementStage(b, std::move(k), input.layout.size, [&](Number i) {
    Number product = (factor + i).aligned() * (x + i).aligned();
    (scaled + i).storeAligned(bias ? product + (*bias + i).aligned() : product);
  });
  return output;
}

Signal addSumOverTime(PlanBuilder &b, const Signal &input) {
  Signal output = addRowsLike(b, input, false);
  StageKernel k(b, Work::Steps);
  Array x = k.floats(input.buffer), sofar = k.floats(addState(b, input.layout.size)),
        sums = k.floats(output.buffer);
  addElementStage(b, std::move(k), input.layout.size, [&](Number i) {
    Number sum = (sofar + i).aligned() + (x + i).aligned();
    (sofar + i).storeAligned(sum);
    (sums + i).storeAligned(sum);
  });
  return output;
}

Signal addChange(PlanBuilder &b, const Signal &input, bool binary, size_t &last) {
  Signal output = addRowsLike(b, input, binary);
  last = addState(b, input.layout.size);
  StageKernel k(b, Work::Steps);
  Array x = k.floats(input.buffer), before = k.floats(last), change = k.floats(output.buffer);
  addElementStage(b, std::move(k), input.layout.size, [&](Number i) {
    Number now = (x + i).aligned(), past = (before + i).aligned();
    (before + i).storeAligned(now);
    (change + i).storeAligned(now - past);
  });
  return output;
}

Signal addReordered(PlanBuilder &b, const Signal &input, const std::vector<uint32_t> &sources) {
  Signal output = b.addSignal(Unit::Row, sources.size(), input.binary);
  std::vector<uint32_t> places;
  for (uint32_t source : sources)
    places.push_back(uint32_t(input.layout.at(source)));
  StageKernel k(b, Work::Steps);
  Array in = k.floats(input.buffer), table = k.array(b.addParameter(places), k.integer(32)),
        out = k.floats(output.buffer);
  addElementStage(b, std::move(k), places.size(),
                  [&](Number i) { (out + i).storeAligned(in.gather((table + i).aligned())); });
  return output;
}

} // namespace spindle::layers
