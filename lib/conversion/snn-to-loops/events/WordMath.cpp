#include "dialects/hls/Hls.h"
#include "lib/conversion/snn-to-loops/events/Processes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <bit>

using namespace mlir;

namespace spindle::snn_to_loops {

static unsigned bitsOfWord(Value value) { return value.getType().getIntOrFloatBitWidth(); }

Value WordMath::widen(Value value, unsigned bits) const {
  if (bits == bitsOfWord(value))
    return value;
  if (bits < bitsOfWord(value))
    return resize(value, bits);
  return arith::ExtUIOp::create(point.builder, point.location, program.integer(bits), value);
}

Value WordMath::compare(arith::CmpIPredicate predicate, Value a, Value b) const {
  return arith::CmpIOp::create(point.builder, point.location, predicate, a, b);
}

Value WordMath::equals(Value a, int64_t value) const {
  return compare(arith::CmpIPredicate::eq, a, constant(a, value));
}

Value WordMath::differs(Value a, int64_t value) const {
  return compare(arith::CmpIPredicate::ne, a, constant(a, value));
}

Value WordMath::both(Value a, Value b) const {
  return arith::AndIOp::create(point.builder, point.location, a, b);
}

Value WordMath::either(Value a, Value b) const {
  return arith::OrIOp::create(point.builder, point.location, a, b);
}

Value WordMath::exclusive(Value a, Value b) const {
  return arith::XOrIOp::create(point.builder, point.location, a, b);
}

Value WordMath::shiftLeft(Value a, int64_t by) const {
  return by == 0
             ? a
             : arith::ShLIOp::create(point.builder, point.location, a, constant(a, by)).getResult();
}

Value WordMath::shiftRight(Value a, int64_t by) const {
  return by == 0 ? a
                 : arith::ShRUIOp::create(point.builder, point.location, a, constant(a, by))
                       .getResult();
}

Value WordMath::bit(Value word, int64_t position) const {
  return resize(shiftRight(word, position), 1);
}

Value WordMath::index(Value number) const {
  return arith::IndexCastUIOp::create(point.builder, point.location, point.builder.getIndexType(),
                                      number);
}

void WordMath::only(Value condition, function_ref<void(const NestPoint &)> make) const {
  scf::IfOp::create(point.builder, point.location, condition,
                    [&](OpBuilder &builder, Location location) {
                      make({builder, location, point.counters});
                      scf::YieldOp::create(builder, location);
                    });
}

Value WordMath::readIf(Value condition, Value stream) const {
  Type token = cast<hls::StreamType>(stream.getType()).getElement();
  auto branch = scf::IfOp::create(
      point.builder, point.location, condition,
      [&](OpBuilder &builder, Location location) {
        Value read = hls::ReadOp::create(builder, location, token, stream);
        scf::YieldOp::create(builder, location, read);
      },
      [&](OpBuilder &builder, Location location) {
        scf::YieldOp::create(builder, location, number(token.getIntOrFloatBitWidth(), 0));
      });
  return branch.getResult(0);
}

Value WordMath::read(Value stream) const {
  return hls::ReadOp::create(point.builder, point.location,
                             cast<hls::StreamType>(stream.getType()).getElement(), stream);
}

/// A tree of choices among the streams from `first` on.
static Value readAmong(const WordMath &math, ArrayRef<Value> streams, int64_t first, Value number) {
  if (streams.size() == 1)
    return math.read(streams.front());
  auto middle = int64_t(streams.size() / 2);
  auto half = [&](ArrayRef<Value> part, int64_t from) {
    return [&math, part, from, number](OpBuilder &builder, Location location) {
      NestPoint inside{builder, location, {}};
      WordMath there(math.program, inside);
      scf::YieldOp::create(builder, location, readAmong(there, part, from, number));
    };
  };
  Value isLow =
      math.compare(arith::CmpIPredicate::ult, number, math.constant(number, first + middle));
  auto branch = scf::IfOp::create(math.point.builder, math.point.location, isLow,
                                  half(streams.take_front(size_t(middle)), first),
                                  half(streams.drop_front(size_t(middle)), first + middle));
  return branch.getResult(0);
}

Value WordMath::readOneOf(ArrayRef<Value> streams, Value number) const {
  return readAmong(*this, streams, 0, number);
}

void WordMath::write(Value token, Value stream) const {
  hls::WriteOp::create(point.builder, point.location, token, stream);
}

Value WordMath::joined(ArrayRef<Value> values) const {
  unsigned each = bitsOfWord(values.front()), bits = unsigned(values.size()) * each;
  Value word;
  for (auto [number, value] : llvm::enumerate(values)) {
    Value part = shiftLeft(widen(value, bits), int64_t(number) * each);
    word = word ? either(word, part) : part;
  }
  return word;
}

void emitForSamples(ProgramBuilder &program, Location location, ArrayRef<int64_t> extents,
                    function_ref<void(const NestPoint &)> make, const std::string &layer) {
  OpBuilder::InsertionGuard guard(program.body);
  OpBuilder &builder = program.body;
  NestPoint point{builder, location, {}};
  auto enter = [&](affine::AffineForOp loop) {
    builder.setInsertionPointToStart(loop.getBody());
    point.counters.push_back(loop.getInductionVar());
  };
  affine::AffineForOp outer = program.loopOverSamples(location);
  if (!layer.empty())
    outer->setAttr(kLayerName, builder.getStringAttr(layer));
  enter(outer);
  for (int64_t extent : extents)
    enter(affine::AffineForOp::create(builder, location, 0, extent));
  make(point);
}

Carried StepCounter::first() const {
  auto zero = [&](unsigned bits) { return program.constant(program.integer(bits), 0); };
  unsigned stepBits = std::max(1, int(std::bit_width(uint64_t(steps - 1))));
  return {zero(stepBits), zero(bitsOfWord(program.samplesOfProcess()))};
}

Value StepCounter::goes(const NestPoint &point, ValueRange carried) const {
  return WordMath(program, point)
      .compare(arith::CmpIPredicate::ne, carried[1], program.samplesOfProcess());
}

Value StepCounter::isLastStep(const WordMath &math, ValueRange carried) const {
  return math.equals(carried[0], steps - 1);
}

Carried StepCounter::next(const WordMath &math, ValueRange carried, Value isOver) const {
  auto advance = [&](Value counter) { return math.add(counter, math.constant(counter, 1)); };
  Value step = carried[0], image = carried[1], isLast = isLastStep(math, carried);
  Value behind = math.select(isLast, math.constant(step, 0), advance(step));
  return {math.select(isOver, behind, step),
          math.select(math.both(isOver, isLast), advance(image), image)};
}

void emitWhile(ProgramBuilder &program, Location location, const std::string &layer,
               ValueRange first, function_ref<Value(const NestPoint &, ValueRange)> goes,
               function_ref<Carried(const NestPoint &, ValueRange)> next) {
  auto loop = scf::WhileOp::create(
      program.body, location, first.getTypes(), first,
      [&](OpBuilder &builder, Location at, ValueRange values) {
        Value condition = goes({builder, at, {}}, values);
        scf::ConditionOp::create(builder, at, condition, values);
      },
      [&](OpBuilder &builder, Location at, ValueRange values) {
        Carried carried = next({builder, at, {}}, values);
        scf::YieldOp::create(builder, at, carried);
      });
  loop->setAttr(kLayerName, program.body.getStringAttr(layer));
}

} // namespace spindle::snn_to_loops
