// Arrays divided into banks so that the accesses of one iteration do not wait for each other.
#include "hw/hls/Passes.h"
#include "hw/hls/loops/LoopPass.h"
#include "hw/hls/loops/SimplifyIndices.h"
#include "hw/hls/loops/arrays/ArrayPartition.h"

#include "mlir/Dialect/Affine/Analysis/LoopAnalysis.h"

#include <algorithm>

using namespace mlir;
using namespace mlir::affine;

namespace spindle::hls {

#define GEN_PASS_DEF_HLSPARTITIONARRAYS
#include "hw/hls/Passes.h.inc"

namespace {

/// A distinct element that an iteration of one body reads or writes: numbers of its subscripts, one
/// per dimension, and whether it is written.
using Touch = std::vector<unsigned>;

/// One dimension: its distinct subscripts, and the ways to divide it in which all of them have a
/// bank.
struct Dimension {
  static constexpr int64_t anyBank = -1, mostAny = 16;

  struct Subscript {
    AffineMap map;
    SmallVector<Value> operands;
  };
  struct Choice {
    DimensionPartition partition;
    std::vector<int64_t> banks; // of each subscript; anyBank: it changes
  };
  int64_t extent;
  std::vector<Subscript> subscripts;
  std::vector<Choice> choices;

  unsigned number(AffineMap map, ArrayRef<Value> operands) {
    SmallVector<Value> used(operands);
    canonicalizeMapAndOperands(&map, &used);
    for (auto [n, known] : llvm::enumerate(subscripts))
      if (known.map == map && known.operands == used)
        return unsigned(n);
    subscripts.push_back({map, used});
    return unsigned(subscripts.size() - 1);
  }

  void tryChoice(DimensionPartition partition) {
    Choice choice{partition, {}};
    for (const Subscript &subscript : subscripts) {
      std::optional<int64_t> bank =
          bankOf(partition, extent, subscript.map.getResult(0), subscript.map, subscript.operands);
      if (!bank && partition.factor > mostAny)
        return;
      choice.banks.push_back(bank.value_or(anyBank));
    }
    choices.push_back(std::move(choice));
  }

  void findChoices(int64_t mostBanks) {
    tryChoice({});
    for (int64_t factor = 2; factor <= std::min(extent - 1, mostBanks); ++factor)
      tryChoice({DimensionPartition::Kind::Cyclic, factor});
    for (int64_t factor = 2; factor <= std::min(extent - 1, mostBanks); ++factor)
      if ((factor - 1) * ((extent + factor - 1) / factor) < extent) // no empty block
        tryChoice({DimensionPartition::Kind::Block, factor});
    if (extent > 1 && extent <= mostBanks)
      tryChoice({DimensionPartition::Kind::Complete, extent});
  }
};

/// Iterations of a body; loops whose trip count varies count as a few.
int64_t iterationsAround(AffineForOp body) {
  int64_t iterations = 1;
  for (AffineForOp loop = body; loop; loop = loop->getParentOfType<AffineForOp>())
    iterations *= std::max<int64_t>(1, int64_t(getConstantTripCount(loop).value_or(8)));
  return std::min<int64_t>(iterations, int64_t(1) << 40);
}

/// All accesses of one array.
class Array {
public:
  Array(Value v, unsigned p) : array(v), ports(p) {
    for (int64_t extent : cast<MemRefType>(v.getType()).getShape())
      dimensions.push_back({extent, {}, {}});
  }

  /// Sorts the accesses by the body that they stand in; false where one is not affine.
  bool collect() {
    for (Operation *user : array.getUsers()) {
      AffineMap map;
      ValueRange operands;
      if (auto load = dyn_cast<AffineLoadOp>(user))
        std::tie(map, operands) = std::pair(load.getAffineMap(), ValueRange(load.getMapOperands()));
      else if (auto store = dyn_cast<AffineStoreOp>(user);
               store && store.getValueToStore() != array)
        std::tie(map, operands) =
            std::pair(store.getAffineMap(), ValueRange(store.getMapOperands()));
      else if (isa<memref::DeallocOp>(user))
        continue;
      else
        return false;
      Touch touch;
      SmallVector<Value> used(operands);
      for (auto [dimension, subscript] : llvm::zip(dimensions, map.getResults()))
        touch.push_back(dimension.number(
            AffineMap::get(map.getNumDims(), map.getNumSymbols(), subscript), used));
      touch.push_back(isa<AffineStoreOp>(user));
      auto body = user->getParentOfType<AffineForOp>();
      auto [found, isNew] = bodyNumbers.try_emplace(body.getOperation(), bodies.size());
      if (isNew) {
        bodies.emplace_back();
        weights.push_back(iterationsAround(body));
      }
      bodies[found->second].push_back(std::move(touch));
    }
    for (std::vector<Touch> &body : bodies) {
      std::sort(body.begin(), body.end());
      body.erase(std::unique(body.begin(), body.end()), body.end());
    }
    return true;
  }

  /// The partition whose bodies need the fewest cycles for their accesses; of equals the one of the
  /// fewest banks.
  ArrayPartition choose(int64_t mostBanks) {
    for (Dimension &dimension : dimensions)
      dimension.findChoices(mostBanks);
    std::vector<unsigned> choice(dimensions.size(), 0), best = choice;
    auto bestCost = costWith(choice);
    int64_t bestBanks = 1;
    while (next(choice)) {
      int64_t banks = banksWith(choice);
      std::pair known(bestCost, bestBanks);
      if (banks > mostBanks || std::pair(leastCost(choice, banks), banks) >= known)
        continue;
      auto cost = costWith(choice);
      if (std::pair(cost, banks) < std::pair(bestCost, bestBanks)) {
        best = choice;
        bestCost = cost;
        bestBanks = banks;
      }
    }
    ArrayPartition partition;
    for (auto [dimension, n] : llvm::zip(dimensions, best))
      partition.push_back(dimension.choices[n].partition);
    return partition;
  }

private:
  bool next(std::vector<unsigned> &choice) const {
    for (size_t d = 0; d < choice.size(); ++d) {
      if (++choice[d] < dimensions[d].choices.size())
        return true;
      choice[d] = 0;
    }
    return false;
  }

  int64_t banksWith(const std::vector<unsigned> &choice) const {
    int64_t banks = 1;
    for (auto [dimension, n] : llvm::zip(dimensions, choice))
      banks *= dimension.choices[n].partition.factor;
    return banks;
  }

  /// The banks that an access may reach.
  std::vector<int64_t> reach(const Touch &touch, const std::vector<unsigned> &choice) const {
    std::vector<int64_t> banks{0};
    for (size_t d = 0; d < dimensions.size(); ++d) {
      const Dimension::Choice &one = dimensions[d].choices[choice[d]];
      int64_t count = one.partition.factor, bank = one.banks[touch[d]];
      std::vector<int64_t> next;
      for (int64_t before : banks)
        for (int64_t n = bank < 0 ? 0 : bank; n < (bank < 0 ? count : bank + 1); ++n)
          next.push_back(before * count + n);
      banks = std::move(next);
    }
    return banks;
  }

  /// How many banks an access may reach.
  int64_t reached(const Touch &touch, const std::vector<unsigned> &choice) const {
    int64_t count = 1;
    for (size_t d = 0; d < dimensions.size(); ++d) {
      const Dimension::Choice &one = dimensions[d].choices[choice[d]];
      if (one.banks[touch[d]] < 0)
        count *= one.partition.factor;
    }
    return count;
  }

  /// Of an iteration of a body whose fullest bank has so many accesses.
  int64_t cyclesOf(int64_t accesses) const {
    return std::max<int64_t>((accesses + ports - 1) / ports, 1);
  }

  /// Cycles in which the ports of the fullest bank are taken, over all iterations of all bodies;
  /// and how many multiplexers accesses to changing banks need.
  using Cost = std::pair<int64_t, int64_t>;
  Cost costWith(const std::vector<unsigned> &choice) const {
    int64_t sum = 0, multiplexers = 0;
    std::vector<int64_t> taken; // by bank
    for (auto [body, weight] : llvm::zip(bodies, weights)) {
      taken.assign(size_t(banksWith(choice)), 0);
      int64_t most = 0;
      for (const Touch &touch : body) {
        std::vector<int64_t> banks = reach(touch, choice);
        multiplexers += int64_t(banks.size()) - 1;
        for (int64_t bank : banks)
          most = std::max(most, ++taken[size_t(bank)]);
      }
      sum += weight * cyclesOf(most);
    }
    return {sum, multiplexers};
  }

  /// The same if all banks were as full as each other: the cost is not below it, and the
  /// multiplexers are the same.
  Cost leastCost(const std::vector<unsigned> &choice, int64_t banks) const {
    int64_t sum = 0, multiplexers = 0;
    for (auto [body, weight] : llvm::zip(bodies, weights)) {
      int64_t accesses = 0;
      for (const Touch &touch : body)
        accesses += reached(touch, choice);
      multiplexers += accesses - int64_t(body.size());
      sum += weight * cyclesOf((accesses + banks - 1) / banks);
    }
    return {sum, multiplexers};
  }

  Value array;
  int64_t ports;
  std::vector<Dimension> dimensions;
  llvm::DenseMap<Operation *, size_t> bodyNumbers;
  std::vector<std::vector<Touch>> bodies;
  std::vector<int64_t> weights; // iterations of each body, as far as they are known
};

struct PartitionArrays : LoopPass<impl::HlsPartitionArraysBase<PartitionArrays>> {
  using LoopPass::LoopPass;

  Attribute given(Value array) {
    if (auto argument = dyn_cast<BlockArgument>(array))
      return getOperation().getArgAttr(argument.getArgNumber(), HlsDialect::partitionName);
    return array.getDefiningOp()->getAttr(HlsDialect::partitionName);
  }

  void mark(Value array, Attribute partition) {
    if (auto argument = dyn_cast<BlockArgument>(array))
      getOperation().setArgAttr(argument.getArgNumber(), HlsDialect::partitionName, partition);
    else
      array.getDefiningOp()->setAttr(HlsDialect::partitionName, partition);
  }

  void setBanks(Value array, const ArrayPartition &partition) {
    Builder builder(&getContext());
    for (Operation *user : array.getUsers()) {
      if (isa<memref::DeallocOp>(user))
        continue;
      std::optional<int64_t> bank = bankOf(partition, user);
      if (!bank)
        continue; // its bank changes: hardware chooses
      user->setAttr(HlsDialect::bankName, builder.getI64IntegerAttr(*bank));
    }
  }

  LogicalResult partition(Value array) {
    auto type = cast<MemRefType>(array.getType());
    if (Attribute attribute = given(array)) {
      std::optional<ArrayPartition> wanted = readPartition(attribute, type.getShape());
      if (!wanted)
        return mlir::emitError(array.getLoc(), "attribute 'hls.partition' is ")
               << attribute << ", expected one of #hls.partition<none>, #hls.partition<complete>, "
               << "#hls.partition<block N> and #hls.partition<cyclic N>, N at most the extent, "
               << "for each of " << type.getRank() << " dimensions";
      setBanks(array, *wanted);
      return success();
    }
    Array accesses(array, ports);
    if (type.getRank() == 0 || !accesses.collect())
      return success();
    ArrayPartition chosen = accesses.choose(mostBanks);
    if (banksOf(chosen) == 1)
      return success();
    mark(array, toAttribute(chosen, &getContext()));
    ++partitioned;
    banks += unsigned(banksOf(chosen));
    setBanks(array, chosen);
    return success();
  }

  void runOnLoops() override {
    simplifyIndices(getOperation());
    SmallVector<Value> arrays;
    for (Value argument : getOperation().getArguments())
      if (isa<MemRefType>(argument.getType()))
        arrays.push_back(argument);
    getOperation().walk([&](Operation *op) {
      if (isa<memref::AllocOp, memref::AllocaOp, memref::GetGlobalOp>(op))
        arrays.push_back(op->getResult(0));
    });
    for (Value array : arrays)
      if (failed(partition(array)))
        return signalPassFailure();
  }
};
} // namespace

} // namespace spindle::hls
