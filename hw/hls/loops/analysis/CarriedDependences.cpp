#include "hw/hls/loops/analysis/CarriedDependences.h"

#include "hw/hls/loops/analysis/AccessOverlap.h"

#include "mlir/Dialect/Affine/Analysis/Utils.h"

using namespace mlir;
using namespace mlir::affine;

namespace spindle::hls {

namespace {

/// Upstream's analysis takes the condition of an affine.if for both of its branches.
bool isInElse(Operation *op) {
  for (auto branch = op->getParentOfType<AffineIfOp>(); branch;
       branch = branch->getParentOfType<AffineIfOp>())
    if (branch.hasElse() && branch.getElseRegion().isAncestor(op->getParentRegion()))
      return true;
  return false;
}

bool isAnalysable(Operation *op) {
  return isa<AffineReadOpInterface, AffineWriteOpInterface>(op) && !isInElse(op);
}
} // namespace

std::optional<int64_t> CarriedDependence::least(AffineForOp loop) const {
  for (const DependenceComponent &component : components)
    if (component.op == loop.getOperation())
      return component.lb;
  return std::nullopt;
}

SmallVector<CarriedDependence> carriedDependences(AffineForOp loop) {
  SmallVector<Operation *> accesses;
  loop.walk([&](Operation *op) {
    if (arrayOf(op))
      accesses.push_back(op);
  });
  unsigned depth = getNestingDepth(loop) + 1;
  SmallVector<CarriedDependence> found;
  for (Operation *from : accesses)
    for (Operation *to : accesses) {
      if (arrayOf(from) != arrayOf(to) || (!isStoreAccess(from) && !isStoreAccess(to)))
        continue;
      if (!isAnalysable(from) || !isAnalysable(to)) {
        found.push_back({from, to, {}});
        continue;
      }
      SmallVector<DependenceComponent, 2> components;
      DependenceResult result = checkMemrefAccessDependence(MemRefAccess(from), MemRefAccess(to),
                                                            depth, nullptr, &components);
      if (result.value == DependenceResult::Failure)
        components.clear();
      if (!noDependence(result))
        found.push_back({from, to, std::move(components)});
    }
  return found;
}

} // namespace spindle::hls
