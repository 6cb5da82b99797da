// Arrays of rank 0 in which values go from one task to another.
#pragma once

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace spindle::hls {

class Registers {
public:
  explicit Registers(mlir::func::FuncOp kernel) : function(kernel), builder(kernel) {}

  /// An index is kept as the number that a register of 64 bits holds.
  mlir::Value make(mlir::Type type) {
    mlir::OpBuilder::InsertionGuard guard(builder);
    if (type.isIndex())
      type = builder.getI64Type();
    builder.setInsertionPointToStart(&function.getBody().front());
    return mlir::memref::AllocOp::create(builder, function.getLoc(),
                                         mlir::MemRefType::get({}, type));
  }
  void storeBefore(mlir::Operation *place, mlir::Value value, mlir::Value memory) {
    builder.setInsertionPoint(place);
    if (value.getType().isIndex())
      value =
          mlir::arith::IndexCastOp::create(builder, value.getLoc(), builder.getI64Type(), value);
    mlir::affine::AffineStoreOp::create(builder, value.getLoc(), value, memory, mlir::ValueRange());
  }
  mlir::Value loadBefore(mlir::Operation *place, mlir::Value memory, mlir::Type type) {
    builder.setInsertionPoint(place);
    mlir::Value loaded =
        mlir::affine::AffineLoadOp::create(builder, place->getLoc(), memory, mlir::ValueRange());
    if (type.isIndex())
      return mlir::arith::IndexCastOp::create(builder, place->getLoc(), type, loaded);
    return loaded;
  }

private:
  mlir::func::FuncOp function;
  mlir::OpBuilder builder;
};

} // namespace spindle::hls
