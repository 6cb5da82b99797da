// Which arrays `hls.independent` speaks of: those of the program, which later stages and passes add
// to.
#include "dialects/hls/Hls.h"
#include "hw/hls/prepare/Stages.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace spindle::hls {

/// Numbers of arguments are those of the function that the loop stands in, which a call replaces.
static LogicalResult checkNames(func::FuncOp called) {
  WalkResult result = called.walk([](Operation *loop) {
    auto claim = loop->getAttrOfType<IndependentAttr>(HlsDialect::independentName);
    if (!claim || claim.getArguments().empty())
      return WalkResult::advance();
    loop->emitError() << "attribute '" << HlsDialect::independentName
                      << "' names arguments of a function that is called: name none, or write the "
                         "loop in the top function";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

LogicalResult declareArrays(ModuleOp module, func::FuncOp top) {
  bool isSaid = false;
  module.walk([&](Operation *op) { isSaid |= op->hasAttr(HlsDialect::independentName); });
  if (!isSaid)
    return success();
  for (auto function : module.getOps<func::FuncOp>())
    if (function != top && failed(checkNames(function)))
      return failure();
  auto declare = [](Operation *array) {
    array->setDiscardableAttr(HlsDialect::declaredName, UnitAttr::get(array->getContext()));
  };
  // What is allocated inside of a loop is another array in each iteration, one in hardware.
  for (Operation &op : top.getBody().front())
    if (isa<memref::AllocOp, memref::AllocaOp>(op))
      declare(&op);
  module.walk([&](memref::GetGlobalOp global) { declare(global); });
  return success();
}

} // namespace spindle::hls
