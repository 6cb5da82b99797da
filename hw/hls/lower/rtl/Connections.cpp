#include "hw/hls/lower/rtl/Connections.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include "fmt/format.h"

#include <set>

namespace spindle::hls {

namespace arith = mlir::arith;

namespace {

int64_t subtracts(mlir::Operation *op) { return llvm::isa<arith::SubFOp>(op); }

/// LLVM's numbers of predicates: a bit each for unordered, less, greater, equal.
int64_t predicateOf(mlir::Operation *op) {
  switch (llvm::cast<arith::CmpFOp>(op).getPredicate()) {
  case arith::CmpFPredicate::AlwaysFalse:
    return 0;
  case arith::CmpFPredicate::OEQ:
    return 1;
  case arith::CmpFPredicate::OGT:
    return 2;
  case arith::CmpFPredicate::OGE:
    return 3;
  case arith::CmpFPredicate::OLT:
    return 4;
  case arith::CmpFPredicate::OLE:
    return 5;
  case arith::CmpFPredicate::ONE:
    return 6;
  case arith::CmpFPredicate::ORD:
    return 7;
  case arith::CmpFPredicate::UNO:
    return 8;
  case arith::CmpFPredicate::UEQ:
    return 9;
  case arith::CmpFPredicate::UGT:
    return 10;
  case arith::CmpFPredicate::UGE:
    return 11;
  case arith::CmpFPredicate::ULT:
    return 12;
  case arith::CmpFPredicate::ULE:
    return 13;
  case arith::CmpFPredicate::UNE:
    return 14;
  case arith::CmpFPredicate::AlwaysTrue:
    return 15;
  }
  return 0;
}

int64_t takesMinimum(mlir::Operation *op) {
  return llvm::isa<arith::MinimumFOp, arith::MinNumFOp>(op);
}
int64_t prefersNumbers(mlir::Operation *op) {
  return llvm::isa<arith::MaxNumFOp, arith::MinNumFOp>(op);
}

int64_t hasSign(mlir::Operation *op) { return !llvm::cast<MultiplyPairOp>(op).getIsUnsigned(); }

const std::map<std::string, UnitShape, std::less<>> shapes = {
    {"spindle_addf", {{"a", "b"}, {{"subtract", 1, subtracts}}}},
    {"spindle_mulf", {{"a", "b"}, {}}},
    {"spindle_fmaf", {{"a", "b", "c"}, {}}},
    {"spindle_cmpf", {{"a", "b"}, {{"predicate", 4, predicateOf}}}},
    {"spindle_minmaxf",
     {{"a", "b"}, {{"minimum", 1, takesMinimum}, {"number", 1, prefersNumbers}}}},
    {"spindle_sitofp", {{"a"}, {}}},
    {"spindle_uitofp", {{"a"}, {}}},
    {"spindle_fptosi", {{"a"}, {}}},
    {"spindle_fptoui", {{"a"}, {}}},
    {"spindle_extf", {{"a"}, {}}},
    {"spindle_truncf", {{"a"}, {}}},
    {"spindle_muli", {{"a", "b"}, {}}},
    {"spindle_muli_pair", {{"a", "b", "c"}, {{"has_sign", 1, hasSign}}}},
    {"spindle_divi", {{"a", "b"}, {}, true}},
    {"spindle_divf", {{"a", "b"}, {}, true}},
    {"spindle_sqrt", {{"a"}, {}, true}},
    {"spindle_exp", {{"a"}, {}, true}},
    {"spindle_log", {{"a"}, {}, true}},
    {"spindle_powf", {{"a", "b"}, {}, true}},
};

} // namespace

std::string PortId::name() const {
  return fmt::format("{}_b{}_p{}", llvm::StringRef(MemoryOp(memory).getSymName()).str(), bank,
                     port);
}

std::string RegisterId::name() const {
  return fmt::format("{}_b{}", llvm::StringRef(MemoryOp(memory).getSymName()).str(), bank);
}

UnitShape shapeOf(llvm::StringRef module) {
  auto found = shapes.find(module);
  return found == shapes.end() ? UnitShape() : found->second;
}

std::string nameOf(FifoOp fifo) { return fifo.getSymName().str(); }

unsigned bitsOf(mlir::Type type) { return type.getIntOrFloatBitWidth(); }

unsigned operandBits(UnitOp unit, size_t position) {
  std::optional<llvm::ArrayRef<int64_t>> bits = unit.getOperandBits();
  return bits && position < bits->size() ? unsigned((*bits)[position]) : bitsOf(unit.getType());
}

unsigned resultBits(UnitOp unit) {
  unsigned bits = bitsOf(unit.getType());
  auto kernel = unit->getParentOfType<KernelOp>();
  auto name = mlir::FlatSymbolRefAttr::get(unit.getSymNameAttr());
  kernel.walk([&](mlir::Operation *op) {
    if (op->getAttr(HlsDialect::unitName) != name)
      return mlir::WalkResult::advance();
    bits = bitsOf(op->getResult(0).getType());
    return mlir::WalkResult::interrupt();
  });
  return bits;
}

unsigned addressBits(MemoryOp memory) { return rtl::MemoryOp::addressWidth(memory.getBankWords()); }

Connections connectionsOf(PipelineOp pipeline) {
  Connections all;
  auto kernel = pipeline->getParentOfType<KernelOp>();
  std::map<std::string, std::map<std::pair<int64_t, int64_t>, int>> ports;
  std::map<std::string, std::map<int64_t, int>> reads, writes;
  std::set<std::string> units;
  std::set<mlir::Operation *> popped, pushed;
  llvm::SetVector<mlir::Value> values(pipeline.getBoundOperands().begin(),
                                      pipeline.getBoundOperands().end());
  values.insert(pipeline.getCarried().begin(), pipeline.getCarried().end());
  for (mlir::Operation &op : pipeline.getBody().front()) {
    for (mlir::Value operand : op.getOperands())
      if (!pipeline->isAncestor(operand.getParentBlock()->getParentOp()))
        values.insert(operand);
    if (UnitOp unit = unitOf(&op))
      units.insert(unit.getSymName().str());
    if (llvm::isa<PopOp, PushOp>(op))
      (llvm::isa<PopOp>(op) ? popped : pushed).insert(fifoOf(&op));
    if (!llvm::isa<LoadOp, StoreOp>(op))
      continue;
    MemoryOp memory = memoryOf(&op);
    int64_t bank = op.getAttrOfType<mlir::IntegerAttr>("bank").getInt();
    std::string name = memory.getSymName().str();
    if (!memory.getRegisters())
      ports[name][{bank, op.getAttrOfType<mlir::IntegerAttr>("port").getInt()}];
    else if (llvm::isa<LoadOp>(op))
      reads[name][bank];
    else
      writes[name][bank];
  }
  for (MemoryOp memory : kernel.getOps<MemoryOp>()) {
    std::string name = memory.getSymName().str();
    for (const auto &[place, unused] : ports[name])
      all.ports.push_back({memory, place.first, place.second});
    for (const auto &[bank, unused] : reads[name])
      all.registersRead.push_back({memory, bank});
    for (const auto &[bank, unused] : writes[name])
      all.registersWritten.push_back({memory, bank});
  }
  for (FifoOp fifo : kernel.getOps<FifoOp>()) {
    if (popped.count(fifo))
      all.fifosRead.push_back(fifo);
    if (pushed.count(fifo))
      all.fifosWritten.push_back(fifo);
  }
  for (UnitOp unit : kernel.getOps<UnitOp>())
    if (units.count(unit.getSymName().str()))
      all.units.push_back(unit);
  all.values.assign(values.begin(), values.end());
  return all;
}

} // namespace spindle::hls
