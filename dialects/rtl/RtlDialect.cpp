#include "dialects/rtl/Rtl.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/DialectImplementation.h"

#include "dialects/rtl/Rtl.cpp.inc"

#define GET_OP_CLASSES
#include "dialects/rtl/RtlOps.cpp.inc"

using namespace mlir;

namespace spindle::rtl {

void RtlDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "dialects/rtl/RtlOps.cpp.inc"
      >();
}

Operation *RtlDialect::materializeConstant(OpBuilder &builder, Attribute value, Type type,
                                           Location location) {
  return arith::ConstantOp::materialize(builder, value, type, location);
}

} // namespace spindle::rtl
