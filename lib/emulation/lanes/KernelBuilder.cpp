#include "lib/emulation/lanes/KernelBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace spindle::lanes {

static constexpr unsigned kOperations = 3; // after sample, step and seed

KernelBuilder::KernelBuilder(MLIRContext &context, Lanes lanes)
    : LoopBuilder(context), meaning(lanes), scalars(kOperations + (lanes == Lanes::Samples)) {
  context.loadDialect<math::MathDialect, memref::MemRefDialect>();
  Location location = builder.getUnknownLoc();
  result.module = ModuleOp::create(location);
  builder.setInsertionPointToEnd(result.module->getBody());
  auto type = builder.getFunctionType(SmallVector<Type>(scalars, builder.getI64Type()), {});
  auto addKernel = [&](Phase phase, StringRef name) {
    func::FuncOp kernel = func::FuncOp::create(builder, location, name, type);
    kernels[size_t(phase)] = kernel;
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(kernel.addEntryBlock());
    ends[size_t(phase)] = func::ReturnOp::create(builder, location);
  };
  addKernel(Phase::Setup, "setup");
  addKernel(Phase::Step, "step");
  enter(Phase::Setup);
}

int64_t KernelBuilder::vectorsFor(int64_t elements) const {
  return meaning == Lanes::Samples ? elements : (elements + kLanes - 1) / kLanes;
}

size_t KernelBuilder::addBuffer(Type element, int64_t elements) {
  auto type = MemRefType::get({elements}, element);
  for (func::FuncOp kernel : kernels)
    (void)kernel.insertArgument(kernel.getNumArguments(), type, {}, builder.getUnknownLoc());
  return result.buffers.size();
}

size_t KernelBuilder::addLaneBuffer(int64_t elements) {
  size_t number = addBuffer(lanesOf(builder.getF32Type()), elements);
  result.buffers.push_back({elements, true, {}, {}});
  return number;
}

size_t KernelBuilder::addParameter(std::vector<float> values) {
  int64_t elements = static_cast<int64_t>(values.size());
  size_t number = addBuffer(builder.getF32Type(), elements);
  result.buffers.push_back({elements, false, std::move(values), {}});
  return number;
}

size_t KernelBuilder::addLaneParameter(std::vector<float> values) {
  int64_t vectors = (static_cast<int64_t>(values.size()) + kLanes - 1) / kLanes;
  values.resize(static_cast<size_t>(vectors * kLanes));
  size_t number = addBuffer(lanesOf(builder.getF32Type()), vectors);
  result.buffers.push_back({vectors, true, std::move(values), {}});
  return number;
}

size_t KernelBuilder::addIndices(std::vector<int32_t> values) {
  int64_t elements = static_cast<int64_t>(values.size());
  size_t number = addBuffer(builder.getI32Type(), elements);
  result.buffers.push_back({elements, false, {}, std::move(values)});
  return number;
}

void KernelBuilder::enter(Phase phase) {
  current = phase;
  builder.setInsertionPoint(ends[size_t(phase)]);
}

void KernelBuilder::enterOperation(int64_t number) {
  Operation *&end = ends[size_t(Phase::Step)];
  end = kernels[size_t(Phase::Step)].getBody().front().getTerminator();
  enter(Phase::Step);
  Value before = make<arith::ConstantOp>(builder.getI64IntegerAttr(number));
  Value isAsked =
      make<arith::CmpIOp>(arith::CmpIPredicate::sgt, scalarArgument(kOperations), before);
  auto guard = scf::IfOp::create(builder, builder.getUnknownLoc(), isAsked,
                                 /*withElseRegion=*/false);
  end = guard.thenBlock()->getTerminator();
  enter(Phase::Step);
}

Value KernelBuilder::scalarArgument(unsigned number) {
  return kernels[size_t(current)].getArgument(number);
}

Value KernelBuilder::view(size_t buffer, ArrayRef<int64_t> shape) {
  Value argument = scalarArgument(scalars + static_cast<unsigned>(buffer));
  if (shape.size() == 1)
    return argument;
  auto type = MemRefType::get(shape, cast<MemRefType>(argument.getType()).getElementType());
  SmallVector<int64_t> strides(shape.size(), 1);
  for (size_t d = shape.size() - 1; d-- > 0;)
    strides[d] = strides[d + 1] * shape[d + 1];
  return make<memref::ReinterpretCastOp>(type, argument, int64_t(0), shape, strides);
}

Value KernelBuilder::load(Value memref, ValueRange indices) {
  return make<memref::LoadOp>(memref, indices);
}

Value KernelBuilder::loadIndex(size_t buffer, Value element) {
  int64_t elements = result.buffers[buffer].elements;
  return make<arith::IndexCastOp>(builder.getIndexType(), load(view(buffer, {elements}), element));
}

void KernelBuilder::store(Value lanes, Value memref, ValueRange indices) {
  memref::StoreOp::create(builder, builder.getUnknownLoc(), lanes, memref, indices);
}

Value KernelBuilder::address(size_t buffer) {
  Value memref = view(buffer, {result.buffers[buffer].elements});
  Value pointer = make<memref::ExtractAlignedPointerAsIndexOp>(memref);
  return make<arith::IndexCastOp>(builder.getI64Type(), pointer);
}

Array KernelBuilder::array(size_t buffer, Type element) {
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  return {*this, make<LLVM::IntToPtrOp>(pointer, address(buffer)), element};
}

void KernelBuilder::call(StringRef function, ValueRange arguments) {
  Location location = builder.getUnknownLoc();
  if (!result.module->lookupSymbol(function)) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(result.module->getBody());
    auto type = builder.getFunctionType(arguments.getTypes(), {});
    func::FuncOp::create(builder, location, function, type).setPrivate();
  }
  func::CallOp::create(builder, location, function, TypeRange(), arguments);
}

Value KernelBuilder::broadcast(Value scalar) {
  return make<vector::BroadcastOp>(lanesOf(scalar.getType()), scalar);
}

Value KernelBuilder::splat(float value) {
  return make<arith::ConstantOp>(DenseElementsAttr::get(lanesOf(builder.getF32Type()), value));
}

Value KernelBuilder::zeroOrOne(Value condition) {
  return make<arith::SelectOp>(condition, splat(1), splat(0));
}

Value KernelBuilder::index(int64_t value) { return make<arith::ConstantIndexOp>(value); }

Value KernelBuilder::at(ArrayRef<Term> terms, int64_t offset) {
  Value sum = index(offset);
  for (const Term &term : terms)
    sum = make<arith::AddIOp>(sum, make<arith::MulIOp>(term.value, index(term.factor)));
  return sum;
}

void KernelBuilder::loop(ArrayRef<int64_t> extents, Body body) {
  Values indices;
  nest(extents, indices, {}, [&](ValueRange at, ValueRange) {
    body(at);
    return Values();
  });
}

KernelBuilder::Values KernelBuilder::reduce(ArrayRef<int64_t> extents, Values sums, SumBody body) {
  Values indices;
  return nest(extents, indices, std::move(sums), body);
}

KernelBuilder::Values KernelBuilder::nest(ArrayRef<int64_t> extents, Values &indices, Values sums,
                                          SumBody body) {
  if (indices.size() == extents.size())
    return body(indices, sums);
  return reduceBetween(index(0), index(extents[indices.size()]), std::move(sums),
                       [&](ValueRange at, ValueRange carried) {
                         indices.push_back(at[0]);
                         Values inner = nest(extents, indices, Values(carried), body);
                         indices.pop_back();
                         return inner;
                       });
}

KernelModule KernelBuilder::take() { return std::move(result); }

} // namespace spindle::lanes
