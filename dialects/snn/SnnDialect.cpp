#include "dialects/snn/synapses/DelayedSparseOp.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

#include "dialects/snn/Snn.cpp.inc"
#include "dialects/snn/SnnAttrs.cpp.inc"
#include "dialects/snn/SnnInterfaces.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "dialects/snn/SnnTypes.cpp.inc"

#define GET_OP_CLASSES
#include "dialects/snn/SnnOps.cpp.inc"

namespace spindle::snn {

void SnnDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "dialects/snn/SnnTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/snn/SnnOps.cpp.inc"
      , DelayedSparseOp>();
  addNeuronLevelOperations();
}

} // namespace spindle::snn
