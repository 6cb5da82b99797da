// Accesses of one iteration, found by the words that they may touch.
#pragma once

#include "hw/hls/dependence/Instance.h"

#include <map>
#include <tuple>

namespace spindle::hls {

/// Accesses that run in the same iteration of the loops around them, so that an operand of their
/// subscripts has one value. An unrolled body holds thousands of them, most of which differ from a
/// given one in nothing but constants, and so touch another word: these are not looked at.
class AccessTable {
public:
  /// The access gets the next number, from 0.
  unsigned add(const ArrayAccess &access);
  /// The numbers of the others stay.
  void remove(unsigned number) { entries[number].isThere = false; }
  /// Takes a removal back.
  void restore(unsigned number) { entries[number].isThere = true; }
  /// Takes back what was added after the first `count` accesses.
  void shrink(size_t count);

  size_t size() const { return entries.size(); }
  bool contains(unsigned number) const { return entries[number].isThere; }

  /// What decides how two accesses meet within an iteration: linear parts of both and the
  /// differences of their constants. Guards and loops between the two are not in it.
  using Relation = std::tuple<unsigned, unsigned, std::vector<int64_t>>;
  struct Candidate {
    unsigned number;
    Relation relation; // from the one in the table to the one asked about

    /// The subscripts are equal, written the same way.
    bool isSame() const;
  };
  /// Those of the array, by rising number, without the ones that have a dimension in which the
  /// linear part is the same and the constant is not.
  llvm::SmallVector<Candidate> candidates(const ArrayAccess &access);

  /// All of an array, by rising number.
  llvm::SmallVector<unsigned> accessesOf(mlir::Value array) const;

private:
  using Terms = std::vector<std::pair<const void *, int64_t>>; // operands with their factors
  struct Pattern {
    std::vector<Terms> linear; // by dimension
    std::vector<int64_t> constants;
  };
  /// Accesses of one array with the same linear parts.
  struct Group {
    std::vector<Terms> linear;
    std::map<std::vector<int64_t>, llvm::SmallVector<unsigned, 2>> byConstants;
  };
  struct Entry {
    unsigned group;
    std::vector<int64_t> constants;
    bool isThere = true;
  };

  static Pattern patternOf(const ArrayAccess &access);
  unsigned groupOf(mlir::Value array, const std::vector<Terms> &linear);
  void addCandidates(const Group &from, unsigned group, unsigned to, const Pattern &pattern,
                     llvm::SmallVector<Candidate> &found) const;

  std::vector<Entry> entries;
  std::vector<Group> groups;
  std::map<std::pair<const void *, std::vector<Terms>>, unsigned> groupNumbers; // looked up only
  llvm::DenseMap<mlir::Value, llvm::SmallVector<unsigned>> groupsOfArray;
};

} // namespace spindle::hls
