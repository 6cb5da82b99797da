#include "dialects/hls/Hls.h"
#include "lib/conversion/snn-to-loops/events/Processes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

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

void WordMath::write(Value token, Value stream) const {
  hls::WriteOp::create(point.builder, point.location, token, stream);
}

void emitWhile(ProgramBuilder &program, Location location, ValueRange first,
               function_ref<Value(const NestPoint &, ValueRange)> goes,
               function_ref<Carried(const NestPoint &, ValueRange)> next) {
  scf::WhileOp::create(
      program.body, location, first.getTypes(), first,
      [&](OpBuilder &builder, Location at, ValueRange values) {
        Value condition = goes({builder, at, {}}, values);
        scf::ConditionOp::create(builder, at, condition, values);
      },
      [&](OpBuilder &builder, Location at, ValueRange values) {
        Carried carried = next({builder, at, {}}, values);
        scf::YieldOp::create(builder, at, carried);
      });
}

} // namespace spindle::snn_to_loops
