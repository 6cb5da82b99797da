// The stages of `prepare`, in their order. Each refuses by a diagnostic at the operation concerned.
#pragma once

#include "hw/hls/prepare/Prepare.h"

#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/Pass.h"

#include <memory>

namespace spindle::hls {

/// All of them; what `prepare` and the pass do alike.
mlir::FailureOr<mlir::func::FuncOp> runStages(mlir::ModuleOp module, const PrepareOptions &options);

/// The function `top`, made public, after erasing what it does not reach.
/// Refuses recursion, calls without a body and calls of values.
mlir::FailureOr<mlir::func::FuncOp> selectTop(mlir::ModuleOp module, llvm::StringRef top);

/// Refuses types and dialects that no hardware is made for, where they stand in the input. Drops
/// fast-math flags.
mlir::LogicalResult checkInput(mlir::ModuleOp module, mlir::func::FuncOp top);

/// Arrays of the program get the attribute `hls.declared` where a loop has `hls.independent`.
/// Refuses the numbers of arguments in functions that are called.
mlir::LogicalResult declareArrays(mlir::ModuleOp module, mlir::func::FuncOp top);

/// Where an operation stands in the program. Folding takes the places from constants that it moves:
/// they are found where they are read first.
mlir::Location knownLocationOf(mlir::Operation *op);

/// Whether an array or tensor of known shape has more elements than a memory may have.
bool isTooLarge(mlir::ShapedType type);

/// Integer arguments become constants and get the attribute `hls.bound`; open extents of arrays
/// become their numbers.
mlir::LogicalResult bindArguments(mlir::func::FuncOp top, const Bindings &bindings);

/// Refuses quotients and remainders in maps and sets whose divisor is known to be below one.
mlir::LogicalResult checkDivisors(mlir::ModuleOp module);

/// Refuses loops with a step known to be below one, and nests of more iterations than are counted.
mlir::LogicalResult checkLoops(mlir::ModuleOp module);

/// Affine loops, conditions and accesses as plain ones; later stages make affine ones of them again
/// where that is possible.
mlir::LogicalResult lowerAffine(mlir::func::FuncOp function);

/// Computes what maps multiply or divide by a value that is not known; an access of such subscripts
/// is no affine one any more, and nothing is where bounds or conditions have such maps.
mlir::LogicalResult expandProducts(mlir::func::FuncOp top);

/// Refuses factors and divisors in layouts that are no constants.
mlir::LogicalResult checkFactorsKnown(mlir::func::FuncOp top);

/// scf.forall runs one iteration after the other, its tensors carried by the loops.
mlir::LogicalResult serializeForall(mlir::ModuleOp module);

/// Branches, switches and while loops that count become conditions and for loops.
mlir::LogicalResult lowerControl(mlir::ModuleOp module);

/// Calls become the bodies of the functions, of which the public one is left.
mlir::LogicalResult inlineCalls(mlir::ModuleOp module);

/// tosa becomes linalg, element-wise operations are fused, tensors become arrays. Refuses results
/// of open shape.
mlir::LogicalResult lowerTensors(mlir::ModuleOp module);

/// Results that are arrays become arguments; linalg operations and copies become affine loops.
mlir::LogicalResult lowerLinalg(mlir::ModuleOp module);

/// Parallel loops run one iteration after the other.
mlir::LogicalResult serializeLoops(mlir::func::FuncOp top);

/// scf.for becomes affine.for where the bounds are affine.
mlir::LogicalResult raiseLoops(mlir::func::FuncOp top);

/// scf.if becomes affine.if where the condition is affine.
mlir::LogicalResult raiseConditions(mlir::func::FuncOp top);

/// Accesses to views of arrays become accesses to the arrays.
mlir::LogicalResult foldAliases(mlir::func::FuncOp top);

/// Steps of one; a loop of one iteration is none.
mlir::LogicalResult normalizeLoops(mlir::func::FuncOp top);

/// memref.load and store become affine where the indices are.
mlir::LogicalResult raiseAccesses(mlir::func::FuncOp top);

/// Open extents of arguments become as large as the accesses need.
mlir::LogicalResult inferExtents(mlir::func::FuncOp top);

/// Rounding, magnitudes and divisions that have no unit are spelled out by exact operations.
mlir::LogicalResult expandMath(mlir::func::FuncOp top);

/// Sums with their carry and products with their upper half: a part of `expandMath`.
void addExtendedPatterns(mlir::RewritePatternSet &patterns);

/// math.isnan, isinf, isfinite and isnormal, by the bits of the number: a part of `expandMath`.
void addClassPatterns(mlir::RewritePatternSet &patterns);

/// math.tanh of f32 and f64, as hw/rtl/model/Tanh.h defines it: a part of `expandMath`.
void addTanhPatterns(mlir::RewritePatternSet &patterns);

/// math.erf of f32 and f64, as hw/rtl/model/Erf.h defines it: a part of `expandMath`.
void addErfPatterns(mlir::RewritePatternSet &patterns);

/// math.exp2 and math.log2 of f32 and f64, as hw/rtl/model/BaseTwo.h defines them: a part of
/// `expandMath`.
void addBaseTwoPatterns(mlir::RewritePatternSet &patterns);

/// math.sin and math.cos of f32, as hw/rtl/model/Sine.h defines them: a part of `expandMath`.
void addSinePatterns(mlir::RewritePatternSet &patterns);

/// Global arrays that are written become local ones, which each run begins with their contents; the
/// others are constant. Those that nobody names are gone.
void localizeWrittenGlobals(mlir::func::FuncOp top);

/// Local arrays stand before all loops and stay to the end.
mlir::LogicalResult hoistLocalArrays(mlir::func::FuncOp top);

/// scf.for that is left counts over indices in steps of one, or becomes scf.while; conditions
/// around loops that data end become such loops, of one iteration at most.
mlir::LogicalResult lowerOpenLoops(mlir::func::FuncOp top);

/// Conditions around loops go into the loops.
mlir::LogicalResult sinkConditions(mlir::func::FuncOp top);

/// Indices by what the ranges of loop variables tell; those that are data by plain arithmetic.
mlir::LogicalResult settleIndices(mlir::func::FuncOp top);

/// Indices that are data become integers of 64 bits, also those in arrays. Arguments and results
/// whose type changes get the attribute `hls.index`.
mlir::LogicalResult widenIndices(mlir::func::FuncOp top);
/// Quotients and remainders by powers of two as shifts and masks.
mlir::LogicalResult divideByShifts(mlir::func::FuncOp top);

/// Refuses affine accesses that leave their array in some iteration, whatever the arguments are.
mlir::LogicalResult checkAccesses(mlir::func::FuncOp top);

} // namespace spindle::hls
