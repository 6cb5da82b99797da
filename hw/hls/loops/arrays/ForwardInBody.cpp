#include "hw/hls/loops/arrays/ForwardInBody.h"

#include "hw/hls/dependence/AccessTable.h"
#include "hw/hls/ranges/ValueRanges.h"

#include "mlir/Dialect/Affine/Analysis/AffineAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IntegerSet.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::affine;

namespace spindle::hls {

namespace {

bool isAffineAccess(Operation *op) {
  return isa<AffineReadOpInterface, AffineWriteOpInterface>(op);
}

bool isSameWord(const ArrayAccess &a, const ArrayAccess &b) {
  return a.array == b.array && isAffineAccess(a.op) && isAffineAccess(b.op) &&
         MemRefAccess(a.op) == MemRefAccess(b.op);
}

/// Whether two accesses of one iteration may be of one word.
bool mayMeet(const ArrayAccess &a, const ArrayAccess &b) {
  if (a.array != b.array)
    return false;
  InstanceSystem system;
  Instance first = system.add(a.op);
  Instance second = system.add(b.op, &first, unsigned(first.loops.size()));
  auto here = system.subscripts(a, first), there = system.subscripts(b, second);
  if (!here || !there)
    return true;
  for (auto [x, y] : llvm::zip(*here, *there))
    system.addZero(x - y);
  return !system.isEmpty();
}

/// Accesses of a body by number, and which others may be of their words.
class WordTable {
public:
  explicit WordTable(Block &of) : body(of) {}

  void add(const ArrayAccess &access) {
    accesses.push_back(access);
    table.add(access);
  }
  void remove(unsigned number) { table.remove(number); }
  const ArrayAccess &operator[](unsigned number) const { return accesses[number]; }

  SmallVector<AccessTable::Candidate> candidates(const ArrayAccess &access) {
    return table.candidates(access);
  }
  bool isSame(const AccessTable::Candidate &candidate, const ArrayAccess &access) const {
    return candidate.isSame() || isSameWord(accesses[candidate.number], access);
  }
  /// Found out once for all pairs of the same relation where both run in every iteration.
  bool meets(const AccessTable::Candidate &candidate, const ArrayAccess &access) {
    const ArrayAccess &other = accesses[candidate.number];
    if (other.op->getBlock() != &body || access.op->getBlock() != &body)
      return mayMeet(other, access);
    auto [known, isNew] = meetings.try_emplace(candidate.relation, false);
    if (isNew)
      known->second = mayMeet(other, access);
    return known->second;
  }

private:
  Block &body;
  std::vector<ArrayAccess> accesses;
  AccessTable table;
  std::map<AccessTable::Relation, bool> meetings;
};

/// What a word holds at this point of the iteration.
struct Content {
  ArrayAccess access; // that read or wrote it, without condition
  Value value;
};

class Forwarding {
public:
  explicit Forwarding(Block &of) : body(of), words(of) {}

  unsigned run() {
    for (Operation &op : llvm::make_early_inc_range(body))
      visit(&op, true);
    removeOverwritten();
    removeUnused();
    return removed;
  }

private:
  void visit(Operation *op, bool isSure) {
    if (std::optional<ArrayAccess> access = accessOf(op)) {
      if (!access->isStore)
        return visitLoad(*access, isSure);
      return isSure ? visitStore(*access) : visitGuardedStore(*access);
    }
    for (Region &region : op->getRegions())
      for (Operation &inner : llvm::make_early_inc_range(region.getOps()))
        visit(&inner, false);
  }

  void visitLoad(const ArrayAccess &load, bool isSure) {
    const Content *content = contentOf(load);
    if (!content && !isSure && isAffineAccess(load.op))
      content = loadEarlier(load);
    if (content) {
      load.op->getResult(0).replaceAllUsesWith(content->value);
      load.op->erase();
      ++removed;
    } else if (isSure && isAffineAccess(load.op)) {
      remember(load, load.op->getResult(0));
    }
  }

  void visitStore(const ArrayAccess &store) {
    forgetMeeting(store);
    if (auto affineStore = dyn_cast<AffineWriteOpInterface>(store.op))
      remember(store, affineStore.getValueToStore());
  }

  /// With c known to be in the word, (if g: store v) leaves (g ? v : c) in it.
  void visitGuardedStore(const ArrayAccess &store) {
    auto write = dyn_cast<AffineStoreOp>(store.op);
    const Content *before = write ? contentOf(store) : nullptr;
    if (write && !before)
      before = loadEarlier(store);
    Operation *outermost = outermostGuard(store.op);
    if (!before || !outermost || !hoistValue(write.getValueToStore(), outermost)) {
      forgetMeeting(store);
      return;
    }
    OpBuilder builder(outermost);
    Value condition = conditionOf(store.op, builder);
    Value chosen = arith::SelectOp::create(builder, store.op->getLoc(), condition,
                                           write.getValueToStore(), before->value);
    ArrayAccess place = before->access;
    if (place.isStore) { // one store for both, without condition
      builder.setInsertionPointAfter(outermost);
      auto joined = AffineStoreOp::create(builder, write.getLoc(), chosen, write.getMemRef(),
                                          write.getAffineMap(), write.getMapOperands());
      place = *accessOf(joined);
      store.op->erase();
    }
    forgetMeeting(place);
    remember(place, chosen);
  }

  const Content *contentOf(const ArrayAccess &access) {
    for (const AccessTable::Candidate &candidate : words.candidates(access))
      if (words.isSame(candidate, access))
        return &contents[candidate.number];
    return nullptr;
  }

  const Content *remember(const ArrayAccess &access, Value value) {
    words.add(access);
    contents.push_back({access, value});
    return &contents.back();
  }

  void forgetMeeting(const ArrayAccess &store) {
    for (const AccessTable::Candidate &candidate : words.candidates(store))
      if (words.meets(candidate, store))
        words.remove(candidate.number);
  }

  /// Loads the word before the guarded access where it is loaded after it anyway.
  const Content *loadEarlier(const ArrayAccess &guarded) {
    Operation *guard = outermostGuard(guarded.op);
    if (!guard)
      return nullptr;
    for (const ArrayAccess &other : accessesIn(guard)) { // those before it
      if (other.op == guarded.op)
        break;
      if (other.isStore && mayMeet(other, guarded))
        return nullptr;
    }
    for (Operation *op = guard->getNextNode(); op; op = op->getNextNode()) {
      std::optional<ArrayAccess> access = accessOf(op);
      if (!access || access->isStore || !isSameWord(*access, guarded))
        continue;
      if (llvm::any_of(op->getOperands(), [&](Value operand) {
            Operation *producer = operand.getDefiningOp();
            return producer && producer->getBlock() == &body && !producer->isBeforeInBlock(guard);
          }))
        return nullptr;
      OpBuilder builder(guard);
      Operation *earlier = builder.clone(*op);
      return remember(*accessOf(earlier), earlier->getResult(0));
    }
    return nullptr;
  }

  /// The affine.if in the body around an operation, if only such, without else and results, are.
  Operation *outermostGuard(Operation *op) {
    Operation *guard = nullptr;
    for (Operation *parent = op; parent->getBlock() != &body;) {
      parent = parent->getParentOp();
      auto condition = dyn_cast<AffineIfOp>(parent);
      if (!condition || condition.hasElse() || condition->getNumResults() > 0)
        return nullptr;
      guard = parent;
    }
    return guard;
  }

  /// Whether a load may come before the guard around it: it is of an element of the array in
  /// every iteration, and nothing between writes the word. What another nest writes is still read
  /// under its condition only, or the two could not be joined.
  bool canLoadBefore(Operation *op, Operation *guard) {
    auto load = dyn_cast<AffineLoadOp>(op);
    if (!load || !staysInside(load) || isMadeElsewhere(load.getMemRef()))
      return false;
    for (const ArrayAccess &other : accessesIn(guard)) {
      if (other.op == op)
        return true;
      if (other.isStore && mayMeet(other, *accessOf(op)))
        return false;
    }
    return false;
  }

  /// Whether the array is stored to, but not here.
  bool isMadeElsewhere(Value array) {
    bool isStored = false;
    for (Operation *user : array.getUsers())
      if (std::optional<ArrayAccess> access = accessOf(user); !access || access->isStore) {
        if (body.findAncestorOpInBlock(*user))
          return false;
        isStored = true;
      }
    return isStored;
  }

  static bool staysInside(AffineLoadOp load) {
    AffineMap map = load.getAffineMap();
    for (auto [subscript, extent] : llvm::zip(map.getResults(), load.getMemRefType().getShape())) {
      if (!integerRangeOf(subscript, map.getNumDims(), load.getMapOperands()).within(0, extent - 1))
        return false;
    }
    return true;
  }

  /// Moves what makes a value before `place`; false where that could fail or read something else.
  bool hoistValue(Value value, Operation *place) {
    llvm::SmallPtrSet<Operation *, 8> makers;
    SmallVector<Value> pending{value};
    while (!pending.empty()) {
      Operation *op = pending.pop_back_val().getDefiningOp();
      if (!op || !place->isProperAncestor(op) || !makers.insert(op).second)
        continue;
      if (!isPure(op) && !canLoadBefore(op, place))
        return false;
      op->walk([&](Operation *inner) { // what a condition reads comes from outside of it
        for (Value operand : inner->getOperands())
          if (Operation *maker = operand.getDefiningOp(); maker && !op->isAncestor(maker))
            pending.push_back(operand);
      });
    }
    SmallVector<Operation *> ordered;
    place->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (makers.contains(op))
        ordered.push_back(op);
    });
    for (Operation *op : ordered)
      op->moveBefore(place);
    return true;
  }

  /// The conditions around an operation as a value.
  Value conditionOf(Operation *op, OpBuilder &builder) {
    Location loc = op->getLoc();
    Value all;
    for (Operation *parent = op->getParentOp(); parent != body.getParentOp();
         parent = parent->getParentOp()) {
      auto guard = cast<AffineIfOp>(parent);
      IntegerSet set = guard.getIntegerSet();
      for (auto [constraint, isEquality] : llvm::zip(set.getConstraints(), set.getEqFlags())) {
        AffineMap map = AffineMap::get(set.getNumDims(), set.getNumSymbols(), constraint);
        SmallVector<OpFoldResult> operands(llvm::to_vector_of<OpFoldResult>(guard.getOperands()));
        Value form = makeComposedAffineApply(builder, loc, map, operands);
        Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
        auto kind = isEquality ? arith::CmpIPredicate::eq : arith::CmpIPredicate::sge;
        Value holds = arith::CmpIOp::create(builder, loc, kind, form, zero);
        all = all ? arith::AndIOp::create(builder, loc, all, holds).getResult() : holds;
      }
    }
    return all;
  }

  /// Stores of words that a later store of the same iteration is sure to overwrite, unread.
  void removeOverwritten() {
    SmallVector<ArrayAccess> order;
    body.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (std::optional<ArrayAccess> access = accessOf(op))
        order.push_back(*access);
    });
    WordTable later(body);
    for (const ArrayAccess &access : order)
      later.add(access);
    for (size_t n = 0; n < order.size(); ++n) {
      later.remove(unsigned(n));
      if (!order[n].isStore || !isOverwritten(order[n], later))
        continue;
      order[n].op->erase();
      ++removed;
    }
  }

  /// Whether a sure store of the word comes before any load that may be of it.
  bool isOverwritten(const ArrayAccess &store, WordTable &later) {
    for (const AccessTable::Candidate &candidate : later.candidates(store)) {
      const ArrayAccess &next = later[candidate.number];
      if (!next.isStore && later.meets(candidate, store))
        return false;
      bool isSure = next.op->getBlock() == &body;
      if (next.isStore && isSure && later.isSame(candidate, store))
        return true;
    }
    return false;
  }

  void removeUnused() {
    bool changed = true;
    while (changed) {
      changed = false;
      SmallVector<Operation *> unused;
      body.walk([&](Operation *op) {
        auto guard = dyn_cast<AffineIfOp>(op);
        bool isEmpty = guard && guard->getNumResults() == 0 &&
                       llvm::hasSingleElement(*guard.getThenBlock()) &&
                       (!guard.hasElse() || llvm::hasSingleElement(*guard.getElseBlock()));
        std::optional<ArrayAccess> access = accessOf(op);
        bool isUnread = op->getNumResults() > 0 && op->use_empty() &&
                        (isMemoryEffectFree(op) || (access && !access->isStore));
        if (isEmpty || (isUnread && op->getNumRegions() == 0))
          unused.push_back(op);
      });
      for (Operation *op : unused)
        op->erase();
      changed = !unused.empty();
    }
  }

  Block &body;
  std::vector<Content> contents;
  WordTable words; // the accesses of the contents that still hold
  unsigned removed = 0;
};

} // namespace

unsigned forwardInBody(Block &body) { return Forwarding(body).run(); }

} // namespace spindle::hls
