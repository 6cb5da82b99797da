#include "lib/emulation/layers/kernels/WriteSpikes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <numeric>

using namespace mlir;

namespace spindle::layers {

using lanes::kLanes;

static Value pointerTo(lanes::KernelBuilder &b, size_t buffer) {
  return b.make<LLVM::IntToPtrOp>(LLVM::LLVMPointerType::get(b.ops().getContext()),
                                  b.address(buffer));
}

MaskWriter::MaskWriter(lanes::KernelBuilder &kernel, size_t maskBuffer)
    : b(kernel), masks(pointerTo(b, maskBuffer)) {}

void MaskWriter::write(Value n, Value spikes) {
  Type word = b.ops().getI16Type();
  Value some = b.make<arith::CmpFOp>(arith::CmpFPredicate::UNE, spikes, b.splat(0));
  Value place = b.make<arith::IndexCastOp>(b.ops().getI64Type(), n);
  Value to = b.make<LLVM::GEPOp>(masks.getType(), word, masks, ArrayRef<LLVM::GEPArg>{place});
  LLVM::StoreOp::create(b.ops(), b.ops().getUnknownLoc(), b.make<LLVM::BitcastOp>(word, some), to);
}

static Value constant(lanes::KernelBuilder &b, int64_t value) {
  return b.make<arith::ConstantOp>(b.ops().getI64IntegerAttr(value));
}

EventAppender::EventAppender(lanes::KernelBuilder &kernel, size_t count)
    : b(kernel), elements(count), entries(pointerTo(b, b.addLaneBuffer(1))),
      end(pointerTo(b, b.addLaneBuffer(1))) {
  LLVM::StoreOp::create(b.ops(), b.ops().getUnknownLoc(), constant(b, 0), end);
}

/// Lanes of the last vector behind the last neuron hold none.
Value EventAppender::isInside(Value n) {
  SmallVector<int64_t> numbers(kLanes);
  std::iota(numbers.begin(), numbers.end(), 0);
  VectorType wide = b.lanesOf(b.ops().getI64Type());
  Value lane = b.make<arith::ConstantOp>(DenseElementsAttr::get(wide, ArrayRef<int64_t>(numbers)));
  Value first = b.make<arith::IndexCastOp>(b.ops().getI64Type(), b.at({{n, kLanes}}));
  Value left = b.make<arith::SubIOp>(constant(b, int64_t(elements)), first);
  return b.make<arith::CmpIOp>(arith::CmpIPredicate::slt, lane, b.broadcast(left));
}

void EventAppender::append(Value n, Value counts) {
  Value spikes = b.make<arith::CmpFOp>(arith::CmpFPredicate::UNE, counts, b.splat(0));
  if (elements % size_t(kLanes) != 0)
    spikes = b.make<arith::AndIOp>(spikes, isInside(n));
  Value bits = b.make<LLVM::BitcastOp>(b.ops().getI16Type(), spikes);
  Value none = b.make<arith::ConstantOp>(b.ops().getI16IntegerAttr(0));
  Value some = b.make<arith::CmpIOp>(arith::CmpIPredicate::ne, bits, none);
  Location location = b.ops().getUnknownLoc();
  auto branch = scf::IfOp::create(b.ops(), location, some, false);
  OpBuilder::InsertionGuard guard(b.ops());
  b.ops().setInsertionPointToStart(&branch.getThenRegion().front());

  Type entry = elements <= size_t(UINT16_MAX) + 1 ? b.ops().getI16Type() : b.ops().getI32Type();
  VectorType numbers = b.lanesOf(b.ops().getI32Type());
  SmallVector<int32_t> ascending(kLanes);
  std::iota(ascending.begin(), ascending.end(), 0);
  Value first = b.make<arith::IndexCastOp>(b.ops().getI32Type(), b.at({{n, kLanes}}));
  Value ids = b.make<arith::AddIOp>(
      b.broadcast(first),
      b.make<arith::ConstantOp>(DenseElementsAttr::get(numbers, ArrayRef<int32_t>(ascending))));
  auto compress = b.ops().getStringAttr("llvm.experimental.vector.compress");
  Value packed = LLVM::CallIntrinsicOp::create(b.ops(), location, numbers, compress,
                                               ValueRange{ids, spikes, ids})
                     .getResult(0);
  if (entry.isInteger(16))
    packed = b.make<arith::TruncIOp>(b.lanesOf(entry), packed);
  Value before = b.make<LLVM::LoadOp>(b.ops().getI64Type(), end);
  Value to = b.make<LLVM::GEPOp>(end.getType(), entry, entries, ArrayRef<LLVM::GEPArg>{before});
  LLVM::StoreOp::create(b.ops(), location, packed, to, /*alignment=*/2);
  Value ones = b.make<LLVM::CtPopOp>(b.ops().getI16Type(), bits);
  Value more = b.make<arith::ExtUIOp>(b.ops().getI64Type(), ones);
  LLVM::StoreOp::create(b.ops(), location, b.make<arith::AddIOp>(before, more), end);
}

} // namespace spindle::layers
