#include "lib/emulation/layers/kernels/WriteMasks.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace spindle::layerwise {

MaskWriter::MaskWriter(engine::KernelBuilder &kernel, size_t maskBuffer)
    : b(kernel), masks(b.make<LLVM::IntToPtrOp>(LLVM::LLVMPointerType::get(b.ops().getContext()),
                                                b.address(maskBuffer))) {}

void MaskWriter::write(Value n, Value spikes) {
  Type word = b.ops().getI16Type();
  Value some = b.make<arith::CmpFOp>(arith::CmpFPredicate::UNE, spikes, b.splat(0));
  Value place = b.make<arith::IndexCastOp>(b.ops().getI64Type(), n);
  Value to = b.make<LLVM::GEPOp>(masks.getType(), word, masks, ArrayRef<LLVM::GEPArg>{place});
  LLVM::StoreOp::create(b.ops(), b.ops().getUnknownLoc(), b.make<LLVM::BitcastOp>(word, some), to);
}

} // namespace spindle::layerwise
