#include "hw/hls/lower/rtl/BankContents.h"

#include "hw/hls/lower/rtl/Connections.h"

#include "mlir/IR/BuiltinAttributes.h"

namespace spindle::hls {

namespace {

/// The subscripts of an array in row-major order, with bank and word of the element.
class Walk {
public:
  explicit Walk(MemoryOp memory) : index(size_t(memory.getMemRef().getRank()), 0) {
    for (auto [position, extent] : llvm::enumerate(memory.getMemRef().getShape())) {
      DimensionPartition partition = memory.getDimension(unsigned(position));
      Dimension dimension{uint64_t(partition.factor), uint64_t(partition.words(extent)), {}};
      for (int64_t i = 0; i < extent; ++i)
        dimension.places.push_back(partition.placeOf(extent, i));
      dimensions.push_back(std::move(dimension));
    }
  }

  BankAddress place() const {
    BankAddress found;
    for (auto [dimension, i] : llvm::zip(dimensions, index)) {
      found.bank = uint32_t(found.bank * dimension.banks + dimension.places[i].bank);
      found.address = found.address * dimension.words + dimension.places[i].address;
    }
    return found;
  }

  void next() {
    for (size_t d = index.size(); d-- > 0; index[d] = 0) // the last one runs fastest
      if (++index[d] < dimensions[d].places.size())
        return;
  }

private:
  struct Dimension {
    uint64_t banks, words;
    std::vector<BankAddress> places; // of each subscript
  };
  std::vector<Dimension> dimensions;
  std::vector<size_t> index;
};

} // namespace

std::vector<mlir::ElementsAttr> bankContents(MemoryOp memory) {
  auto initial = llvm::dyn_cast_or_null<mlir::DenseElementsAttr>(memory.getInitialAttr());
  if (!initial)
    return {};
  unsigned bits = bitsOf(memory.getElement());
  mlir::Type word = mlir::IntegerType::get(memory.getContext(), bits);
  std::vector<llvm::APInt> empty(size_t(memory.getBankWords()), llvm::APInt(bits, 0));
  std::vector<std::vector<llvm::APInt>> contents(size_t(memory.getBanks()), empty);
  Walk walk(memory);
  for (const llvm::APInt &element : initial.bitcast(word).getValues<llvm::APInt>()) {
    BankAddress place = walk.place();
    contents[place.bank][place.address] = element;
    walk.next();
  }
  auto type = mlir::RankedTensorType::get({int64_t(empty.size())}, word);
  std::vector<mlir::ElementsAttr> banks;
  for (const std::vector<llvm::APInt> &words : contents)
    banks.push_back(mlir::DenseElementsAttr::get(type, words));
  return banks;
}

} // namespace spindle::hls
