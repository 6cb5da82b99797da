#include "hw/hls/lower/PairProducts.h"

#include "hw/hls/body/OperationCost.h"
#include "hw/hls/lower/IndexRanges.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <set>

namespace spindle::hls {

namespace arith = mlir::arith;

namespace {

constexpr const char *kPair = "multiply_pair";

/// Products that a DSP block would make: `depth` of them, this one too, on the longest way here
/// from the beginning of an iteration. Products of equal depth do not wait for each other, nor do
/// pairs of them.
struct Product {
  arith::MulIOp op;
  unsigned depth;
  bool isTaken = false;
};

struct Pair {
  mlir::Value a, b, c;
  bool isUnsigned;
};

class PairsOfPipeline {
public:
  PairsOfPipeline(PipelineOp body, const Target &hardware, const UnitLimits &given,
                  const IndexRanges &known)
      : pipeline(body), block(body.getBody().front()), target(hardware), limits(given),
        ranges(known) {}

  unsigned run() {
    llvm::SmallVector<mlir::Operation *> before = operations();
    findFollowers(before);
    findProducts();
    unsigned pairs = 0;
    for (unsigned first = 0; first < products.size(); ++first)
      pairs += pairWithLater(first);
    if (pairs > 0)
      putInOrder(before);
    return pairs;
  }

private:
  llvm::SmallVector<mlir::Operation *> operations() {
    return llvm::map_to_vector(block, [](mlir::Operation &op) { return &op; });
  }

  bool takesBlock(mlir::Operation *op) {
    auto signedBits = [this](mlir::Value value) { return ranges.signedBitsOf(value); };
    if (!llvm::isa<arith::MulIOp>(op) || !op->getResult(0).getType().isSignlessInteger())
      return false;
    const FunctionalUnit *unit = unitFor(op, target, signedBits);
    return unit && unit->area.dsp > 0 && !limits.count(unit->name);
  }

  /// What must follow an operation in the same iteration through memory.
  void findFollowers(llvm::ArrayRef<mlir::Operation *> ops) {
    for (auto dependence : pipeline.getDependences().getAsRange<DependenceAttr>())
      if (dependence.getDistance() == 0)
        followers[ops[dependence.getFrom()]].push_back(ops[dependence.getTo()]);
  }

  void findProducts() {
    llvm::DenseMap<mlir::Operation *, unsigned> depths;
    for (mlir::Operation &op : block) {
      unsigned depth = depths.lookup(&op);
      for (mlir::Value operand : op.getOperands())
        if (mlir::Operation *maker = operand.getDefiningOp())
          depth = std::max(depth, depths.lookup(maker));
      if (takesBlock(&op)) {
        products.push_back({llvm::cast<arith::MulIOp>(op), ++depth});
        for (mlir::Value factor : op.getOperands())
          withFactor[factor].push_back(unsigned(products.size() - 1));
      }
      depths[&op] = depth;
      for (mlir::Operation *follower : followers.lookup(&op)) {
        unsigned &later = depths[follower];
        later = std::max(later, depth);
      }
    }
  }

  /// a · 2^SHIFT + b fits into the wide factor of the block, b · c into the bits below a · c.
  std::optional<Pair> fit(mlir::Value a, mlir::Value b, mlir::Value c) {
    std::string type = "i" + std::to_string(c.getType().getIntOrFloatBitWidth());
    const FunctionalUnit *unit = target.unitFor(
        kPair, type, {ranges.signedBitsOf(a), ranges.signedBitsOf(b), ranges.signedBitsOf(c)});
    if (!unit || !unit->parameters.count("SHIFT") || !unit->parameters.count("A"))
      return std::nullopt;
    int64_t shift = unit->parameters.at("SHIFT"), bits = shift + unit->parameters.at("A");
    if (shift < 1 || bits > 62)
      return std::nullopt;
    IntegerRange whole = ranges.of(a) * IntegerRange{1 << shift, 1 << shift} + ranges.of(b);
    if (!whole.within(-(int64_t(1) << (bits - 1)), (int64_t(1) << (bits - 1)) - 1))
      return std::nullopt;
    IntegerRange low = ranges.of(b) * ranges.of(c);
    if (low.within(-(int64_t(1) << (shift - 1)), (int64_t(1) << (shift - 1)) - 1))
      return Pair{a, b, c, false};
    if (low.within(0, (int64_t(1) << shift) - 1))
      return Pair{a, b, c, true};
    return std::nullopt;
  }

  bool pairWithLater(unsigned number) {
    Product &first = products[number];
    if (first.isTaken)
      return false;
    for (unsigned position : {0u, 1u}) {
      mlir::Value shared = first.op->getOperand(position);
      mlir::Value mine = first.op->getOperand(1 - position);
      for (unsigned other : withFactor[shared]) {
        Product &second = products[other];
        if (other <= number || second.isTaken || second.depth != first.depth)
          continue;
        mlir::Value theirs = second.op->getOperand(second.op->getOperand(0) == shared ? 1 : 0);
        std::optional<Pair> pair = fit(mine, theirs, shared);
        bool isFirstAbove = bool(pair);
        if (!pair)
          pair = fit(theirs, mine, shared);
        if (!pair)
          continue;
        make(*pair, isFirstAbove ? first : second, isFirstAbove ? second : first);
        return true;
      }
    }
    return false;
  }

  void make(const Pair &pair, Product &above, Product &below) {
    arith::MulIOp last = above.op->isBeforeInBlock(below.op) ? below.op : above.op;
    mlir::OpBuilder builder(last);
    mlir::Type type = pair.c.getType();
    unsigned bits = type.getIntOrFloatBitWidth();
    mlir::Type both = builder.getIntegerType(2 * bits);
    mlir::Location where = above.op.getLoc();
    mlir::Value result =
        MultiplyPairOp::create(builder, where, both, pair.a, pair.b, pair.c, pair.isUnsigned);
    mlir::Value by = arith::ConstantOp::create(builder, where, builder.getIntegerAttr(both, bits));
    mlir::Value high = arith::ShRUIOp::create(builder, where, result, by);
    above.op.replaceAllUsesWith(arith::TruncIOp::create(builder, where, type, high).getResult());
    below.op.replaceAllUsesWith(
        arith::TruncIOp::create(builder, below.op.getLoc(), type, result).getResult());
    above.isTaken = below.isTaken = true;
    erased.push_back(above.op);
    erased.push_back(below.op);
  }

  /// What used the first product of a pair comes after the pair, all else stays where it is as far
  /// as it can; dependences count places.
  void putInOrder(llvm::ArrayRef<mlir::Operation *> before) {
    for (mlir::Operation *op : erased)
      op->erase();
    llvm::SmallVector<mlir::Operation *> ops = operations();
    llvm::DenseMap<mlir::Operation *, unsigned> places;
    for (auto [place, op] : llvm::enumerate(ops))
      places[op] = unsigned(place);
    std::vector<std::vector<unsigned>> after(ops.size());
    std::vector<unsigned> waitsFor(ops.size(), 0);
    for (auto [place, op] : llvm::enumerate(ops)) {
      for (mlir::Value operand : op->getOperands())
        if (auto maker = places.find(operand.getDefiningOp()); maker != places.end()) {
          after[maker->second].push_back(unsigned(place));
          ++waitsFor[place];
        }
      for (mlir::Operation *follower : followers.lookup(op)) {
        after[place].push_back(places.at(follower));
        ++waitsFor[places.at(follower)];
      }
    }
    std::set<unsigned> ready; // the first in the block goes first
    for (unsigned place = 0; place + 1 < ops.size(); ++place)
      if (waitsFor[place] == 0)
        ready.insert(place);
    mlir::Operation *last = block.getTerminator();
    while (!ready.empty()) {
      unsigned place = *ready.begin();
      ready.erase(ready.begin());
      ops[place]->moveBefore(last);
      for (unsigned next : after[place])
        if (--waitsFor[next] == 0 && ops[next] != last)
          ready.insert(next);
    }
    for (auto [place, op] : llvm::enumerate(block))
      places[&op] = unsigned(place);
    llvm::SmallVector<mlir::Attribute> dependences;
    for (auto old : pipeline.getDependences().getAsRange<DependenceAttr>())
      dependences.push_back(DependenceAttr::get(pipeline.getContext(),
                                                places.at(before[old.getFrom()]),
                                                places.at(before[old.getTo()]), old.getDistance()));
    pipeline.setDependencesAttr(mlir::ArrayAttr::get(pipeline.getContext(), dependences));
  }

  PipelineOp pipeline;
  mlir::Block &block;
  const Target &target;
  const UnitLimits &limits;
  const IndexRanges &ranges;
  std::vector<Product> products; // in program order
  llvm::DenseMap<mlir::Value, std::vector<unsigned>> withFactor;
  llvm::DenseMap<mlir::Operation *, std::vector<mlir::Operation *>> followers;
  std::vector<mlir::Operation *> erased;
};

} // namespace

unsigned pairProducts(KernelOp kernel, const Target &target, const UnitLimits &limits) {
  bool hasUnit = llvm::any_of(target.units, [](const FunctionalUnit &unit) {
    return llvm::is_contained(unit.operations, kPair);
  });
  if (!hasUnit)
    return 0;
  unsigned pairs = 0;
  IndexRanges ranges(kernel);
  kernel.walk([&](PipelineOp pipeline) {
    pairs += PairsOfPipeline(pipeline, target, limits, ranges).run();
  });
  return pairs;
}

} // namespace spindle::hls
