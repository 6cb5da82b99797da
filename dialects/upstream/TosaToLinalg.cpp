#include "dialects/upstream/TosaToLinalg.h"

#include "dialects/upstream/ExactCanonicalizer.h"

#include "mlir/Conversion/TosaToArith/TosaToArith.h"
#include "mlir/Conversion/TosaToLinalg/TosaToLinalg.h"
#include "mlir/Conversion/TosaToSCF/TosaToSCF.h"
#include "mlir/Conversion/TosaToTensor/TosaToTensor.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Dialect/Tosa/Transforms/Passes.h"

using namespace mlir;

bool spindle::usesTosa(ModuleOp module) {
  return module
      .walk([](Operation *op) {
        return isa_and_nonnull<tosa::TosaDialect>(op->getDialect()) ? WalkResult::interrupt()
                                                                    : WalkResult::advance();
      })
      .wasInterrupted();
}

void spindle::addTosaToLinalg(OpPassManager &passes) {
  OpPassManager &functions = passes.nest<func::FuncOp>();
  functions.addPass(tosa::createTosaOptionalDecompositionsPass());
  functions.addPass(createExactCanonicalizer());
  functions.addPass(tosa::createTosaInferShapesPass());
  functions.addPass(createTosaToSCFPass()); // the passes below refuse what ends its regions
  functions.addPass(tosa::createTosaMakeBroadcastablePass());
  functions.addPass(tosa::createTosaToLinalgNamed());
  functions.addPass(createExactCanonicalizer());
  functions.addPass(tosa::createTosaLayerwiseConstantFoldPass());
  functions.addPass(tosa::createTosaMakeBroadcastablePass());
  functions.addPass(tosa::createTosaToLinalg());
  TosaToArithPassOptions arithmetic;
  arithmetic.includeApplyRescale = true; // products of 64 bits, shifted
  functions.addPass(createTosaToArithPass(arithmetic));
  functions.addPass(createTosaToTensorPass());
}
