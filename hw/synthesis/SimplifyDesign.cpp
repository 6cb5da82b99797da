#include "hw/synthesis/SimplifyDesign.h"

#include "dialects/rtl/Rtl.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

namespace spindle::hls {

llvm::Error simplifyDesign(mlir::ModuleOp design, const std::string &place) {
  mlir::PassManager passes(design.getContext());
  // Module by module: seen from the design, each change in a module has all of it looked at.
  passes.addNestedPass<rtl::CircuitModuleOp>(mlir::createCanonicalizerPass());
  passes.addPass(mlir::createCSEPass());
  if (mlir::failed(passes.run(design)))
    return checkError(place, "simplifying the design failed");
  return llvm::Error::success();
}

} // namespace spindle::hls
