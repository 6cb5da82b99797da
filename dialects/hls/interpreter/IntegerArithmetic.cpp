// Integers and indices: modulo 2^width.
#include "dialects/hls/Hls.h"
#include "dialects/hls/interpreter/FunctionTables.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"

#include <algorithm>

namespace spindle::hls {

namespace arith = mlir::arith;

namespace {

using Bits = const uint64_t *;

/// A width, and what it does to numbers.
struct Width {
  unsigned bits;

  uint64_t cut(uint64_t value) const {
    return bits == 64 ? value : value & ((uint64_t(1) << bits) - 1);
  }
  int64_t extended(uint64_t value) const {
    return static_cast<int64_t>(value << (64 - bits)) >> (64 - bits);
  }
};

uint64_t divide(Width width, uint64_t a, uint64_t b) { return b ? a / b : width.cut(~uint64_t(0)); }

uint64_t remainder(uint64_t a, uint64_t b) { return b ? a % b : a; }

uint64_t divideSigned(Width width, uint64_t a, uint64_t b) {
  int64_t by = width.extended(b);
  if (by == 0 || by == -1)
    return by == 0 ? width.cut(~uint64_t(0)) : width.cut(-a);
  return width.cut(static_cast<uint64_t>(width.extended(a) / by));
}

uint64_t remainderSigned(Width width, uint64_t a, uint64_t b) {
  int64_t by = width.extended(b);
  if (by == 0 || by == -1)
    return by == 0 ? a : 0;
  return width.cut(static_cast<uint64_t>(width.extended(a) % by));
}

uint64_t shiftSigned(Width width, uint64_t a, uint64_t by) {
  return width.cut(
      static_cast<uint64_t>(width.extended(a) >> std::min<uint64_t>(by, width.bits - 1)));
}

bool compare(arith::CmpIPredicate predicate, Width width, uint64_t a, uint64_t b) {
  int64_t x = width.extended(a), y = width.extended(b);
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    return a == b;
  case arith::CmpIPredicate::ne:
    return a != b;
  case arith::CmpIPredicate::slt:
    return x < y;
  case arith::CmpIPredicate::sle:
    return x <= y;
  case arith::CmpIPredicate::sgt:
    return x > y;
  case arith::CmpIPredicate::sge:
    return x >= y;
  case arith::CmpIPredicate::ult:
    return a < b;
  case arith::CmpIPredicate::ule:
    return a <= b;
  case arith::CmpIPredicate::ugt:
    return a > b;
  case arith::CmpIPredicate::uge:
    return a >= b;
  }
  return false;
}

} // namespace

Function integerFunction(mlir::Operation *op) {
  Width from{widthOf(op->getOperand(0).getType())}, w{widthOf(op->getResult(0).getType())};
  auto signedChange = [=](Bits x) { return w.cut(static_cast<uint64_t>(from.extended(x[0]))); };
  auto plainChange = [=](Bits x) { return w.cut(x[0]); };
  auto choose = [](bool takesFirst, Bits x) { return takesFirst ? x[0] : x[1]; };
  return llvm::TypeSwitch<mlir::Operation *, Function>(op)
      .Case([&](arith::AddIOp) { return [=](Bits x) { return w.cut(x[0] + x[1]); }; })
      .Case([&](arith::SubIOp) { return [=](Bits x) { return w.cut(x[0] - x[1]); }; })
      .Case([&](arith::MulIOp) { return [=](Bits x) { return w.cut(x[0] * x[1]); }; })
      .Case([&](MultiplyPairOp) {
        return [=](Bits x) { return from.cut(x[0] * x[2]) << from.bits | from.cut(x[1] * x[2]); };
      })
      .Case([&](arith::DivUIOp) { return [=](Bits x) { return divide(w, x[0], x[1]); }; })
      .Case([&](arith::DivSIOp) { return [=](Bits x) { return divideSigned(w, x[0], x[1]); }; })
      .Case([&](arith::RemUIOp) { return [](Bits x) { return remainder(x[0], x[1]); }; })
      .Case([&](arith::RemSIOp) { return [=](Bits x) { return remainderSigned(w, x[0], x[1]); }; })
      .Case([&](arith::AndIOp) { return [](Bits x) { return x[0] & x[1]; }; })
      .Case([&](arith::OrIOp) { return [](Bits x) { return x[0] | x[1]; }; })
      .Case([&](arith::XOrIOp) { return [](Bits x) { return x[0] ^ x[1]; }; })
      .Case([&](arith::ShLIOp) {
        return [=](Bits x) { return x[1] < w.bits ? w.cut(x[0] << x[1]) : 0; };
      })
      .Case(
          [&](arith::ShRUIOp) { return [=](Bits x) { return x[1] < w.bits ? x[0] >> x[1] : 0; }; })
      .Case([&](arith::ShRSIOp) { return [=](Bits x) { return shiftSigned(w, x[0], x[1]); }; })
      .Case([&](arith::MaxSIOp) {
        return [=](Bits x) { return choose(w.extended(x[0]) > w.extended(x[1]), x); };
      })
      .Case([&](arith::MinSIOp) {
        return [=](Bits x) { return choose(w.extended(x[0]) < w.extended(x[1]), x); };
      })
      .Case([&](arith::MaxUIOp) { return [](Bits x) { return std::max(x[0], x[1]); }; })
      .Case([&](arith::MinUIOp) { return [](Bits x) { return std::min(x[0], x[1]); }; })
      .Case([&](arith::CmpIOp comparison) {
        return [=, predicate = comparison.getPredicate()](Bits x) -> uint64_t {
          return compare(predicate, from, x[0], x[1]);
        };
      })
      .Case<arith::ExtSIOp, arith::IndexCastOp>([&](auto) { return signedChange; })
      .Case<arith::ExtUIOp, arith::TruncIOp, arith::IndexCastUIOp>(
          [&](auto) { return plainChange; })
      .Default([](mlir::Operation *) { return Function(); });
}

} // namespace spindle::hls
