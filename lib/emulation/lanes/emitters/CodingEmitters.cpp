// From activations to spikes by rate or time, and back; Poisson encoding has a file of its own.
#include "lib/emulation/lanes/emitters/Emitters.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace spindle::lanes {

/// x / maximum, clipped to [0, 1].
static Value share(KernelBuilder &b, Value x, float maximum) {
  Value p = b.make<arith::DivFOp>(x, b.splat(maximum));
  Value positive = b.make<arith::CmpFOp>(arith::CmpFPredicate::OGT, p, b.splat(0));
  p = b.make<arith::SelectOp>(positive, p, b.splat(0));
  Value below = b.make<arith::CmpFOp>(arith::CmpFPredicate::OLT, p, b.splat(1));
  return b.make<arith::SelectOp>(below, p, b.splat(1));
}

/// The number of this step, plus `offset`, in all lanes.
static Value stepLanes(KernelBuilder &b, int64_t offset) {
  Value one = b.make<arith::ConstantOp>(b.ops().getI64IntegerAttr(offset));
  Value step = b.make<arith::AddIOp>(b.stepArgument(), one);
  return b.broadcast(b.make<arith::SIToFPOp>(b.ops().getF32Type(), step));
}

/// x, clipped to [0, maximum]: integers.
static Value level(KernelBuilder &b, Value x, float maximum) {
  Value positive = b.make<arith::CmpFOp>(arith::CmpFPredicate::OGT, x, b.splat(0));
  x = b.make<arith::SelectOp>(positive, x, b.splat(0));
  Value below = b.make<arith::CmpFOp>(arith::CmpFPredicate::OLT, x, b.splat(maximum));
  return b.make<arith::SelectOp>(below, x, b.splat(maximum));
}

/// floor(x / y) of positive integers, x less than 2^24: the quotient in f32 lies on the side of an
/// integer where the exact one does, as it is 1 / y away from the next.
static Value quotient(KernelBuilder &b, Value x, float y) {
  return b.make<math::FloorOp>(b.make<arith::DivFOp>(x, b.splat(y)));
}

/// Steps count modulo the maximum, after which spikes repeat: products stay below 2^24.
static void emitRegularIntegers(KernelBuilder &b, snn::EncodeOp op, const Signals &signals) {
  int64_t elements = b.vectorsFor(snn::sizeOf(op.getInput()));
  float maximum = op.getMaximum().convertToFloat();
  Value period = b.make<arith::ConstantOp>(b.ops().getI64IntegerAttr(int64_t(maximum)));
  Value step = b.make<arith::RemUIOp>(b.stepArgument(), period);
  Value now = b.broadcast(b.make<arith::SIToFPOp>(b.ops().getF32Type(), step));
  Value next = b.make<arith::AddFOp>(now, b.splat(1));
  Value input = b.view(signals.input(), {elements}), output = b.view(signals.output, {elements});
  b.loop({elements}, [&](ValueRange n) {
    Value q = level(b, b.load(input, n), maximum);
    Value before = quotient(b, b.make<arith::MulFOp>(now, q), maximum);
    Value after = quotient(b, b.make<arith::MulFOp>(next, q), maximum);
    b.store(b.zeroOrOne(b.make<arith::CmpFOp>(arith::CmpFPredicate::OGT, after, before)), output,
            n);
  });
}

void emitRegular(KernelBuilder &b, snn::EncodeOp op, const Signals &signals) {
  if (op.getIntegers())
    return emitRegularIntegers(b, op, signals);
  int64_t elements = b.vectorsFor(snn::sizeOf(op.getInput()));
  float maximum = op.getMaximum().convertToFloat();
  Value now = stepLanes(b, 0), next = stepLanes(b, 1);
  Value input = b.view(signals.input(), {elements}), output = b.view(signals.output, {elements});
  b.loop({elements}, [&](ValueRange n) {
    Value p = share(b, b.load(input, n), maximum);
    Value before = b.make<math::FloorOp>(b.make<arith::MulFOp>(now, p));
    Value after = b.make<math::FloorOp>(b.make<arith::MulFOp>(next, p));
    b.store(b.zeroOrOne(b.make<arith::CmpFOp>(arith::CmpFPredicate::OGT, after, before)), output,
            n);
  });
}

/// How many steps before the end of its window a value spikes.
static Value stepsBeforeEnd(KernelBuilder &b, Value x, float maximum, float window,
                            bool areIntegers) {
  if (areIntegers) {
    Value twice = b.make<arith::MulFOp>(level(b, x, maximum), b.splat(2 * window));
    return quotient(b, b.make<arith::AddFOp>(twice, b.splat(maximum)), 2 * maximum);
  }
  Value scaled = b.make<arith::MulFOp>(share(b, x, maximum), b.splat(window));
  return b.make<math::FloorOp>(b.make<arith::AddFOp>(scaled, b.splat(0.5f)));
}

void emitLatency(KernelBuilder &b, snn::EncodeOp op, const Signals &signals) {
  int64_t elements = b.vectorsFor(snn::sizeOf(op.getInput())), window = *op.getSteps();
  float maximum = op.getMaximum().convertToFloat();
  Value left = b.make<arith::NegFOp>(stepLanes(b, -window)); // steps until the window ends
  Value inside = b.make<arith::CmpFOp>(arith::CmpFPredicate::OGT, left, b.splat(0));
  Value input = b.view(signals.input(), {elements}), output = b.view(signals.output, {elements});
  b.loop({elements}, [&](ValueRange n) {
    Value before = stepsBeforeEnd(b, b.load(input, n), maximum, float(window), op.getIntegers());
    Value meets = b.make<arith::CmpFOp>(arith::CmpFPredicate::OEQ, before, left);
    b.store(b.zeroOrOne(b.make<arith::AndIOp>(inside, meets)), output, n);
  });
}

/// Values above `maximum` become it.
static void emitLimit(KernelBuilder &b, size_t values, int64_t elements, float maximum) {
  Value all = b.view(values, {elements}), most = b.splat(maximum);
  b.loop({elements}, [&](ValueRange n) {
    Value x = b.load(all, n);
    Value less = b.make<arith::CmpFOp>(arith::CmpFPredicate::OLT, x, most);
    b.store(b.make<arith::SelectOp>(less, x, most), all, n);
  });
}

void emitDecode(KernelBuilder &b, snn::DecodeOp op, const Signals &signals) {
  int64_t elements = b.vectorsFor(snn::sizeOf(op.getInput()));
  emitReset(b, signals.output, elements, {0});
  if (op.getDecoding() == snn::Decoding::Count) {
    emitAccumulate(b, signals.input(), signals.output, elements);
    if (op.getMaximum())
      emitLimit(b, signals.output, elements, float(*op.getMaximum()));
    return;
  }
  Value input = b.view(signals.input(), {elements}), output = b.view(signals.output, {elements});
  b.loop({elements}, [&](ValueRange n) { // steps since the first spike
    Value elapsed = b.load(output, n);
    auto positive = [&](Value x) {
      return b.make<arith::CmpFOp>(arith::CmpFPredicate::OGT, x, b.splat(0));
    };
    Value counts = b.make<arith::OrIOp>(positive(elapsed), positive(b.load(input, n)));
    Value next = b.make<arith::AddFOp>(elapsed, b.splat(1));
    b.store(b.make<arith::SelectOp>(counts, next, elapsed), output, n);
  });
}

} // namespace spindle::lanes
