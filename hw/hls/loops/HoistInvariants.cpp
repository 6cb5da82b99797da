// What no loop changes is computed once, before the first of them.
#include "hw/hls/Passes.h"
#include "hw/hls/loops/LoopPass.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::affine;

namespace spindle::hls {

#define GEN_PASS_DEF_HLSHOISTINVARIANTS
#include "hw/hls/Passes.h.inc"

namespace {

struct HoistInvariants : LoopPass<impl::HlsHoistInvariantsBase<HoistInvariants>> {
  using LoopPass::LoopPass;

  void runOnLoops() override {
    Block &body = getOperation().front();
    for (Operation &outermost : llvm::make_early_inc_range(body)) {
      if (!isa<AffineForOp>(outermost))
        continue;
      outermost.walk<WalkOrder::PreOrder>([&](Operation *op) {
        bool isInvariant = llvm::all_of(
            op->getOperands(), [&](Value operand) { return operand.getParentBlock() == &body; });
        bool isFixed = op->getNumRegions() > 0 || op->hasTrait<OpTrait::IsTerminator>();
        if (op == &outermost || isFixed || op->getNumOperands() == 0 || !isPure(op) || !isInvariant)
          return;
        op->moveBefore(&outermost);
        ++hoisted;
      });
    }
  }
};
} // namespace

} // namespace spindle::hls
