// Poisson encoding: Philox4x32-10 of lib/support/CounterRandom.h, sixteen samples or elements at a
// time.
#include "lib/emulation/engine/Emitters.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <numeric>

using namespace mlir;

namespace spindle::engine {

namespace {

/// The integer arithmetic of the generator on lanes of i32.
class Philox {
public:
  explicit Philox(KernelBuilder &kernel)
      : b(kernel), word(b.ops().getI32Type()), wide(b.ops().getI64Type()) {}

  /// The low or the high half of an i64 or of lanes of it.
  Value half(Value value, bool high) {
    bool lanes = isa<VectorType>(value.getType());
    if (high)
      value = b.make<arith::ShRUIOp>(value, lanes ? lanesOf(wide, 32) : scalar(wide, 32));
    return b.make<arith::TruncIOp>(lanes ? Type(b.lanesOf(word)) : Type(word), value);
  }

  /// Numbers of the samples in the lanes.
  Value samples() {
    Value first = b.broadcast(b.sampleArgument());
    return b.lanes() == Lanes::Samples ? ascending(first) : first;
  }

  /// Numbers of the elements in the lanes of vector n.
  Value elements(Value n) {
    if (b.lanes() == Lanes::Samples)
      return b.broadcast(b.make<arith::IndexCastUIOp>(word, n));
    Value first = b.make<arith::IndexCastUIOp>(wide, b.at({{n, kLanes}}));
    return half(ascending(b.broadcast(first)), false);
  }

  /// Word 0 of the generator; `counter` are lanes, `key` two scalars.
  Value word0(std::array<Value, 4> counter, std::array<Value, 2> key) {
    for (int round = 0; round < 10; ++round) {
      auto [low0, high0] = multiply(counter[0], 0xD2511F53u);
      auto [low1, high1] = multiply(counter[2], 0xCD9E8D57u);
      counter = {exclusiveOr(high1, counter[1], key[0]), low1,
                 exclusiveOr(high0, counter[3], key[1]), low0};
      key[0] = b.make<arith::AddIOp>(key[0], scalar(word, int32_t(0x9E3779B9u)));
      key[1] = b.make<arith::AddIOp>(key[1], scalar(word, int32_t(0xBB67AE85u)));
    }
    return counter[0];
  }

  /// Uniform in [0, 1): 24 bits, exact in f32.
  Value uniform(Value bits) {
    Value number = b.make<arith::ShRUIOp>(bits, lanesOf(word, 8));
    Value real = b.make<arith::SIToFPOp>(b.lanesOf(b.ops().getF32Type()), number);
    return b.make<arith::MulFOp>(real, b.splat(0x1p-24f));
  }

private:
  /// Adds 0, 1, … to the lanes of i64.
  Value ascending(Value first) {
    SmallVector<int64_t> numbers(kLanes);
    std::iota(numbers.begin(), numbers.end(), 0);
    Value lane = b.make<arith::ConstantOp>(
        DenseElementsAttr::get(b.lanesOf(wide), ArrayRef<int64_t>(numbers)));
    return b.make<arith::AddIOp>(first, lane);
  }
  Value scalar(Type type, int64_t value) {
    return b.make<arith::ConstantOp>(b.ops().getIntegerAttr(type, value));
  }
  Value lanesOf(Type type, int64_t value) {
    return b.make<arith::ConstantOp>(
        DenseElementsAttr::get(b.lanesOf(type), b.ops().getIntegerAttr(type, value)));
  }
  std::pair<Value, Value> multiply(Value lanes, uint32_t constant) {
    auto product = arith::MulUIExtendedOp::create(b.ops(), b.ops().getUnknownLoc(), lanes,
                                                  lanesOf(word, int32_t(constant)));
    return {product.getLow(), product.getHigh()};
  }
  Value exclusiveOr(Value x, Value y, Value key) {
    return b.make<arith::XOrIOp>(b.make<arith::XOrIOp>(x, y), b.broadcast(key));
  }

  KernelBuilder &b;
  Type word, wide;
};

} // namespace

void emitPoisson(KernelBuilder &b, snn::EncodeOp op, const Signals &signals) {
  int64_t elements = b.vectorsFor(snn::sizeOf(op.getInput()));
  Philox philox(b);
  Value samples = philox.samples(), seed = b.seedArgument();
  std::array<Value, 2> key{philox.half(seed, false), philox.half(seed, true)};
  Value step = b.broadcast(philox.half(b.stepArgument(), false));
  Value low = philox.half(samples, false), high = philox.half(samples, true);
  Value maximum = b.splat(op.getMaximum().convertToFloat());
  Value input = b.view(signals.input(), {elements}), output = b.view(signals.output, {elements});
  b.loop({elements}, [&](ValueRange n) {
    Value element = philox.elements(n[0]);
    Value uniform = philox.uniform(philox.word0({element, step, low, high}, key));
    Value probability = b.make<arith::DivFOp>(b.load(input, n), maximum);
    Value spike = b.make<arith::CmpFOp>(arith::CmpFPredicate::OLT, uniform, probability);
    b.store(b.zeroOrOne(spike), output, n);
  });
}

} // namespace spindle::engine
