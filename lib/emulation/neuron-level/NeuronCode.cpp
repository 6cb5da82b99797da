#include "lib/emulation/neuron-level/NeuronCode.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace spindle::neuron_level {

NeuronCode::NeuronCode(OpBuilder &b, func::FuncOp function)
    : builder(b), f32(b.getF32Type()), i64(b.getI64Type()), i1(b.getI1Type()),
      pointer(LLVM::LLVMPointerType::get(b.getContext())), location(b.getUnknownLoc()),
      entry(&function.getBody().front()), run(function.getArgument(0)),
      frame(function.getArgument(1)) {}

mlir::Value NeuronCode::number(float value) {
  return make<arith::ConstantOp>(builder.getF32FloatAttr(value));
}
mlir::Value NeuronCode::integer(int64_t value) {
  return make<arith::ConstantOp>(builder.getI64IntegerAttr(value));
}
mlir::Value NeuronCode::truth(bool value) {
  return make<arith::ConstantOp>(builder.getBoolAttr(value));
}

mlir::Value NeuronCode::less(mlir::Value a, mlir::Value b) {
  return make<arith::CmpIOp>(arith::CmpIPredicate::slt, a, b);
}
mlir::Value NeuronCode::compare(Comparison how, mlir::Value a, mlir::Value b) {
  return make<arith::CmpFOp>(how, a, b);
}
mlir::Value NeuronCode::select(mlir::Value condition, mlir::Value yes, mlir::Value no) {
  return make<arith::SelectOp>(condition, yes, no);
}
mlir::Value NeuronCode::toFloat(mlir::Value integer_) {
  return make<arith::SIToFPOp>(f32, integer_);
}

mlir::Value NeuronCode::variable(mlir::Value initial) {
  mlir::Value result;
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(entry);
    result = make<LLVM::AllocaOp>(pointer, initial.getType(), integer(1));
  }
  write(result, initial);
  return result;
}
mlir::Value NeuronCode::read(mlir::Value variable_, Type type) {
  return make<LLVM::LoadOp>(type, variable_);
}
void NeuronCode::write(mlir::Value variable_, mlir::Value value) {
  LLVM::StoreOp::create(builder, location, value, variable_);
}

void NeuronCode::when(mlir::Value condition, const Body &body, const Body &otherwise) {
  auto op = scf::IfOp::create(builder, location, condition, /*withElseRegion=*/bool(otherwise));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(op.thenBlock());
  body();
  if (!otherwise)
    return;
  builder.setInsertionPointToStart(op.elseBlock());
  otherwise();
}

void NeuronCode::loop(const std::function<mlir::Value()> &condition, const Body &body) {
  auto op = scf::WhileOp::create(builder, location, TypeRange(), ValueRange());
  OpBuilder::InsertionGuard guard(builder);
  builder.createBlock(&op.getBefore());
  scf::ConditionOp::create(builder, location, condition(), ValueRange());
  builder.createBlock(&op.getAfter());
  body();
  scf::YieldOp::create(builder, location);
}

void NeuronCode::count(mlir::Value count_, const std::function<void(mlir::Value)> &body) {
  auto op = scf::ForOp::create(builder, location, integer(0), count_, integer(1));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(op.getBody());
  body(op.getInductionVar());
}

mlir::Value NeuronCode::member(size_t offset, Type type) {
  mlir::Value address = make<LLVM::GEPOp>(pointer, builder.getI8Type(), frame,
                                          ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(offset)});
  return read(address, type);
}
mlir::Value NeuronCode::element(mlir::Value array, mlir::Value index, Type type) {
  return read(make<LLVM::GEPOp>(pointer, type, array, ValueRange(index)), type);
}
void NeuronCode::setElement(mlir::Value array, mlir::Value index, mlir::Value value) {
  write(make<LLVM::GEPOp>(pointer, value.getType(), array, ValueRange(index)), value);
}

mlir::Value NeuronCode::call(StringRef function, mlir::Value x) {
  return func::CallOp::create(builder, location, function, TypeRange(f32), ValueRange(x))
      .getResult(0);
}
mlir::Value NeuronCode::emit(mlir::Value time) {
  return func::CallOp::create(builder, location, "neurons_emit", TypeRange(i1),
                              ValueRange{run, time})
      .getResult(0);
}

} // namespace spindle::neuron_level
