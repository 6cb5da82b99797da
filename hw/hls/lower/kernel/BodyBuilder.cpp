#include "hw/hls/lower/kernel/BodyBuilder.h"

#include "core/support/Error.h"
#include "dialects/location/Location.h"
#include "hw/hls/lower/kernel/BankAddress.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IntegerSet.h"
#include "mlir/IR/Matchers.h"

#include "fmt/format.h"

namespace spindle::hls {

namespace affine = mlir::affine;
namespace arith = mlir::arith;

mlir::Value BodyBuilder::lookup(mlir::Value original) {
  if (mlir::Value known = map.lookupOrNull(original))
    return known;
  // Constants, and casts of arguments, are made again wherever they are used.
  mlir::Operation *op = original.getDefiningOp();
  mlir::Value operand = op->getNumOperands() ? lookup(op->getOperand(0)) : mlir::Value();
  mlir::Operation *copy = builder.clone(*op, map);
  if (operand)
    copy->setOperand(0, operand);
  map.map(original, copy->getResult(0));
  return copy->getResult(0);
}

llvm::SmallVector<mlir::Value> BodyBuilder::lookup(mlir::ValueRange originals) {
  llvm::SmallVector<mlir::Value> known;
  for (mlir::Value value : originals)
    known.push_back(lookup(value));
  return known;
}

mlir::Value BodyBuilder::conjunction(mlir::Value a, mlir::Value b) {
  if (!a || !b)
    return a ? a : b;
  return arith::AndIOp::create(builder, b.getLoc(), a, b);
}

mlir::Value BodyBuilder::apply(mlir::AffineMap result, mlir::ValueRange operands,
                               mlir::Location location) {
  llvm::SmallVector<mlir::Value> inputs(operands);
  affine::canonicalizeMapAndOperands(&result, &inputs);
  if (auto constant = llvm::dyn_cast<mlir::AffineConstantExpr>(result.getResult(0)))
    return arith::ConstantIndexOp::create(builder, location, constant.getValue());
  if (llvm::isa<mlir::AffineDimExpr, mlir::AffineSymbolExpr>(result.getResult(0)))
    return inputs.front();
  return affine::AffineApplyOp::create(builder, location, result, inputs);
}

mlir::Value BodyBuilder::holds(mlir::IntegerSet set, mlir::ValueRange operands,
                               mlir::Location location) {
  mlir::Value all;
  mlir::Value zero = arith::ConstantIndexOp::create(builder, location, 0);
  for (auto [position, constraint] : llvm::enumerate(set.getConstraints())) {
    mlir::Value form =
        apply(mlir::AffineMap::get(set.getNumDims(), set.getNumSymbols(), constraint), operands,
              location);
    auto predicate = set.isEq(position) ? arith::CmpIPredicate::eq : arith::CmpIPredicate::sge;
    all = conjunction(all, arith::CmpIOp::create(builder, location, predicate, form, zero));
  }
  return all ? all : arith::ConstantIntOp::create(builder, location, 1, 1).getResult();
}

mlir::Value BodyBuilder::extreme(mlir::AffineMap results, mlir::ValueRange operands, bool isLargest,
                                 mlir::Location location) {
  mlir::Value value;
  for (unsigned position = 0; position < results.getNumResults(); ++position) {
    mlir::Value next = apply(results.getSubMap({position}), operands, location);
    if (value)
      next = isLargest ? arith::MaxSIOp::create(builder, location, value, next).getResult()
                       : arith::MinSIOp::create(builder, location, value, next).getResult();
    value = next;
  }
  return value;
}

/// The only word of a bank of a constant array.
static mlir::TypedAttr constantOf(MemoryOp memory, int64_t bank) {
  auto contents = llvm::cast<mlir::DenseElementsAttr>(*memory.getInitial());
  auto words = contents.getValues<mlir::Attribute>();
  return llvm::cast<mlir::TypedAttr>(words[uint64_t(bank)]);
}

/// An access of one bank.
mlir::Value BodyBuilder::accessBank(mlir::Operation *op, MemoryOp memory, int64_t bank,
                                    mlir::Value address, mlir::Value condition) {
  mlir::Location location = op->getLoc();
  if (op->getNumResults() && memory.getRegisters() && memory.getInitial())
    return arith::ConstantOp::create(builder, location, constantOf(memory, bank));
  if (op->getNumResults()) {
    auto load = LoadOp::create(builder, location, op->getResult(0).getType(), memory.getSymName(),
                               bank, address, condition);
    copies[op].push_back(load);
    return load.getResult();
  }
  copies[op].push_back(StoreOp::create(builder, location, lookup(op->getOperand(0)),
                                       memory.getSymName(), bank, address, condition));
  return {};
}

/// A bank that only the data or the counters tell: the access goes to the one, under its condition;
/// what a load finds there is chosen by the same condition.
mlir::Value BodyBuilder::accessAnyBank(mlir::Operation *op, MemoryOp memory, mlir::Value bank,
                                       llvm::ArrayRef<int64_t> reachable, mlir::Value address,
                                       mlir::Value condition) {
  mlir::Location location = op->getLoc();
  mlir::Value chosen;
  for (int64_t number : reachable) {
    mlir::Value isIt = arith::CmpIOp::create(
        builder, location, arith::CmpIPredicate::eq, bank,
        arith::ConstantIndexOp::create(builder, location, number).getResult());
    mlir::Value found = accessBank(op, memory, number, address, conjunction(condition, isIt));
    if (found)
      chosen = chosen ? arith::SelectOp::create(builder, location, isIt, found, chosen).getResult()
                      : found;
  }
  return chosen;
}

llvm::Error BodyBuilder::copyAccess(mlir::Operation *op, mlir::Value memref,
                                    mlir::AffineMap subscripts, mlir::ValueRange operands,
                                    mlir::Value condition) {
  MemoryOp memory = names.lookup(memref);
  if (!memory)
    return inputError(placeOf(op), "the array of this access is no argument and no local array of "
                                   "static shape: views and casts of arrays cannot be synthesised");
  mlir::Location location = op->getLoc();
  mlir::AffineMap bank = bankMap(memory, subscripts);
  auto fixed = llvm::dyn_cast<mlir::AffineConstantExpr>(bank.getResult(0));
  auto given = op->getAttrOfType<mlir::IntegerAttr>(HlsDialect::bankName);
  mlir::Value address, found;
  if (memory.getBankWords() > 1)
    address = apply(addressMap(memory, subscripts), operands, location);
  if (fixed || given)
    found = accessBank(op, memory, fixed ? fixed.getValue() : given.getInt(), address, condition);
  else
    found = accessAnyBank(op, memory, apply(bank, operands, location),
                          reachableBanks(memory, subscripts), address, condition);
  if (found)
    map.map(op->getResult(0), found);
  return llvm::Error::success();
}

/// Tokens are taken in the first cycle, so that an iteration takes one of each stream.
llvm::Error BodyBuilder::copyStreamAccess(mlir::Operation *op, mlir::Value condition) {
  if (auto write = llvm::dyn_cast<WriteOp>(op)) {
    FifoOp fifo = fifos.at(write.getStream());
    PushOp::create(builder, op->getLoc(), lookup(write.getToken()), fifo.getSymName(), condition);
    return llvm::Error::success();
  }
  auto read = llvm::cast<ReadOp>(op);
  FifoOp fifo = fifos.at(read.getStream());
  for (auto other : builder.getBlock()->getOps<PopOp>())
    if (fifoOf(other) == fifo)
      return inputError(placeOf(op),
                        "a stream is read twice in an iteration, expected one hls.read (give both "
                        "readings a loop, or read into one value under either condition)");
  auto pop =
      PopOp::create(builder, op->getLoc(), read.getToken().getType(), fifo.getSymName(), condition);
  map.map(read.getToken(), pop.getResult());
  return llvm::Error::success();
}

llvm::Error BodyBuilder::copyBranches(mlir::Operation *op, mlir::Value decision,
                                      mlir::Value condition) {
  mlir::Location location = op->getLoc();
  mlir::Value taken[2] = {conjunction(condition, decision), {}};
  llvm::SmallVector<mlir::Value> results[2];
  for (auto [branch, region] : llvm::enumerate(op->getRegions())) {
    if (region.empty())
      continue;
    if (branch == 1) {
      mlir::Value one = arith::ConstantIntOp::create(builder, location, 1, 1);
      taken[1] = conjunction(condition, arith::XOrIOp::create(builder, location, decision, one));
    }
    mlir::Block &block = region.front();
    SPINDLE_RETURN_IF_ERROR(copy(block, taken[branch]));
    results[branch] = lookup(block.getTerminator()->getOperands());
  }
  for (auto [position, result] : llvm::enumerate(op->getResults()))
    map.map(result, arith::SelectOp::create(builder, location, decision, results[0][position],
                                            results[1][position]));
  return llvm::Error::success();
}

llvm::Error BodyBuilder::copy(mlir::Block &block, mlir::Value condition) {
  for (mlir::Operation &op : block.without_terminator())
    SPINDLE_RETURN_IF_ERROR(copy(&op, condition));
  return llvm::Error::success();
}

llvm::Error BodyBuilder::copy(mlir::Operation *op, mlir::Value condition) {
  auto identity = [&](unsigned rank) {
    return mlir::AffineMap::getMultiDimIdentityMap(rank, op->getContext());
  };
  if (auto load = llvm::dyn_cast<affine::AffineLoadOp>(op))
    return copyAccess(op, load.getMemRef(), load.getAffineMap(), lookup(load.getMapOperands()),
                      condition);
  if (auto store = llvm::dyn_cast<affine::AffineStoreOp>(op))
    return copyAccess(op, store.getMemRef(), store.getAffineMap(), lookup(store.getMapOperands()),
                      condition);
  if (auto load = llvm::dyn_cast<mlir::memref::LoadOp>(op))
    return copyAccess(op, load.getMemRef(), identity(load.getIndices().size()),
                      lookup(load.getIndices()), condition);
  if (auto store = llvm::dyn_cast<mlir::memref::StoreOp>(op))
    return copyAccess(op, store.getMemRef(), identity(store.getIndices().size()),
                      lookup(store.getIndices()), condition);
  if (llvm::isa<ReadOp, WriteOp>(op))
    return copyStreamAccess(op, condition);
  if (auto branch = llvm::dyn_cast<affine::AffineIfOp>(op))
    return copyBranches(
        op, holds(branch.getIntegerSet(), lookup(branch.getOperands()), op->getLoc()), condition);
  if (auto branch = llvm::dyn_cast<mlir::scf::IfOp>(op))
    return copyBranches(op, lookup(branch.getCondition()), condition);
  if (auto applied = llvm::dyn_cast<affine::AffineApplyOp>(op)) {
    map.map(applied.getResult(),
            apply(applied.getAffineMap(), lookup(applied.getMapOperands()), op->getLoc()));
    return llvm::Error::success();
  }
  bool isLargest = llvm::isa<affine::AffineMaxOp>(op);
  if (isLargest || llvm::isa<affine::AffineMinOp>(op)) {
    mlir::AffineMap results = isLargest ? llvm::cast<affine::AffineMaxOp>(op).getAffineMap()
                                        : llvm::cast<affine::AffineMinOp>(op).getAffineMap();
    map.map(op->getResult(0), extreme(results, lookup(op->getOperands()), isLargest, op->getLoc()));
    return llvm::Error::success();
  }
  bool isArithmetic = llvm::isa<arith::ArithDialect, mlir::math::MathDialect>(op->getDialect());
  if (!isArithmetic || op->getNumRegions() || op->getNumResults() != 1)
    return inputError(placeOf(op), fmt::format("operation '{}' cannot be synthesised here",
                                               op->getName().getStringRef().str()));
  if (mlir::matchPattern(op, mlir::m_Constant()))
    return llvm::Error::success(); // made again where it is used
  for (mlir::Value operand : op->getOperands())
    lookup(operand);
  builder.clone(*op, map);
  return llvm::Error::success();
}

} // namespace spindle::hls
