// Builds the code of one neuron: variables, loops and f32 arithmetic. Private to this folder.
#pragma once

#include "dialects/snn/neuron-level/SingleNeuron.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"

#include <functional>

namespace spindle::neuron_level {

using Comparison = mlir::arith::CmpFPredicate;

/// Pieces of code; each call appends at the insertion point.
class NeuronCode {
public:
  /// Inside `function(run, frame)`.
  NeuronCode(mlir::OpBuilder &builder, mlir::func::FuncOp function);

  using Code = mlir::Value;
  using Body = std::function<void()>;

  Code number(float value);
  Code integer(int64_t value);
  Code truth(bool value);
  Code add(Code a, Code b) { return make<mlir::arith::AddFOp>(a, b); }
  Code subtract(Code a, Code b) { return make<mlir::arith::SubFOp>(a, b); }
  Code multiply(Code a, Code b) { return make<mlir::arith::MulFOp>(a, b); }
  Code divide(Code a, Code b) { return make<mlir::arith::DivFOp>(a, b); }
  Code negate(Code a) { return make<mlir::arith::NegFOp>(a); }
  Code both(Code a, Code b) { return make<mlir::arith::AndIOp>(a, b); }
  Code opposite(Code a) { return make<mlir::arith::XOrIOp>(a, truth(true)); }
  Code next(Code integer_) { return make<mlir::arith::AddIOp>(integer_, integer(1)); }
  Code difference(Code a, Code b) { return make<mlir::arith::SubIOp>(a, b); } // of integers
  Code less(Code a, Code b);                                                  // of integers
  Code compare(Comparison how, Code a, Code b);
  Code select(Code condition, Code yes, Code no);
  Code toFloat(Code integer_);

  /// A variable of the function, set to `initial` here; its place is made once, where the function
  /// begins.
  Code variable(Code initial);
  Code read(Code variable, mlir::Type type);
  Code read(Code variable) { return read(variable, builder.getF32Type()); }
  void write(Code variable, Code value);

  void when(Code condition, const Body &body, const Body &otherwise = nullptr);
  /// Repeats while `condition`, emitted anew before each round, holds.
  void loop(const std::function<Code()> &condition, const Body &body);
  /// i = 0 … count − 1.
  void count(Code count, const std::function<void(Code)> &body);

  /// A member of the frame at a byte offset, and an element of an array it points to.
  Code member(size_t offset, mlir::Type type);
  Code element(Code pointer, Code index, mlir::Type type);
  void setElement(Code pointer, Code index, Code value);

  /// Calls of the runtime.
  Code exponential(Code x) { return call("neurons_exponential", x); }
  Code logarithm(Code x) { return call("neurons_logarithm", x); }
  Code emit(Code time);

  mlir::OpBuilder &builder;
  mlir::Type f32, i64, i1, pointer;

private:
  template <typename Op, typename... Arguments> Code make(Arguments... arguments) {
    return Op::create(builder, location, arguments...);
  }
  Code call(llvm::StringRef function, Code x);

  mlir::Location location;
  mlir::Block *entry;
  Code run, frame;
};

/// What shapes the code of a neuron; its numbers come with each run.
struct NeuronForm {
  bool clocked, leaks, resetBySubtraction, isRefractory, hasUntil, hasBias;
  bool operator==(const NeuronForm &) const = default;
};
NeuronForm formOf(const snn::SingleNeuron &parameters, bool hasBias);

/// The code of a neuron in `function(run, frame)`, an empty function; the same arithmetic as
/// `neuron` in Neuron.cpp.
void emitNeuron(mlir::OpBuilder &builder, mlir::func::FuncOp function, const NeuronForm &form);

} // namespace spindle::neuron_level
