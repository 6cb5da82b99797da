#include "hw/hls/lower/kernel/AccessOrder.h"

#include "dialects/hls/Hls.h"

#include "mlir/IR/Matchers.h"

namespace spindle::hls {

namespace {

/// The address of an access that is the same whenever it runs.
std::optional<llvm::APInt> fixedAddress(mlir::Operation *op) {
  auto load = llvm::dyn_cast<LoadOp>(op);
  mlir::Value address = load ? load.getAddress() : llvm::cast<StoreOp>(op).getAddress();
  llvm::APInt fixed;
  bool isFixed = address && mlir::matchPattern(address, mlir::m_ConstantInt(&fixed));
  return isFixed ? std::optional(fixed) : std::nullopt;
}

mlir::Attribute dependence(mlir::Block &block, unsigned from, unsigned to, unsigned distance) {
  return DependenceAttr::get(block.getParentOp()->getContext(), from, to, distance);
}

} // namespace

/// Those that are read stand in the first cycle anyway.
void orderTokens(mlir::Block &block, bool repeats,
                 llvm::SmallVectorImpl<mlir::Attribute> &dependences) {
  llvm::DenseMap<mlir::Attribute, std::pair<unsigned, unsigned>> ends; // first, last
  for (auto [index, op] : llvm::enumerate(block)) {
    if (!llvm::isa<PushOp>(op))
      continue;
    auto [known, isNew] = ends.try_emplace(op.getAttr("fifo"), index, index);
    if (!isNew)
      dependences.push_back(dependence(block, known->second.second, index, 0));
    known->second.second = index;
  }
  for (auto &op : block)
    if (auto known = ends.find(op.getAttr("fifo"));
        repeats && llvm::isa<PushOp>(op) && known != ends.end()) {
      auto [first, last] = known->second;
      dependences.push_back(dependence(block, last, first, 1));
      ends.erase(known);
    }
}

mlir::ArrayAttr orderedAccesses(mlir::Block &block, bool repeats) {
  struct Access {
    unsigned index;
    bool isStore;
    std::optional<llvm::APInt> address;
  };
  llvm::SmallVector<mlir::Attribute> dependences;
  auto add = [&](unsigned from, unsigned to, unsigned distance) {
    dependences.push_back(dependence(block, from, to, distance));
  };
  orderTokens(block, repeats, dependences);
  llvm::DenseMap<std::pair<mlir::Attribute, mlir::Attribute>, std::vector<Access>> earlier;
  for (auto [index, op] : llvm::enumerate(block)) {
    if (!llvm::isa<LoadOp, StoreOp>(op))
      continue;
    std::vector<Access> &ofBank = earlier[{op.getAttr("memory"), op.getAttr("bank")}];
    Access mine{unsigned(index), llvm::isa<StoreOp>(op), fixedAddress(&op)};
    for (const Access &other : ofBank)
      if ((mine.isStore || other.isStore) &&
          (!mine.address || !other.address || *mine.address == *other.address)) {
        add(other.index, mine.index, 0);
        if (repeats)
          add(mine.index, other.index, 1);
      }
    ofBank.push_back(std::move(mine));
  }
  return mlir::ArrayAttr::get(block.getParentOp()->getContext(), dependences);
}

} // namespace spindle::hls
