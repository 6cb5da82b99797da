#include "hw/hls/lower/kernel/BankAddress.h"

#include "dialects/hls/Partition.h"

namespace spindle::hls {

namespace {

/// Row-major over the dimensions: `part` is one of a dimension's number, there are `count` of them.
template <typename Part, typename Count>
mlir::AffineMap rowMajor(MemoryOp memory, mlir::AffineMap subscripts, Part part, Count count) {
  mlir::AffineExpr number = mlir::getAffineConstantExpr(0, memory.getContext());
  for (auto [position, subscript] : llvm::enumerate(subscripts.getResults())) {
    int64_t extent = memory.getMemRef().getShape()[position];
    DimensionPartition dimension = memory.getDimension(unsigned(position));
    number = number * count(dimension, extent) + part(dimension, extent, subscript);
  }
  return mlir::simplifyAffineMap(
      mlir::AffineMap::get(subscripts.getNumDims(), subscripts.getNumSymbols(), number));
}

} // namespace

mlir::AffineMap addressMap(MemoryOp memory, mlir::AffineMap subscripts) {
  return rowMajor(
      memory, subscripts, wordOf,
      [](const DimensionPartition &dimension, int64_t extent) { return dimension.words(extent); });
}

mlir::AffineMap bankMap(MemoryOp memory, mlir::AffineMap subscripts) {
  return rowMajor(memory, subscripts, bankOf,
                  [](const DimensionPartition &dimension, int64_t) { return dimension.factor; });
}

llvm::SmallVector<int64_t> reachableBanks(MemoryOp memory, mlir::AffineMap subscripts) {
  llvm::SmallVector<int64_t> banks{0};
  for (auto [position, subscript] : llvm::enumerate(subscripts.getResults())) {
    int64_t extent = memory.getMemRef().getShape()[position];
    DimensionPartition dimension = memory.getDimension(unsigned(position));
    mlir::AffineExpr bank = mlir::simplifyAffineExpr(
        bankOf(dimension, extent, subscript), subscripts.getNumDims(), subscripts.getNumSymbols());
    auto fixed = llvm::dyn_cast<mlir::AffineConstantExpr>(bank);
    llvm::SmallVector<int64_t> next;
    for (int64_t before : banks)
      for (int64_t number = 0; number < dimension.factor; ++number)
        if (!fixed || fixed.getValue() == number)
          next.push_back(before * dimension.factor + number);
    banks = std::move(next);
  }
  return banks;
}

} // namespace spindle::hls
