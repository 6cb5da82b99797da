// Steps of refineShapes, each of which leaves a valid program. Private to this folder.
#pragma once

#include "dialects/upstream/shapes/KnownShapes.h"
#include "dialects/upstream/shapes/RefineShapes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/PatternMatch.h"

namespace spindle::upstream {

/// The function whose argument this is, if nobody in the module calls it.
mlir::func::FuncOp outermostOf(mlir::Value value);

/// The type of a function after those of its arguments.
void settleType(mlir::func::FuncOp function);

/// The operand has the shape, by a cast where needed. An argument has it at once: what reads the
/// cast may be gone before anybody looks at it. False where it has it already.
bool castOperand(mlir::PatternRewriter &rewriter, mlir::OpOperand &operand,
                 mlir::ArrayRef<int64_t> shape);

/// The value has the shape, and a cast to the former type for all that read it. `owner` makes it.
/// False where it has it already.
bool refine(mlir::PatternRewriter &rewriter, mlir::Operation *owner, mlir::Value value,
            mlir::ArrayRef<int64_t> shape);

/// Rules for operations that upstream has none for, one each (RefineOperations.cpp).
void addRulesOfOperations(mlir::RewritePatternSet &patterns);

} // namespace spindle::upstream
