// Copies of arrays, for nests that read more words of one than it has ports.
#include "dialects/hls/Hls.h"
#include "hw/hls/Passes.h"
#include "hw/hls/loops/CostPass.h"
#include "hw/hls/loops/analysis/EstimateNest.h"

#include "hw/hls/dependence/FlattenedDistance.h"
#include "hw/hls/dependence/Instance.h"
#include "hw/hls/dependence/Nest.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::affine;

namespace spindle::hls {

#define GEN_PASS_DEF_HLSCOPYARRAYS
#include "hw/hls/Passes.h.inc"

namespace {

/// Whether the array holds the same at all times.
bool isConstant(Value array) {
  auto named = array.getDefiningOp<memref::GetGlobalOp>();
  auto contents =
      named ? SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(named, named.getNameAttr())
            : memref::GlobalOp();
  return contents && contents.getConstant();
}

/// Loads that always read what was in the array before the nest, by array. Those of constant arrays
/// may have any subscript, as no copy is filled.
llvm::MapVector<Value, SmallVector<Operation *>> loadsOfOldValues(AffineForOp nest) {
  llvm::SetVector<Operation *> readsNew;
  for (const MemoryDependence &dependence : nestDependences(nest))
    if (accessOf(dependence.from)->isStore)
      readsNew.insert(dependence.to);
  llvm::MapVector<Value, SmallVector<Operation *>> loads;
  nest.walk([&](Operation *op) {
    std::optional<ArrayAccess> access = accessOf(op);
    if (!access || access->isStore || readsNew.contains(op) || op->hasAttr(HlsDialect::bankName) ||
        cast<MemRefType>(access->array.getType()).getRank() == 0)
      return;
    if (isa<AffineLoadOp>(op) || isConstant(access->array))
      loads[access->array].push_back(op);
  });
  return loads;
}

/// The nest that fills the copies, before another one.
AffineForOp buildCopy(AffineForOp nest, Value array, ArrayRef<Value> copies) {
  OpBuilder builder(nest);
  Location loc = nest.getLoc();
  SmallVector<Value> indices;
  AffineForOp outermost;
  for (int64_t size : cast<MemRefType>(array.getType()).getShape()) {
    auto loop = AffineForOp::create(builder, loc, 0, size);
    outermost = outermost ? outermost : loop;
    indices.push_back(loop.getInductionVar());
    builder.setInsertionPointToStart(loop.getBody());
  }
  Value word = AffineLoadOp::create(builder, loc, array, indices);
  for (Value copy : copies)
    AffineStoreOp::create(builder, loc, word, copy, indices);
  return outermost;
}

struct CopyArrays : CostPass<impl::HlsCopyArraysBase<CopyArrays>> {
  using CostPass::CostPass;

  void runOnLoops() override {
    for (const NamedEstimate &nest : estimateNests(getOperation(), *costs))
      if (nest.estimate.ports > nest.estimate.recurrence)
        for (auto &[array, loads] : loadsOfOldValues(nest.outermost))
          copy(nest.outermost, array, loads);
  }

  /// As many copies as make the nest and the making of them fastest together.
  void copy(AffineForOp nest, Value array, ArrayRef<Operation *> loads) {
    unsigned ports = costs->target.memory.ports;
    unsigned most = unsigned(loads.size() + ports - 1) / ports;
    uint64_t fewest = estimateCycles(nest, *costs);
    unsigned best = 0;
    for (unsigned count = 1; count <= most; ++count) {
      uint64_t cycles = estimateWith(nest, array, loads, count);
      if (cycles < fewest) {
        fewest = cycles;
        best = count;
      }
    }
    if (best == 0)
      return;
    build(nest, array, loads, best);
    copies += best;
  }

  uint64_t estimateWith(AffineForOp nest, Value array, ArrayRef<Operation *> loads,
                        unsigned count) {
    auto [filling, arrays] = build(nest, array, loads, count);
    uint64_t cycles = estimateCycles(nest, *costs);
    if (filling)
      cycles += estimateCycles(filling, *costs);
    for (Operation *load : loads)
      load->replaceUsesOfWith(accessOf(load)->array, array);
    if (filling)
      filling.erase();
    for (Value made : arrays)
      made.getDefiningOp()->erase();
    return cycles;
  }

  /// Each copy takes as many loads as it has ports, the last ones first. Constant arrays have their
  /// copies from the start.
  std::pair<AffineForOp, SmallVector<Value>> build(AffineForOp nest, Value array,
                                                   ArrayRef<Operation *> loads, unsigned count) {
    OpBuilder atEntry = OpBuilder::atBlockBegin(&getOperation().getBody().front());
    SmallVector<Value> arrays;
    auto type = cast<MemRefType>(array.getType());
    bool hasContents = isConstant(array);
    for (unsigned n = 0; n < count; ++n) {
      Operation *made = hasContents ? atEntry.clone(*array.getDefiningOp())
                                    : memref::AllocOp::create(atEntry, nest.getLoc(), type);
      if (hasContents)
        made->setAttr(HlsDialect::copyName, atEntry.getI64IntegerAttr(copies + n + 1));
      arrays.push_back(made->getResult(0));
    }
    unsigned ports = costs->target.memory.ports;
    size_t moved = std::min<size_t>(loads.size(), size_t(count) * ports);
    for (auto [n, load] : llvm::enumerate(loads.take_back(moved)))
      load->replaceUsesOfWith(array, arrays[n / ports]);
    return {hasContents ? AffineForOp() : buildCopy(nest, array, arrays), arrays};
  }
};
} // namespace

std::unique_ptr<Pass> makeCopyArrays(const SharedCosts &costs) {
  return withCosts<CopyArrays>(costs);
}

} // namespace spindle::hls
