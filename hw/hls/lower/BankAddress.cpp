#include "hw/hls/lower/BankAddress.h"

namespace spindle::hls {

namespace {

/// One dimension: banks, words per bank, and the two places of an element.
struct Dimension {
  int64_t banks, words;
  mlir::AffineExpr bank, word;
};

Dimension dimensionOf(MemoryOp memory, unsigned position, mlir::AffineExpr subscript) {
  int64_t extent = memory.getMemRef().getShape()[position];
  mlir::AffineExpr zero = mlir::getAffineConstantExpr(0, memory.getContext());
  if (!memory.getPartition())
    return {1, extent, zero, subscript};
  auto entry = llvm::cast<mlir::DictionaryAttr>((*memory.getPartition())[position]);
  llvm::StringRef kind = entry.getAs<mlir::StringAttr>("kind").getValue();
  if (kind == "none")
    return {1, extent, zero, subscript};
  if (kind == "complete")
    return {extent, 1, subscript, zero};
  int64_t factor = entry.getAs<mlir::IntegerAttr>("factor").getInt();
  int64_t words = (extent + factor - 1) / factor;
  if (kind == "cyclic")
    return {factor, words, subscript % factor, subscript.floorDiv(factor)};
  return {factor, words, subscript.floorDiv(words), subscript % words};
}

mlir::AffineMap rowMajor(MemoryOp memory, mlir::AffineMap subscripts,
                         mlir::AffineExpr Dimension::*place, int64_t Dimension::*extent) {
  mlir::AffineExpr number = mlir::getAffineConstantExpr(0, memory.getContext());
  for (auto [position, subscript] : llvm::enumerate(subscripts.getResults())) {
    Dimension dimension = dimensionOf(memory, position, subscript);
    number = number * (dimension.*extent) + dimension.*place;
  }
  return mlir::simplifyAffineMap(
      mlir::AffineMap::get(subscripts.getNumDims(), subscripts.getNumSymbols(), number));
}

} // namespace

mlir::AffineMap addressMap(MemoryOp memory, mlir::AffineMap subscripts) {
  return rowMajor(memory, subscripts, &Dimension::word, &Dimension::words);
}

mlir::AffineMap bankMap(MemoryOp memory, mlir::AffineMap subscripts) {
  return rowMajor(memory, subscripts, &Dimension::bank, &Dimension::banks);
}

llvm::SmallVector<int64_t> reachableBanks(MemoryOp memory, mlir::AffineMap subscripts) {
  llvm::SmallVector<int64_t> banks{0};
  for (auto [position, subscript] : llvm::enumerate(subscripts.getResults())) {
    Dimension dimension = dimensionOf(memory, position, subscript);
    mlir::AffineExpr bank = mlir::simplifyAffineExpr(dimension.bank, subscripts.getNumDims(),
                                                     subscripts.getNumSymbols());
    auto fixed = llvm::dyn_cast<mlir::AffineConstantExpr>(bank);
    llvm::SmallVector<int64_t> next;
    for (int64_t before : banks)
      for (int64_t number = 0; number < dimension.banks; ++number)
        if (!fixed || fixed.getValue() == number)
          next.push_back(before * dimension.banks + number);
    banks = std::move(next);
  }
  return banks;
}

} // namespace spindle::hls
