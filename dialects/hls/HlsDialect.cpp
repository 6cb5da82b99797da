#include "dialects/hls/Hls.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

#include "dialects/hls/Hls.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/hls/HlsAttrs.cpp.inc"

#define GET_OP_CLASSES
#include "dialects/hls/HlsOps.cpp.inc"

namespace spindle::hls {

void HlsDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/hls/HlsAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/hls/HlsOps.cpp.inc"
      >();
}

int64_t startOf(mlir::Operation *op) {
  return op->getAttrOfType<mlir::IntegerAttr>(HlsDialect::startName).getInt();
}

void setStart(mlir::Operation *op, int64_t cycle) {
  op->setAttr(HlsDialect::startName,
              mlir::IntegerAttr::get(mlir::IntegerType::get(op->getContext(), 64), cycle));
}

UnitOp unitOf(mlir::Operation *op) {
  auto name = op->getAttrOfType<mlir::FlatSymbolRefAttr>(HlsDialect::unitName);
  auto kernel = op->getParentOfType<KernelOp>();
  return name && kernel ? kernel.lookupSymbol<UnitOp>(name) : UnitOp();
}

MemoryOp memoryOf(mlir::Operation *access) {
  auto name = access->getAttrOfType<mlir::FlatSymbolRefAttr>("memory");
  auto kernel = access->getParentOfType<KernelOp>();
  return name && kernel ? kernel.lookupSymbol<MemoryOp>(name) : MemoryOp();
}

int64_t latencyOf(mlir::Operation *op) {
  if (UnitOp unit = unitOf(op))
    return unit.getLatency();
  if (mlir::isa<LoadOp>(op)) {
    MemoryOp memory = memoryOf(op);
    return memory.getRegisters() ? 0 : memory.getReadLatency();
  }
  return 0;
}

unsigned orderLatency(mlir::Operation *from, mlir::Operation *to) {
  return llvm::isa<LoadOp>(from) && llvm::isa<StoreOp>(to) && memoryOf(from).getRegisters() ? 0 : 1;
}

llvm::StringRef nameOf(mlir::Operation *task) {
  return task->getAttrOfType<mlir::StringAttr>("name").getValue();
}

llvm::SmallVector<llvm::StringRef> predecessorsOf(mlir::Operation *task) {
  llvm::SmallVector<llvm::StringRef> names;
  if (auto after = task->getAttrOfType<mlir::ArrayAttr>("after"))
    for (mlir::Attribute name : after)
      names.push_back(mlir::cast<mlir::StringAttr>(name).getValue());
  return names;
}

TasksOp KernelOp::getTasks() { return *getBody().getOps<TasksOp>().begin(); }
TasksOp RepeatOp::getTasks() { return *getBody().getOps<TasksOp>().begin(); }

namespace {

/// Banks of one dimension of `extent` elements, and the elements of each.
std::pair<int64_t, int64_t> banksOf(mlir::DictionaryAttr partition, int64_t extent) {
  llvm::StringRef kind = partition.getAs<mlir::StringAttr>("kind").getValue();
  if (kind == "none")
    return {1, extent};
  if (kind == "complete")
    return {extent, 1};
  int64_t factor = partition.getAs<mlir::IntegerAttr>("factor").getInt();
  return {factor, (extent + factor - 1) / factor};
}

std::pair<int64_t, int64_t> banksOf(MemoryOp memory) {
  std::pair<int64_t, int64_t> total{1, 1};
  for (auto [dimension, extent] : llvm::enumerate(memory.getMemRef().getShape())) {
    std::pair<int64_t, int64_t> one{1, extent};
    if (std::optional<mlir::ArrayAttr> partition = memory.getPartition())
      one = banksOf(mlir::cast<mlir::DictionaryAttr>((*partition)[dimension]), extent);
    total.first *= one.first;
    total.second *= one.second;
  }
  return total;
}

} // namespace

int64_t MemoryOp::getBanks() { return banksOf(*this).first; }
int64_t MemoryOp::getBankWords() { return banksOf(*this).second; }

void LoadOp::build(mlir::OpBuilder &builder, mlir::OperationState &state, mlir::Type result,
                   llvm::StringRef memory, int64_t bank, mlir::Value address,
                   mlir::Value condition) {
  build(builder, state, result, memory, bank, mlir::IntegerAttr(), address, condition);
}

void StoreOp::build(mlir::OpBuilder &builder, mlir::OperationState &state, mlir::Value value,
                    llvm::StringRef memory, int64_t bank, mlir::Value address,
                    mlir::Value condition) {
  build(builder, state, value, memory, bank, mlir::IntegerAttr(), address, condition);
}

} // namespace spindle::hls
