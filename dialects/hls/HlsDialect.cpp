#include "dialects/hls/Hls.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/TypeSwitch.h"

#include "dialects/hls/Hls.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/hls/HlsAttrs.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "dialects/hls/HlsTypes.cpp.inc"

#define GET_OP_CLASSES
#include "dialects/hls/HlsOps.cpp.inc"

namespace spindle::hls {

namespace {
/// Functions over streams may be called.
struct StreamInliner : mlir::DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(mlir::Operation *, mlir::Region *, bool, mlir::IRMapping &) const final {
    return true;
  }
};
} // namespace

void HlsDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/hls/HlsAttrs.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "dialects/hls/HlsTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/hls/HlsOps.cpp.inc"
      >();
  addInterfaces<StreamInliner>();
}

int64_t startOf(mlir::Operation *op) {
  return op->getAttrOfType<mlir::IntegerAttr>(HlsDialect::startName).getInt();
}

void setStart(mlir::Operation *op, int64_t cycle) {
  op->setAttr(HlsDialect::startName,
              mlir::IntegerAttr::get(mlir::IntegerType::get(op->getContext(), 64), cycle));
}

/// The `Op` of the kernel around `op` that an attribute names. Kernels have thousands of them, and
/// every operation asks; lookupSymbol looks for the attribute of a symbol by its name in each.
template <typename Op> static Op namedBy(mlir::Operation *op, llvm::StringRef attribute) {
  auto name = op->getAttrOfType<mlir::FlatSymbolRefAttr>(attribute);
  auto kernel = op->getParentOfType<KernelOp>();
  if (name && kernel)
    for (Op named : kernel.getOps<Op>())
      if (named.getSymNameAttr() == name.getAttr())
        return named;
  return {};
}

UnitOp unitOf(mlir::Operation *op) { return namedBy<UnitOp>(op, HlsDialect::unitName); }

MemoryOp memoryOf(mlir::Operation *access) { return namedBy<MemoryOp>(access, "memory"); }

int64_t latencyOf(mlir::Operation *op) {
  if (UnitOp unit = unitOf(op))
    return unit.getLatency();
  if (mlir::isa<LoadOp>(op)) {
    MemoryOp memory = memoryOf(op);
    return memory.getRegisters() ? 0 : memory.getReadLatency();
  }
  return 0;
}

unsigned orderLatency(bool readThenWrite, bool seesOld) { return readThenWrite && seesOld ? 0 : 1; }

unsigned orderLatency(mlir::Operation *from, mlir::Operation *to) {
  MemoryOp memory = memoryOf(from);
  if (!memory) // tokens of a stream
    return 1;
  bool seesOld = memory.getRegisters() || memory.getDistributed();
  return orderLatency(llvm::isa<LoadOp>(from) && llvm::isa<StoreOp>(to), seesOld);
}

llvm::SmallVector<MemoryOp> registersAtStart(mlir::Operation *task) {
  llvm::SmallVector<MemoryOp> registers;
  auto repeat = llvm::dyn_cast<RepeatOp>(task);
  mlir::ValueRange bounds = repeat ? mlir::ValueRange(repeat.getBoundOperands())
                                   : llvm::cast<PipelineOp>(task).getBoundOperands();
  for (mlir::Value bound : bounds) {
    mlir::Operation *maker = bound.getDefiningOp();
    while (maker && maker->getNumOperands() == 1) // casts
      maker = maker->getOperand(0).getDefiningOp();
    if (auto held = llvm::dyn_cast_or_null<HeldOp>(maker))
      registers.push_back(memoryOf(held));
  }
  if (repeat && repeat.getCondition())
    registers.push_back(
        task->getParentOfType<KernelOp>().lookupSymbol<MemoryOp>(repeat.getConditionAttr()));
  return registers;
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

mlir::Value PipelineOp::getCondition() {
  return llvm::cast<YieldOp>(getBody().front().getTerminator()).getCondition();
}

bool PipelineOp::isScheduled() {
  auto operations = getBody().front().without_terminator();
  return operations.empty() || llvm::any_of(operations, [](mlir::Operation &op) {
           return op.hasAttr(HlsDialect::startName);
         });
}

bool KernelOp::isScheduled() {
  return !walk([](PipelineOp pipeline) {
            return pipeline.isScheduled() ? mlir::WalkResult::advance()
                                          : mlir::WalkResult::interrupt();
          }).wasInterrupted();
}

TasksOp KernelOp::getTasks() { return *getBody().getOps<TasksOp>().begin(); }
TasksOp RepeatOp::getTasks() { return *getBody().getOps<TasksOp>().begin(); }

DimensionPartition MemoryOp::getDimension(unsigned position) {
  std::optional<mlir::ArrayAttr> partition = getPartition();
  return partition ? llvm::cast<PartitionAttr>((*partition)[position])
                         .over(getMemRef().getShape()[position])
                   : DimensionPartition();
}

int64_t MemoryOp::getBanks() {
  int64_t banks = 1;
  for (unsigned position = 0; position < getMemRef().getRank(); ++position)
    banks *= getDimension(position).factor;
  return banks;
}

int64_t MemoryOp::getBankWords() {
  int64_t words = 1;
  for (auto [position, extent] : llvm::enumerate(getMemRef().getShape()))
    words *= getDimension(unsigned(position)).words(extent);
  return words;
}

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
