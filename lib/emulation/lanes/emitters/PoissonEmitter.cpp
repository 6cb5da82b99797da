// Poisson encoding: Philox4x32-10 of core/support/CounterRandom.h, sixteen samples or elements at a
// time.
#include "lib/emulation/lanes/emitters/Emitters.h"
#include "lib/emulation/network/Network.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <numeric>

using namespace mlir;

namespace spindle::lanes {

namespace {

/// The arithmetic of the generator on lanes of i64 of which only the low words count: a product of
/// two low words is one instruction that ignores the high ones, so that nothing has to be cleared.
class Philox {
public:
  explicit Philox(KernelBuilder &kernel) : b(kernel), wide(b.ops().getI64Type()) {}

  Value high(Value value) {
    bool lanes = isa<VectorType>(value.getType());
    return b.make<arith::ShRUIOp>(value, lanes ? lanesOf(32) : scalar(32));
  }

  /// Numbers of the samples in the lanes.
  Value samples() {
    Value first = b.broadcast(b.sampleArgument());
    return b.lanes() == Lanes::Samples ? ascending(first) : first;
  }

  /// Numbers of the elements in the lanes of vector n, counted from `first` on.
  Value elements(Value n, int64_t first) {
    bool neighbours = b.lanes() == Lanes::Elements;
    Value element = b.make<arith::IndexCastUIOp>(wide, neighbours ? b.at({{n, kLanes}}) : n);
    element = b.make<arith::AddIOp>(element, scalar(first));
    return neighbours ? ascending(b.broadcast(element)) : b.broadcast(element);
  }

  /// The words of the generator; `counter` are lanes, `key` two scalars.
  std::array<Value, 4> words(std::array<Value, 4> counter, std::array<Value, 2> key) {
    for (int round = 0; round < 10; ++round) {
      Value product0 = multiply(counter[0], 0xD2511F53u);
      Value product1 = multiply(counter[2], 0xCD9E8D57u);
      counter = {exclusiveOr(high(product1), counter[1], key[0]), product1,
                 exclusiveOr(high(product0), counter[3], key[1]), product0};
      key[0] = b.make<arith::AddIOp>(key[0], scalar(0x9E3779B9));
      key[1] = b.make<arith::AddIOp>(key[1], scalar(0xBB67AE85));
    }
    return counter;
  }

  /// Four steps share the words of one counter.
  Value counterOfStep() { return b.broadcast(b.make<arith::ShRUIOp>(b.stepArgument(), scalar(2))); }
  Value wordOfStep(const std::array<Value, 4> &words) {
    Value number = b.make<arith::AndIOp>(b.stepArgument(), scalar(3)), word = words[3];
    for (int64_t k : {2, 1, 0}) {
      Value isThis = b.make<arith::CmpIOp>(arith::CmpIPredicate::eq, number, scalar(k));
      word = b.make<arith::SelectOp>(isThis, words[size_t(k)], word);
    }
    return word;
  }

  /// Uniform in [0, 1): 24 bits, exact in f32.
  Value uniform(Value bits) {
    auto words = b.lanesOf(b.ops().getI32Type());
    Value number = b.make<arith::ShRUIOp>(
        b.make<arith::TruncIOp>(words, bits),
        b.make<arith::ConstantOp>(DenseElementsAttr::get(words, b.ops().getI32IntegerAttr(8))));
    Value real = b.make<arith::SIToFPOp>(b.lanesOf(b.ops().getF32Type()), number);
    return b.make<arith::MulFOp>(real, b.splat(0x1p-24f));
  }

private:
  /// Adds 0, 1, … to the lanes.
  Value ascending(Value first) {
    SmallVector<int64_t> numbers(kLanes);
    std::iota(numbers.begin(), numbers.end(), 0);
    Value lane = b.make<arith::ConstantOp>(
        DenseElementsAttr::get(b.lanesOf(wide), ArrayRef<int64_t>(numbers)));
    return b.make<arith::AddIOp>(first, lane);
  }
  Value scalar(int64_t value) {
    return b.make<arith::ConstantOp>(b.ops().getI64IntegerAttr(value));
  }
  Value lanesOf(int64_t value) {
    return b.make<arith::ConstantOp>(
        DenseElementsAttr::get(b.lanesOf(wide), b.ops().getI64IntegerAttr(value)));
  }
  Value multiply(Value lanes, uint32_t constant) {
    Value low = b.make<arith::AndIOp>(lanes, lanesOf(0xffffffff));
    return b.make<arith::MulIOp>(low, lanesOf(constant));
  }
  Value exclusiveOr(Value x, Value y, Value key) {
    return b.make<arith::XOrIOp>(b.make<arith::XOrIOp>(x, y), b.broadcast(key));
  }

  KernelBuilder &b;
  Type wide;
};

} // namespace

void emitPoisson(KernelBuilder &b, snn::EncodeOp op, const Signals &signals) {
  int64_t elements = b.vectorsFor(snn::sizeOf(op.getInput()));
  Philox philox(b);
  Value samples = philox.samples(), seed = b.seedArgument();
  std::array<Value, 2> key{seed, philox.high(seed)};
  Value steps = philox.counterOfStep(), high = philox.high(samples);
  Value maximum = b.splat(op.getMaximum().convertToFloat());
  Value input = b.view(signals.input(), {elements}), output = b.view(signals.output, {elements});
  b.loop({elements}, [&](ValueRange n) {
    Value element = philox.elements(n[0], firstNeuronOf(op));
    auto words = philox.words({element, steps, samples, high}, key);
    Value uniform = philox.uniform(philox.wordOfStep(words));
    Value probability = b.make<arith::DivFOp>(b.load(input, n), maximum);
    Value spike = b.make<arith::CmpFOp>(arith::CmpFPredicate::OLT, uniform, probability);
    b.store(b.zeroOrOne(spike), output, n);
  });
}

} // namespace spindle::lanes
