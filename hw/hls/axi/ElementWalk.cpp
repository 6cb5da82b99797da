#include "hw/hls/axi/ElementWalk.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

namespace spindle::hls {

namespace arith = mlir::arith;

namespace {

/// One dimension: its extent, and how many banks of how many words it has.
struct Dimension {
  int64_t extent;
  DimensionPartition::Kind kind;
  int64_t banks, words;
};

unsigned bitsFor(int64_t values) { return std::max(1u, llvm::Log2_64_Ceil(uint64_t(values))); }

/// Neighbouring dimensions of one bank are one dimension.
std::vector<Dimension> dimensionsOf(const KernelArgument &array) {
  std::vector<Dimension> dimensions;
  for (size_t i = 0; i < array.shape.size(); ++i) {
    int64_t extent = array.shape[i];
    DimensionPartition partition = array.partition[i];
    if (partition.factor == 1)
      partition.kind = DimensionPartition::Kind::None;
    int64_t words = (extent + partition.factor - 1) / partition.factor;
    bool joins = partition.kind == DimensionPartition::Kind::None && !dimensions.empty() &&
                 dimensions.back().kind == DimensionPartition::Kind::None;
    if (joins) {
      dimensions.back().extent *= extent;
      dimensions.back().words *= extent;
    } else {
      dimensions.push_back({extent, partition.kind, partition.factor, words});
    }
  }
  if (dimensions.empty())
    dimensions.push_back({1, DimensionPartition::Kind::None, 1, 1});
  return dimensions;
}

/// sum + value * factor, in `bits`.
mlir::Value accumulate(Wires &wires, mlir::Value sum, mlir::Value value, int64_t factor,
                       unsigned bits) {
  mlir::Value scaled = wires.resized(value, bits, false);
  if (factor != 1)
    scaled = arith::MulIOp::create(wires.builder, scaled, wires.constant(factor, bits));
  return sum ? arith::AddIOp::create(wires.builder, sum, scaled) : scaled;
}

} // namespace

Counter count(Wires &wires, int64_t values, mlir::Value step, mlir::Value clear,
              const std::string &name) {
  if (values == 1)
    return {wires.constant(0, 1), wires.one()};
  unsigned bits = bitsFor(values);
  rtl::RegOp reg = wires.holding(bits, name, wires.disjunction(step, clear), true);
  mlir::Value isAtEnd = wires.equals(reg, values - 1);
  mlir::Value next = arith::AddIOp::create(wires.builder, reg, wires.constant(1, bits));
  mlir::Value isOver = wires.disjunction(isAtEnd, clear);
  reg.setNext(wires.choose(isOver, wires.constant(0, bits), next));
  return {reg, isAtEnd};
}

/// In a cyclic dimension the bank counts first, in a block dimension the word.
ElementWalk walkElements(Wires &wires, const KernelArgument &array, mlir::Value advance,
                         const std::string &name) {
  std::vector<Dimension> dimensions = dimensionsOf(array);
  unsigned bankBits = bitsFor(array.banks()), wordBits = bitsFor(int64_t(array.bankWords()));
  ElementWalk walk;
  int64_t bankFactor = 1, wordFactor = 1;
  mlir::Value carry = advance;
  walk.isLast = wires.one();
  for (size_t i = dimensions.size(); i-- > 0;) {
    const Dimension &dimension = dimensions[i];
    std::string stem = name + "_" + std::to_string(i);
    bool isCyclic = dimension.kind == DimensionPartition::Kind::Cyclic;
    int64_t inner = isCyclic ? dimension.banks : dimension.words;
    int64_t outer = isCyclic ? dimension.words : dimension.banks;
    // The end of the dimension may come before both counters are at theirs.
    rtl::WireOp end = wires.wire(1, "");
    mlir::Value restart = wires.conjunction(carry, end);
    Counter first = count(wires, inner, carry, restart, stem + (isCyclic ? "_bank" : "_word"));
    Counter second = count(wires, outer, wires.conjunction(carry, first.isAtEnd), restart,
                           stem + (isCyclic ? "_word" : "_bank"));
    auto isAt = [&](const Counter &counter, int64_t values, int64_t value) -> mlir::Value {
      return values == 1 ? wires.one() : wires.equals(counter.value, value);
    };
    int64_t last = dimension.extent - 1;
    mlir::Value isLast =
        wires.conjunction(isAt(first, inner, last % inner), isAt(second, outer, last / inner));
    end.drive(isLast);
    walk.isLast = wires.conjunction(walk.isLast, isLast);
    carry = restart;
    walk.bank =
        accumulate(wires, walk.bank, (isCyclic ? first : second).value, bankFactor, bankBits);
    walk.word =
        accumulate(wires, walk.word, (isCyclic ? second : first).value, wordFactor, wordBits);
    bankFactor *= dimension.banks;
    wordFactor *= dimension.words;
  }
  if (array.banks() == 1)
    walk.bank = {};
  return walk;
}

} // namespace spindle::hls
