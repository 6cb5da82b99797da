#include "core/kernel/KernelArray.h"
#include "dialects/hls/Hls.h"
#include "hw/hls/prepare/Stages.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace spindle::hls {

static const char *const expectedTypes =
    "i1 to i64, index, f16, bf16, f32, f64, memrefs and tensors of them";

bool isTooLarge(ShapedType type) {
  if (!type.hasRank() || llvm::is_contained(type.getShape(), 0))
    return false;
  int64_t elements = 1;
  for (int64_t extent : type.getShape())
    if (!ShapedType::isDynamic(extent)) {
      if (elements > kMostElements / extent)
        return true;
      elements *= extent;
    }
  return false;
}

Location knownLocationOf(Operation *op) {
  auto isKnown = [](Location location) { return bool(location->findInstanceOf<FileLineColLoc>()); };
  if (isKnown(op->getLoc()))
    return op->getLoc();
  auto function = op->getParentOfType<func::FuncOp>();
  Location found = function ? function.getLoc() : op->getLoc();
  for (Operation *user : op->getUsers()) // the first one comes last
    if (isKnown(user->getLoc()))
      found = user->getLoc();
  return found;
}

/// What a type lacks to be made in hardware; empty for those that can be.
static std::string faultOf(Type type) {
  if (isa<ComplexType>(type))
    return "complex numbers are not supported, expected two real ones";
  if (isa<UnrankedMemRefType, UnrankedTensorType>(type))
    return "the rank is not known, expected a ranked memref or tensor";
  if (isa<StreamType>(type))
    return "";
  if (isa<NoneType>(type) || type.getDialect().getNamespace() == "tosa")
    return "";
  if (auto shaped = dyn_cast<ShapedType>(type)) {
    auto array = dyn_cast<MemRefType>(type);
    if (array && !isa<StridedLayoutAttr, AffineMapAttr>(array.getLayout()))
      return "this layout is not supported, expected row-major order";
    if (isTooLarge(shaped))
      return "more than 2^28 elements are not supported, expected a smaller array";
    if (isa<VectorType>(shaped.getElementType()))
      return "arrays of vectors are not supported, expected arrays of numbers";
    if (isa<ShapedType>(shaped.getElementType()))
      return "arrays of arrays are not supported, expected arrays of numbers";
    return faultOf(shaped.getElementType());
  }
  if (type.getDialect().getNamespace() == "llvm" || isa<MemRefType>(type))
    return "pointers are not supported, expected memrefs";
  if (isa<Float16Type, BFloat16Type, Float32Type, Float64Type, IndexType>(type))
    return "";
  if (auto integer = dyn_cast<IntegerType>(type); integer && integer.getWidth() <= 64)
    return "";
  return std::string("expected ") + expectedTypes;
}

static LogicalResult checkInputTypes(Operation *op, TypeRange types) {
  for (Type type : types)
    if (std::string fault = faultOf(type); !fault.empty())
      return op->emitError() << "type " << type << ": " << fault;
  return success();
}

/// Dialects whose operations later stages bring into loop form or refuse one by one.
static bool isKnownDialect(Operation *op) {
  static const llvm::StringSet<> known = {
      "affine", "arith",  "bufferization", "builtin", "cf",   "func", "linalg",
      "math",   "memref", "scf",           "tensor",  "tosa", "ub",   "shape"};
  return known.contains(op->getName().getDialectNamespace());
}

/// Numbers are rounded as written, whatever an operation's flags allow.
static void dropFastMath(Operation *op) {
  auto fast = dyn_cast<arith::ArithFastMathInterface>(op);
  auto flags = fast ? fast.getFastMathFlagsAttr() : arith::FastMathFlagsAttr();
  if (flags && flags.getValue() != arith::FastMathFlags::none)
    op->setAttr(fast.getFastMathAttrName(),
                arith::FastMathFlagsAttr::get(op->getContext(), arith::FastMathFlags::none));
}

/// Hardware rounds to the nearest number, the even one of two.
static LogicalResult checkRounding(Operation *op) {
  auto rounding = dyn_cast<arith::ArithRoundingModeInterface>(op);
  arith::RoundingModeAttr mode = rounding ? rounding.getRoundingModeAttr() : nullptr;
  if (!mode || mode.getValue() == arith::RoundingMode::to_nearest_even)
    return success();
  return op->emitError() << op->getName().getStringRef() << " rounds "
                         << arith::stringifyRoundingMode(mode.getValue())
                         << ", expected to_nearest_even: leave the mode out";
}

static LogicalResult checkOperation(Operation *op) {
  bool isKnown = isKnownDialect(op) || isa<MakeStreamOp, ReadOp, WriteOp>(op);
  if (!isKnown)
    return op->emitError() << "operation " << op->getName().getStringRef()
                           << " is not supported, expected affine, scf, arith, math, memref, "
                              "linalg, tensor, tosa or vector";
  if (failed(checkInputTypes(op, op->getResultTypes())))
    return failure();
  for (Region &region : op->getRegions())
    for (Block &block : region)
      if (failed(checkInputTypes(op, block.getArgumentTypes())))
        return failure();
  dropFastMath(op);
  return checkRounding(op);
}

/// Layouts of arrays that come from outside are the caller's, and they have elements.
static LogicalResult checkArguments(func::FuncOp top) {
  for (auto [kind, types] :
       {std::pair("argument ", top.getArgumentTypes()), std::pair("result ", top.getResultTypes())})
    for (auto [index, type] : llvm::enumerate(types))
      if (auto array = dyn_cast<ShapedType>(type);
          array && array.hasRank() && llvm::is_contained(array.getShape(), 0))
        return top.emitError() << kind << index << " has type " << type
                               << ", which has no elements: remove it";
  for (auto [index, type] : llvm::enumerate(top.getArgumentTypes()))
    if (auto array = dyn_cast<MemRefType>(type); array && !array.getLayout().isIdentity())
      return top.emitError() << "argument " << index << " has type " << type
                             << ", expected row-major order without gaps and without a layout: "
                                "leave it out, or bufferize with "
                                "function-boundary-type-conversion=identity-layout-map";
  return success();
}

LogicalResult checkInput(ModuleOp module, func::FuncOp top) {
  WalkResult result = module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    return failed(checkOperation(op)) ? WalkResult::interrupt() : WalkResult::advance();
  });
  return failure(result.wasInterrupted() || failed(checkArguments(top)));
}

} // namespace spindle::hls
