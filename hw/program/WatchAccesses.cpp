#include "hw/program/WatchAccesses.h"

#include "dialects/location/Location.h"

#include "fmt/format.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;

namespace spindle::hls {

namespace {

struct Watch {
  const std::vector<WatchedAccess> *accesses = nullptr;
  const Refusal *refuse = nullptr;
};
/// Compiled code has no argument of ours that could say who watches.
thread_local Watch watch;

} // namespace

Value rootOf(Value array) {
  for (Operation *op; (op = array.getDefiningOp());) {
    if (isa<memref::AllocOp, memref::AllocaOp>(op) || op->getNumOperands() == 0)
      break;
    array = op->getOperand(0); // a view
  }
  return array;
}

std::string arrayName(Value view, const std::string &function) {
  Value array = rootOf(view);
  if (Operation *op = array.getDefiningOp()) {
    auto global = dyn_cast<memref::GetGlobalOp>(op);
    return global ? "@" + global.getName().str() : "a local array";
  }
  auto argument = cast<BlockArgument>(array);
  auto owner = dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp());
  if (!owner)
    return "an array";
  std::string name = fmt::format("arg{}", argument.getArgNumber());
  return owner.getSymName() == function ? name : name + " of '" + owner.getSymName().str() + "'";
}

namespace {

/// Whether an index is a constant within the extent, or that of a loop whose constant bounds are.
bool isAlwaysInside(Value index, int64_t extent) {
  if (std::optional<int64_t> constant = getConstantIntValue(index))
    return *constant >= 0 && *constant < extent;
  auto argument = dyn_cast<BlockArgument>(index);
  auto loop = argument ? dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp()) : scf::ForOp();
  if (!loop || argument != loop.getInductionVar() || loop.getUnsignedCmp())
    return false;
  std::optional<int64_t> first = getConstantIntValue(loop.getLowerBound());
  std::optional<int64_t> end = getConstantIntValue(loop.getUpperBound());
  return first && end && *first >= 0 && *end <= extent;
}

void compare(Operation *op, Value array, ValueRange indices, int64_t access) {
  ImplicitLocOpBuilder builder(op->getLoc(), op);
  auto type = cast<MemRefType>(array.getType());
  for (auto [dimension, index] : llvm::enumerate(indices)) {
    if (!type.isDynamicDim(dimension) && isAlwaysInside(index, type.getDimSize(dimension)))
      continue;
    Value extent =
        type.isDynamicDim(dimension)
            ? memref::DimOp::create(builder, array, int64_t(dimension)).getResult()
            : arith::ConstantIndexOp::create(builder, type.getDimSize(dimension)).getResult();
    Value isOutside =
        arith::CmpIOp::create(builder, arith::CmpIPredicate::uge, index, extent); // -1, too
    auto branch = scf::IfOp::create(builder, isOutside, /*withElseRegion=*/false);
    ImplicitLocOpBuilder inside(op->getLoc(), branch.getThenBodyBuilder());
    auto word = [&](Value number) {
      return arith::IndexCastOp::create(inside, inside.getI64Type(), number).getResult();
    };
    auto number = [&](int64_t value) {
      return arith::ConstantIntOp::create(inside, value, 64).getResult();
    };
    func::CallOp::create(
        inside, kOutsideSymbol, TypeRange(),
        ValueRange({number(access), number(int64_t(dimension)), word(index), word(extent)}));
  }
}

} // namespace

void reportOutside(int64_t access, int64_t dimension, int64_t index, int64_t extent) {
  if (!watch.refuse)
    std::abort();
  const WatchedAccess &found = (*watch.accesses)[static_cast<size_t>(access)];
  std::string expected = extent > 0 ? fmt::format("0 to {}", extent - 1) : "none, as it is empty";
  (*watch.refuse)(found.place,
                  fmt::format("{} at index {} of dimension {}, expected {}: give other inputs, or "
                              "correct the program",
                              found.what, index, dimension, expected));
}

std::vector<WatchedAccess> watchAccesses(ModuleOp module, const std::string &function) {
  std::vector<WatchedAccess> accesses;
  SmallVector<Operation *> found;
  module.walk([&](Operation *op) {
    if (isa<memref::LoadOp, memref::StoreOp>(op))
      found.push_back(op);
  });
  if (found.empty())
    return accesses;
  auto top = OpBuilder::atBlockBegin(module.getBody());
  SmallVector<Type> words(4, top.getI64Type());
  func::FuncOp::create(top, module.getLoc(), kOutsideSymbol, top.getFunctionType(words, {}))
      .setPrivate();
  for (Operation *op : found) {
    auto load = dyn_cast<memref::LoadOp>(op);
    Value array = load ? load.getMemRef() : cast<memref::StoreOp>(op).getMemRef();
    accesses.push_back(
        {filePlaceOf(op), (load ? "reads " : "writes ") + arrayName(array, function)});
    compare(op, array, load ? load.getIndices() : cast<memref::StoreOp>(op).getIndices(),
            int64_t(accesses.size()) - 1);
  }
  return accesses;
}

AccessWatch::AccessWatch(const std::vector<WatchedAccess> &accesses, const Refusal &refuse) {
  watch = {&accesses, &refuse};
}
AccessWatch::~AccessWatch() { watch = {}; }

} // namespace spindle::hls
