#include "dialects/snn/Words.h"
#include "dialects/snn/synapses/DelayedSparseOp.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

#include "dialects/snn/Snn.cpp.inc"
#include "dialects/snn/SnnEnums.cpp.inc"
#include "dialects/snn/SnnInterfaces.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/snn/SnnAttrs.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "dialects/snn/SnnTypes.cpp.inc"

#define GET_OP_CLASSES
#include "dialects/snn/SnnOps.cpp.inc"

namespace spindle::snn {

void SnnDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/snn/SnnAttrs.cpp.inc"
      >();
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
