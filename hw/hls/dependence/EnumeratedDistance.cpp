// Distances by running through all iterations with a table of who touched each word last.
#include "hw/hls/dependence/Effort.h"
#include "hw/hls/dependence/FlattenedDistance.h"
#include "hw/hls/dependence/Instance.h"
#include "hw/hls/dependence/Nest.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IntegerSet.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

#include <limits>

using namespace mlir;
using namespace mlir::affine;

namespace spindle::hls {

namespace {

constexpr unsigned never = std::numeric_limits<unsigned>::max();

struct CompiledGuard {
  CompiledMap constraints;
  SmallVector<bool> isEquality;
  bool inElse;

  bool holds(ArrayRef<int64_t> values) const {
    bool all = true;
    for (unsigned c = 0; c < constraints.size() && all; ++c) {
      int64_t value = constraints.evaluate(c, values);
      all = isEquality[c] ? value == 0 : value >= 0;
    }
    return all != inElse;
  }
};

struct CompiledAccess {
  unsigned array;
  bool isStore;
  std::optional<CompiledMap> subscripts; // none: any element
  std::vector<CompiledGuard> guards;     // those that can be evaluated
};

struct LastTouch {
  unsigned access;
  uint64_t time;
};

struct TouchedArray {
  MemRefType type;
  std::vector<SmallVector<LastTouch, 2>> words;
};

class Enumeration {
public:
  bool prepare(AffineForOp outermost) {
    SmallVector<AffineForOp> loops = loopsAround(outermost);
    control = loops.size();
    loops.append(perfectNest(outermost));
    walk = NestWalk::of(loops, control);
    if (!walk || loops.size() == control)
      return false;
    accesses = accessesIn(outermost);
    executed = std::max<size_t>(1, accesses.size());
    // Reads of what nobody writes depend on nothing.
    llvm::SmallDenseSet<Value> written;
    for (const ArrayAccess &access : accesses)
      if (access.isStore)
        written.insert(access.array);
    llvm::erase_if(accesses, [&](const ArrayAccess &a) { return !written.contains(a.array); });
    for (const ArrayAccess &access : accesses)
      compile(access);
    return llvm::all_of(arrays, [](auto &entry) { return entry.second.type.hasStaticShape(); });
  }

  bool run(uint64_t budget) {
    uint64_t iterations = budget / executed;
    for (auto &entry : arrays)
      if (uint64_t(entry.second.type.getNumElements()) > budget)
        return false;
    auto begins = [&](uint64_t time) { begin = time; };
    std::optional<uint64_t> all = walk->run(iterations, begins, nullptr);
    if (!all || *all > iterations)
      return false;
    addDependenceEffort(*all * executed);
    for (auto &entry : arrays)
      entry.second.words.resize(size_t(entry.second.type.getNumElements()));
    for (CompiledAccess &access : compiled)
      if (access.subscripts)
        access.subscripts->flatten(arrays.begin()[access.array].second.type.getShape());
    if (accesses.size() <= mostInMatrix)
      matrix.assign(accesses.size() * accesses.size(), never);
    bool inRange = true;
    auto iteration = [&](ArrayRef<int64_t> values, uint64_t time) {
      for (unsigned a = 0; a < compiled.size(); ++a)
        inRange = inRange && touch(a, values, time);
    };
    return walk->run(iterations, begins, iteration) && inRange;
  }

  SmallVector<MemoryDependence> dependences() {
    SmallVector<MemoryDependence> found;
    std::vector<SmallVector<unsigned>> ofArray(arrays.size()); // accesses
    for (unsigned a = 0; a < accesses.size(); ++a)
      ofArray[compiled[a].array].push_back(a);
    for (unsigned from = 0; from < accesses.size(); ++from)
      for (unsigned to : ofArray[compiled[from].array]) {
        const CompiledAccess &a = compiled[from], &b = compiled[to];
        if (!(a.isStore || b.isStore))
          continue;
        unsigned distance = never;
        if (!a.subscripts || !b.subscripts)
          distance = from < to ? 0 : 1;
        else
          distance = distanceOf(from, to);
        if (distance != never)
          found.push_back({accesses[from].op, accesses[to].op, distance});
      }
    return found;
  }

private:
  /// More accesses than these meet in few pairs.
  static constexpr size_t mostInMatrix = 2048;

  unsigned distanceOf(unsigned from, unsigned to) const {
    if (!matrix.empty())
      return matrix[from * accesses.size() + to];
    auto known = pairs.find((uint64_t(from) << 32) + to);
    return known == pairs.end() ? never : known->second;
  }

  void shorten(unsigned from, unsigned to, uint64_t distance) {
    unsigned &known = matrix.empty()
                          ? pairs.try_emplace((uint64_t(from) << 32) + to, never).first->second
                          : matrix[from * accesses.size() + to];
    known = unsigned(std::min<uint64_t>(known, distance));
  }

  void compile(const ArrayAccess &access) {
    unsigned array = unsigned(arrays.insert({access.array, {}}).first - arrays.begin());
    arrays[access.array].type = cast<MemRefType>(access.array.getType());
    AffineMap map;
    SmallVector<Value> operands;
    if (auto load = dyn_cast<AffineReadOpInterface>(access.op)) {
      map = load.getAffineMap();
      operands = load.getMapOperands();
    } else if (auto store = dyn_cast<AffineWriteOpInterface>(access.op)) {
      map = store.getAffineMap();
      operands = store.getMapOperands();
    }
    CompiledAccess made{array, access.isStore, std::nullopt, {}};
    if (map)
      made.subscripts = CompiledMap::compile(map, operands, walk->variables());
    for (const Guard &guard : guardsAround(access.op))
      if (std::optional<CompiledGuard> condition = compile(guard))
        made.guards.push_back(*condition);
    compiled.push_back(std::move(made));
  }

  std::optional<CompiledGuard> compile(const Guard &guard) {
    AffineIfOp condition = guard.op;
    IntegerSet set = condition.getIntegerSet();
    AffineMap map = AffineMap::get(set.getNumDims(), set.getNumSymbols(), set.getConstraints(),
                                   set.getContext());
    auto constraints = CompiledMap::compile(map, condition.getOperands(), walk->variables());
    if (!constraints)
      return std::nullopt;
    return CompiledGuard{*constraints, SmallVector<bool>(set.getEqFlags()), guard.inElse};
  }

  bool touch(unsigned index, ArrayRef<int64_t> values, uint64_t time) {
    const CompiledAccess &access = compiled[index];
    if (!access.subscripts ||
        !llvm::all_of(access.guards, [&](const CompiledGuard &g) { return g.holds(values); }))
      return true;
    TouchedArray &array = arrays.begin()[access.array].second;
    int64_t address = 0;
    for (unsigned d = 0; d < access.subscripts->size(); ++d)
      address = address * array.type.getDimSize(d) + access.subscripts->evaluate(d, values);
    if (address < 0 || address >= int64_t(array.words.size()))
      return false;
    LastTouch *own = nullptr;
    for (LastTouch &last : array.words[size_t(address)]) {
      if (last.access == index)
        own = &last;
      if (last.time < begin || !(access.isStore || compiled[last.access].isStore))
        continue;
      shorten(last.access, index, time - last.time);
    }
    if (own)
      own->time = time;
    else
      array.words[size_t(address)].push_back({index, time});
    return true;
  }

  unsigned control = 0;
  std::optional<NestWalk> walk;
  size_t executed = 1;               // accesses in an iteration
  SmallVector<ArrayAccess> accesses; // those to arrays that are written
  std::vector<CompiledAccess> compiled;
  llvm::MapVector<Value, TouchedArray> arrays;
  std::vector<unsigned> matrix;             // distances, [from][to], or
  llvm::DenseMap<uint64_t, unsigned> pairs; // those of pairs that met
  uint64_t begin = 0;                       // of this run of the pipeline
};

} // namespace

std::optional<SmallVector<MemoryDependence>> enumerateDependences(AffineForOp outermost,
                                                                  uint64_t budget) {
  Enumeration enumeration;
  if (!enumeration.prepare(outermost) || !enumeration.run(budget))
    return std::nullopt;
  return enumeration.dependences();
}

} // namespace spindle::hls
