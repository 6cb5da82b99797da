// The order in which a pipeline keeps its accesses.
#pragma once

#include "mlir/IR/Block.h"
#include "mlir/IR/BuiltinAttributes.h"

namespace spindle::hls {

/// Tokens of one stream keep their order, from one iteration to the next too where there are more
/// (`repeats`): dependences between accesses in the body of a pipeline are added.
void orderTokens(mlir::Block &block, bool repeats,
                 llvm::SmallVectorImpl<mlir::Attribute> &dependences);

/// Tokens, and accesses of one array where nothing tells that they touch different words.
mlir::ArrayAttr orderedAccesses(mlir::Block &block, bool repeats);

} // namespace spindle::hls
