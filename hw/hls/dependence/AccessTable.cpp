#include "hw/hls/dependence/AccessTable.h"

#include "mlir/Analysis/FlatLinearValueConstraints.h"
#include "mlir/IR/Matchers.h"

#include <algorithm>
#include <limits>

using namespace mlir;
using namespace mlir::affine;

namespace spindle::hls {

namespace {

/// Whether a subscript's operand is known to have one value wherever it is read in an iteration:
/// the operands that InstanceSystem can say in affine terms.
bool isAnalysable(Value operand) {
  return isa<BlockArgument>(operand) || matchPattern(operand, m_Constant()) ||
         !operand.getDefiningOp()->getParentOfType<AffineForOp>();
}

using Terms = std::vector<std::pair<const void *, int64_t>>;

/// Marks of terms that are no operands with factors.
constexpr int64_t asWritten = std::numeric_limits<int64_t>::min();

/// The linear part of a subscript as operands with factors; of one with quotients, all of it as it
/// is written, and no constant.
std::pair<Terms, int64_t> split(AffineExpr subscript, AffineMap map, ValueRange operands) {
  SmallVector<int64_t> flat;
  bool isLinear =
      succeeded(getFlattenedAffineExpr(subscript, map.getNumDims(), map.getNumSymbols(), &flat)) &&
      flat.size() == map.getNumInputs() + 1;
  Terms terms;
  if (!isLinear) {
    terms.emplace_back(subscript.getAsOpaquePointer(), asWritten);
    terms.emplace_back(nullptr, int64_t(map.getNumDims()));
    for (auto [position, operand] : llvm::enumerate(operands))
      terms.emplace_back(operand.getAsOpaquePointer(), asWritten + 1 + int64_t(position));
    return {std::move(terms), 0};
  }
  for (auto [operand, factor] : llvm::zip(operands, flat))
    if (factor != 0)
      terms.emplace_back(operand.getAsOpaquePointer(), factor);
  std::sort(terms.begin(), terms.end());
  return {std::move(terms), flat.back()};
}

} // namespace

AccessTable::Pattern AccessTable::patternOf(const ArrayAccess &access) {
  AffineMap map;
  SmallVector<Value> operands;
  if (auto load = dyn_cast<AffineReadOpInterface>(access.op)) {
    map = load.getAffineMap();
    llvm::append_range(operands, load.getMapOperands());
  } else if (auto store = dyn_cast<AffineWriteOpInterface>(access.op)) {
    map = store.getAffineMap();
    llvm::append_range(operands, store.getMapOperands());
  }
  Pattern pattern;
  if (map) {
    fullyComposeAffineMapAndOperands(&map, &operands);
    canonicalizeMapAndOperands(&map, &operands);
  }
  if (!map || !llvm::all_of(operands, isAnalysable)) { // like no other access
    pattern.linear.push_back({{access.op, asWritten}});
    pattern.constants.push_back(0);
    return pattern;
  }
  for (AffineExpr subscript : map.getResults()) {
    auto [linear, constant] = split(subscript, map, operands);
    pattern.linear.push_back(std::move(linear));
    pattern.constants.push_back(constant);
  }
  return pattern;
}

unsigned AccessTable::groupOf(Value array, const std::vector<Terms> &linear) {
  auto [found, isNew] =
      groupNumbers.try_emplace({array.getAsOpaquePointer(), linear}, unsigned(groups.size()));
  if (isNew) {
    groups.push_back({linear, {}});
    groupsOfArray[array].push_back(found->second);
  }
  return found->second;
}

unsigned AccessTable::add(const ArrayAccess &access) {
  Pattern pattern = patternOf(access);
  auto number = unsigned(entries.size());
  unsigned group = groupOf(access.array, pattern.linear);
  groups[group].byConstants[pattern.constants].push_back(number);
  entries.push_back({group, std::move(pattern.constants), true});
  return number;
}

void AccessTable::shrink(size_t count) {
  while (entries.size() > count) {
    const Entry &last = entries.back();
    groups[last.group].byConstants[last.constants].pop_back();
    entries.pop_back();
  }
}

bool AccessTable::Candidate::isSame() const {
  const auto &[from, to, differences] = relation;
  return from == to && llvm::all_of(differences, [](int64_t step) { return step == 0; });
}

/// Those of one group for an access of the group `to`.
void AccessTable::addCandidates(const Group &from, unsigned group, unsigned to,
                                const Pattern &pattern, SmallVector<Candidate> &found) const {
  auto add = [&](const std::vector<int64_t> &constants, ArrayRef<unsigned> numbers) {
    std::vector<int64_t> differences;
    for (auto [here, there] : llvm::zip(constants, pattern.constants))
      differences.push_back(here - there);
    for (unsigned number : numbers)
      if (entries[number].isThere)
        found.push_back({number, {group, to, differences}});
  };
  if (group == to) {
    auto same = from.byConstants.find(pattern.constants);
    if (same != from.byConstants.end())
      add(same->first, same->second);
    return;
  }
  SmallVector<size_t> common; // dimensions with the same linear part
  for (size_t d = 0; d < std::min(from.linear.size(), pattern.linear.size()); ++d)
    if (from.linear[d] == pattern.linear[d])
      common.push_back(d);
  for (const auto &[constants, numbers] : from.byConstants) {
    bool mayMeet = llvm::all_of(
        common, [&, &at = constants](size_t d) { return at[d] == pattern.constants[d]; });
    if (mayMeet)
      add(constants, numbers);
  }
}

SmallVector<AccessTable::Candidate> AccessTable::candidates(const ArrayAccess &access) {
  SmallVector<Candidate> found;
  Pattern pattern = patternOf(access);
  unsigned to = groupOf(access.array, pattern.linear);
  for (unsigned group : groupsOfArray[access.array])
    addCandidates(groups[group], group, to, pattern, found);
  llvm::sort(found, [](const Candidate &a, const Candidate &b) { return a.number < b.number; });
  return found;
}

SmallVector<unsigned> AccessTable::accessesOf(Value array) const {
  SmallVector<unsigned> numbers;
  for (unsigned group : groupsOfArray.lookup(array))
    for (const auto &[constants, members] : groups[group].byConstants)
      for (unsigned number : members)
        if (entries[number].isThere)
          numbers.push_back(number);
  llvm::sort(numbers);
  return numbers;
}

} // namespace spindle::hls
