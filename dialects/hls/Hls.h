// The hls dialect in C++.
#pragma once

#include "core/kernel/DimensionPartition.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/RegionKindInterface.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "dialects/hls/Hls.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/hls/HlsAttrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "dialects/hls/HlsTypes.h.inc"

namespace spindle::hls {
class TasksOp;
}

#define GET_OP_CLASSES
#include "dialects/hls/HlsOps.h.inc"

namespace spindle::hls {

/// Cycle of `op` after the start of its iteration; the verifier has seen that it is there.
int64_t startOf(mlir::Operation *op);
void setStart(mlir::Operation *op, int64_t cycle);

/// The unit `op` is bound to, null for those that need none.
UnitOp unitOf(mlir::Operation *op);

/// Cycles from the start of `op` to its result.
int64_t latencyOf(mlir::Operation *op);

/// Cycles from one access to another of the same word that must come after it: a load of registers
/// and the store that overwrites them may meet in a cycle, all others may not. Tokens of a stream
/// follow each other one per cycle.
unsigned orderLatency(bool readThenWrite, bool seesOld);
unsigned orderLatency(mlir::Operation *from, mlir::Operation *to);

/// The memory an access names.
MemoryOp memoryOf(mlir::Operation *access);

/// The FIFO that a pop or push names, and its condition (null: always).
FifoOp fifoOf(mlir::Operation *op);
mlir::Value conditionOf(mlir::Operation *op);

/// The registers that a task reads as it starts: those its bounds come from, and its condition. A
/// task with such registers starts one cycle late.
llvm::SmallVector<MemoryOp> registersAtStart(mlir::Operation *task);

/// The name of a task and those it waits for.
llvm::StringRef nameOf(mlir::Operation *task);
llvm::SmallVector<llvm::StringRef> predecessorsOf(mlir::Operation *task);

} // namespace spindle::hls
