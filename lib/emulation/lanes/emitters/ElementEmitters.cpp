// Operations that work element by element.
#include "lib/emulation/lanes/emitters/Emitters.h"
#include "lib/emulation/network/Network.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace spindle::lanes {

ElementParameter::ElementParameter(KernelBuilder &b, const std::vector<float> &values)
    : builder(b), elements(static_cast<int64_t>(values.size())),
      uniform(values.empty() ? 0 : values.front()) {
  if (elements > 1)
    buffer = b.lanes() == Lanes::Samples ? b.addParameter(values) : b.addLaneParameter(values);
}

Value ElementParameter::lanesFor(Value element) {
  if (!buffer)
    return builder.splat(uniform);
  if (builder.lanes() == Lanes::Elements)
    return builder.load(builder.view(*buffer, {builder.vectorsFor(elements)}), {element});
  return builder.broadcast(builder.load(builder.view(*buffer, {elements}), {element}));
}

void emitReset(KernelBuilder &b, size_t state, int64_t elements, const std::vector<float> &values) {
  Phase before = b.phase();
  b.enter(Phase::Setup);
  ElementParameter initial(b, values);
  Value buffer = b.view(state, {elements});
  b.loop({elements}, [&](ValueRange n) { b.store(initial.lanesFor(n[0]), buffer, n); });
  b.enter(before);
}

void emitAccumulate(KernelBuilder &b, size_t signal, size_t totals, int64_t elements) {
  Value from = b.view(signal, {elements}), to = b.view(totals, {elements});
  b.loop({elements}, [&](ValueRange n) {
    b.store(b.make<arith::AddFOp>(b.load(to, n), b.load(from, n)), to, n);
  });
}

void emitScale(KernelBuilder &b, snn::ScaleOp op, const Signals &signals) {
  int64_t size = snn::sizeOf(op.getInput()), channels = snn::shapeOf(op.getInput())[0];
  SmallVector<int64_t> shape{channels, size / channels};
  Value input = b.view(signals.input(), shape), output = b.view(signals.output, shape);
  ElementParameter factor(b, constantOf(op.getFactor()));
  ElementParameter bias(b, op.getBias() ? constantOf(op.getBias()) : std::vector<float>{0});
  b.loop(shape, [&](ValueRange at) {
    Value element = b.at({{at[0], shape[1]}, {at[1], 1}});
    auto lanesOf = [&](ElementParameter &parameter, Value operand) { // per element or per channel
      return parameter.lanesFor(snn::sizeOf(operand) == size ? element : at[0]);
    };
    Value result = b.make<arith::MulFOp>(lanesOf(factor, op.getFactor()), b.load(input, at));
    if (op.getBias())
      result = b.make<arith::AddFOp>(result, lanesOf(bias, op.getBias()));
    b.store(result, output, at);
  });
}

void emitTranspose(KernelBuilder &b, snn::TransposeOp op, const Signals &signals) {
  ArrayRef<int64_t> in = snn::shapeOf(op.getInput()), out = snn::shapeOf(op.getOutput());
  Value input = b.view(signals.input(), in), output = b.view(signals.output, out);
  b.loop(out, [&](ValueRange at) {
    SmallVector<Value> from(in.size());
    for (auto [d, dimension] : llvm::enumerate(op.getPermutation()))
      from[dimension] = at[d];
    b.store(b.load(input, from), output, at);
  });
}

void emitQuantize(KernelBuilder &b, snn::QuantizeOp op, const Signals &signals) {
  int64_t elements = b.vectorsFor(snn::sizeOf(op.getInput()));
  Value input = b.view(signals.input(), {elements}), output = b.view(signals.output, {elements});
  Value unit = b.splat(op.getUnit().convertToFloat()), low = b.splat(float(int64_t(op.getLow()))),
        high = b.splat(float(int64_t(op.getHigh())));
  auto choose = [&](arith::CmpFPredicate predicate, Value x, Value y) {
    return b.make<arith::SelectOp>(b.make<arith::CmpFOp>(predicate, x, y), x, y);
  };
  b.loop({elements}, [&](ValueRange n) {
    Value scaled = b.make<arith::DivFOp>(b.load(input, n), unit);
    Value q = b.make<math::FloorOp>(b.make<arith::AddFOp>(scaled, b.splat(0.5f)));
    q = choose(arith::CmpFPredicate::OGT, q, low);
    b.store(choose(arith::CmpFPredicate::OLT, q, high), output, n);
  });
}

/// x where it exceeds zero, else zero; at most `maximum` where there is one.
static Value clamp(KernelBuilder &b, Value x, std::optional<float> maximum) {
  Value positive = b.make<arith::CmpFOp>(arith::CmpFPredicate::OGT, x, b.splat(0));
  x = b.make<arith::SelectOp>(positive, x, b.splat(0));
  if (!maximum)
    return x;
  Value most = b.splat(*maximum);
  Value less = b.make<arith::CmpFOp>(arith::CmpFPredicate::OLT, x, most);
  return b.make<arith::SelectOp>(less, x, most);
}

void emitRelu(KernelBuilder &b, snn::ReluOp op, const Signals &signals) {
  std::optional<float> maximum;
  if (op.getMaximum())
    maximum = op.getMaximum()->convertToFloat();
  int64_t elements = b.vectorsFor(snn::sizeOf(op.getInput()));
  Value input = b.view(signals.input(), {elements}), output = b.view(signals.output, {elements});
  b.loop({elements}, [&](ValueRange n) {
    Value x = b.load(input, n);
    if (!op.getLevels()) {
      b.store(clamp(b, x, maximum), output, n);
      return;
    }
    auto levels = static_cast<float>(*op.getLevels());
    Value scaled = b.make<arith::MulFOp>(x, b.splat(levels / *maximum));
    Value level = b.make<math::FloorOp>(b.make<arith::AddFOp>(scaled, b.splat(0.5f)));
    b.store(b.make<arith::MulFOp>(clamp(b, level, levels), b.splat(*maximum / levels)), output, n);
  });
}

} // namespace spindle::lanes
