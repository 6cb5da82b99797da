#include "hw/hls/prepare/control/LoopForm.h"

#include "dialects/hls/Hls.h"
#include "dialects/hls/OpenLoops.h"
#include "hw/hls/prepare/Stages.h"
#include "hw/hls/ranges/ValueRanges.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace spindle::hls {

static bool isScalar(Type type) {
  return type.isIndex() || isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(type) ||
         (type.isSignlessInteger() && type.getIntOrFloatBitWidth() <= 64);
}

static bool isArray(Type type) {
  auto memref = dyn_cast<MemRefType>(type);
  return memref && memref.hasStaticShape() && memref.getLayout().isIdentity() &&
         isScalar(memref.getElementType());
}

static LogicalResult checkLoopTypes(Operation *op, TypeRange types) {
  for (Type type : types) {
    auto memref = dyn_cast<MemRefType>(type);
    if (memref && !memref.hasStaticShape())
      return op->emitError() << "the shape of " << type
                             << " is not known: bind the sizes, or the shape of an argument";
    if (memref && isTooLarge(memref))
      return op->emitError() << "type " << type
                             << ": more than 2^28 elements are not supported, expected a smaller "
                                "array";
    if (memref && !memref.getLayout().isIdentity())
      return op->emitError() << "the layout of " << type
                             << " is not supported, expected row-major order without gaps";
    if (!isScalar(type) && !isArray(type) && !isa<StreamType>(type))
      return op->emitError() << "type " << type
                             << " is not supported, expected i1 to i64, index, f16, bf16, f32, f64 "
                                "or arrays of them";
  }
  return success();
}

/// Which stream an operation means is known: it is an argument, or made in front of all loops.
/// An argument is read or written, not both.
static LogicalResult checkStreams(func::FuncOp function) {
  WalkResult result = function.getBody().walk([&](Operation *op) {
    bool isChosen =
        llvm::any_of(op->getResultTypes(), llvm::IsaPred<StreamType>) && !isa<MakeStreamOp>(op);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        isChosen |= llvm::any_of(block.getArgumentTypes(), llvm::IsaPred<StreamType>);
    if (isChosen)
      op->emitError("which stream is meant changes while the program runs, expected an argument or "
                    "hls.make_stream");
    bool isInLoop = isa<MakeStreamOp>(op) && op->getParentOp() != function;
    if (isInLoop)
      op->emitError("a stream is made inside a loop or a condition, expected before all loops");
    return isChosen || isInLoop ? WalkResult::interrupt() : WalkResult::advance();
  });
  for (auto made : function.getOps<MakeStreamOp>()) {
    auto uses = [&](auto isa) { return llvm::any_of(made->getUsers(), isa); };
    if (!uses(llvm::IsaPred<ReadOp>) || !uses(llvm::IsaPred<WriteOp>))
      return made.emitError() << "the stream is "
                              << (uses(llvm::IsaPred<ReadOp>) ? "never written" : "never read")
                              << ", expected both hls.read and hls.write";
  }
  for (BlockArgument argument : function.getArguments()) {
    auto uses = [&](auto isa) { return llvm::any_of(argument.getUsers(), isa); };
    if (!isa<StreamType>(argument.getType()) ||
        uses(llvm::IsaPred<ReadOp>) != uses(llvm::IsaPred<WriteOp>))
      continue;
    function.emitError() << "argument " << argument.getArgNumber() << " is a stream that is "
                         << (argument.use_empty() ? "neither read nor written"
                                                  : "both read and written")
                         << ", expected one of both";
    return failure();
  }
  return failure(result.wasInterrupted());
}

/// Operations of arith and math for which there is a functional unit or plain logic.
static bool hasHardware(Operation *op) {
  if (isa<math::SqrtOp, math::FmaOp, math::ExpOp, math::LogOp, math::PowFOp, math::AbsFOp,
          math::CopySignOp>(op))
    return true;
  if (isa<arith::RemFOp, arith::CeilDivSIOp, arith::CeilDivUIOp, arith::FloorDivSIOp,
          arith::AddUIExtendedOp, arith::MulSIExtendedOp, arith::MulUIExtendedOp,
          arith::ScalingExtFOp, arith::ScalingTruncFOp>(op))
    return false;
  return isa<arith::ArithDialect>(op->getDialect());
}

/// Counters have 32 bits; so have bounds from arguments and data, of which nothing is known here.
static LogicalResult checkBound(Operation *loop, IntegerRange bound) {
  if (bound.within(INT32_MIN, INT32_MAX))
    return success();
  return loop->emitError() << "the loop has the bound "
                           << (bound.most > INT32_MAX ? bound.most : bound.least)
                           << ", which takes more than 32 bits: count from 0 and add the rest";
}

/// Numbers in a bound of counters whose reach is known at run time only.
static LogicalResult checkNumbers(Operation *loop, AffineExpr bound) {
  WalkResult result = bound.walk([&](AffineExpr part) {
    auto number = dyn_cast<AffineConstantExpr>(part);
    bool fits = !number || succeeded(checkBound(loop, {number.getValue(), number.getValue()}));
    return fits ? WalkResult::advance() : WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

/// Whether constants alone decide what a loop's counter may be, those of counters around it too.
static bool isBounded(Value counter) {
  affine::AffineForOp loop = affine::getForInductionVarOwner(counter);
  return loop && llvm::all_of(loop->getOperands().drop_back(loop.getNumIterOperands()), isBounded);
}

/// Bounds that constants and counters around alone decide.
static LogicalResult checkBounds(affine::AffineForOp loop, AffineMap map, ValueRange operands) {
  for (AffineExpr result : map.getResults()) {
    bool isKnown = true, isOfCounters = true;
    for (auto [position, operand] : llvm::enumerate(operands)) {
      bool isRead = position < map.getNumDims()
                        ? result.isFunctionOfDim(unsigned(position))
                        : result.isFunctionOfSymbol(unsigned(position) - map.getNumDims());
      isKnown &= !isRead || isBounded(operand);
      isOfCounters &= !isRead || affine::isAffineForInductionVar(operand);
    }
    if (isKnown && failed(checkBound(loop, integerRangeOf(result, map.getNumDims(), operands))))
      return failure();
    if (!isKnown && isOfCounters && failed(checkNumbers(loop, result)))
      return failure();
  }
  return success();
}

static LogicalResult checkLoop(affine::AffineForOp loop) {
  if (loop.getStepAsInt() != 1)
    return loop.emitError() << "the loop has step " << loop.getStepAsInt() << ", expected 1";
  if (failed(checkBounds(loop, loop.getLowerBoundMap(), loop.getLowerBoundOperands())) ||
      failed(checkBounds(loop, loop.getUpperBoundMap(), loop.getUpperBoundOperands())))
    return failure();
  if (!llvm::all_of(loop.getInits().getTypes(), isScalar))
    return loop.emitError("which array is accessed changes from one iteration to the next: copy "
                          "between arrays instead");
  return success();
}

bool canCompareSigned(scf::ForOp loop) {
  return !loop.getUnsignedCmp() || (integerRangeOf(loop.getLowerBound()).within(0, INT32_MAX) &&
                                    integerRangeOf(loop.getUpperBound()).least >= 0);
}

static LogicalResult checkCountedLoop(scf::ForOp loop) {
  if (!loop.getInductionVar().getType().isIndex() || !matchPattern(loop.getStep(), m_One()) ||
      loop.getUnsignedCmp())
    return loop.emitError("a loop between data counts otherwise than by signed indices in steps "
                          "of 1");
  for (Value bound : {loop.getLowerBound(), loop.getUpperBound()})
    if (APInt number; matchPattern(bound, m_ConstantInt(&number)) &&
                      failed(checkBound(loop, {number.getSExtValue(), number.getSExtValue()})))
      return failure();
  return success();
}

/// A loop that data end.
static LogicalResult checkOpenLoop(Operation *op) {
  if (auto counted = dyn_cast<scf::ForOp>(op); counted && failed(checkCountedLoop(counted)))
    return failure();
  auto loop = dyn_cast<scf::WhileOp>(op);
  if (loop && matchPattern(loop.getConditionOp().getCondition(), m_One()))
    return op->emitError("the loop has no exit: its condition always holds");
  bool carriesArrays = !llvm::all_of(op->getResultTypes(), isScalar) ||
                       (loop && !llvm::all_of(loop.getInits().getTypes(), isScalar));
  if (carriesArrays)
    return op->emitError("which array is accessed changes from one iteration to the next: copy "
                         "between arrays instead");
  return success();
}

static LogicalResult checkBranch(Operation *branch) {
  if (holdsLoop(branch))
    return branch->emitError("a condition holds a loop, expected the condition in the loop");
  return success();
}

/// An argument by another type, where its user is what makes unknown which array is meant.
static bool isNamedByUsers(Operation *op) {
  return isa<memref::CastOp>(op) && isa<BlockArgument>(op->getOperand(0)) &&
         llvm::all_of(op->getUsers(), [](Operation *user) {
           return isa<affine::AffineForOp, scf::ForOp, scf::WhileOp, arith::SelectOp>(user);
         });
}

static LogicalResult checkOperation(Operation *op, func::FuncOp function) {
  if (auto loop = dyn_cast<affine::AffineForOp>(op))
    return checkLoop(loop);
  if (isa<affine::AffineIfOp, scf::IfOp>(op))
    return checkBranch(op);
  if (isa<scf::WhileOp, scf::ForOp>(op))
    return checkOpenLoop(op);
  if (isNamedByUsers(op))
    return success();
  bool isView = llvm::any_of(op->getResultTypes(), llvm::IsaPred<MemRefType>) &&
                !isa<memref::AllocOp, memref::GetGlobalOp>(op);
  if (isView && isa<ub::PoisonOp>(op))
    return emitError(knownLocationOf(op),
                     "ub.poison stands for no array: make one with memref.alloc");
  if (isView)
    return emitError(knownLocationOf(op))
           << "which array or part of it " << op->getName().getStringRef()
           << " stands for is not known: access arrays directly";
  if (isa<memref::AllocOp>(op) && op->getParentOp() != function)
    return op->emitError("a local array is made inside a loop, expected before all loops");
  if (isa<memref::AllocOp>(op) && failed(checkLoopTypes(op, op->getResultTypes())))
    return failure();
  bool isKnown = hasHardware(op) ||
                 isa<affine::AffineLoadOp, affine::AffineStoreOp, affine::AffineApplyOp,
                     affine::AffineMinOp, affine::AffineMaxOp, affine::AffineYieldOp, scf::YieldOp,
                     scf::ConditionOp, memref::LoadOp, memref::StoreOp, memref::AllocOp,
                     memref::GetGlobalOp, func::ReturnOp, MakeStreamOp, ReadOp, WriteOp>(op);
  if (!isKnown) {
    InFlightDiagnostic error = op->emitError()
                               << "there is no hardware for " << op->getName().getStringRef();
    if (isa<math::MathDialect>(op->getDialect()))
      error << ", expected exp, exp2, log, log2, powf, sqrt, rsqrt, tanh, erf, fma, sin, cos "
               "or roundings: read other functions from a table of constants";
    return error;
  }
  return success();
}

LogicalResult verifyLoopForm(func::FuncOp function) {
  if (failed(checkLoopTypes(function, function.getArgumentTypes())))
    return failure();
  if (!llvm::all_of(function.getResultTypes(), isScalar))
    return function.emitError("a result is no scalar, expected arrays among the arguments");
  if (!function.getBody().hasOneBlock())
    return function.emitError("branches to labels are left, expected loops and conditions");
  if (failed(checkStreams(function)))
    return failure();
  WalkResult result = function.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    return failed(checkOperation(op, function)) ? WalkResult::interrupt() : WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

} // namespace spindle::hls
