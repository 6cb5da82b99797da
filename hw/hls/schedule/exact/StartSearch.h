// Branch and bound over the starts of the operations that compete for instances.
#pragma once

#include "hw/hls/schedule/bounds/Deadline.h"
#include "hw/hls/schedule/bounds/Precedences.h"
#include "hw/hls/schedule/problem/ReservationTable.h"

#include <map>

namespace spindle::hls {

/// When a search gives up. What time cuts off depends on the machine; steps do not.
struct SearchBudget {
  Deadline deadline;
  uint64_t steps;

  /// Takes one step; false when nothing is left.
  bool take();
};

/// Operations whose starts bound each other from both sides. `least[a * n + b]`: cycles from the
/// start of a to that of b at the least, `unreached` if there is no bound; it is closed (least(a,
/// b) >= least(a, c) + least(c, b)), so starts that agree pairwise can be completed. The first one
/// is tried in every row of the table, or stands at 0 if `isAnchored`.
struct SearchGroup {
  std::vector<int> operations; // -1: no operation, only a bound for the others
  std::vector<int64_t> least;
  bool isAnchored = false;
};

struct Place {
  int64_t start;
  std::vector<unsigned> instances;
};

enum class SearchOutcome { Found, None, GaveUp };

/// Operations of one search: with more of them, bounds between all pairs of a group take more than
/// half a gigabyte, and the search, which is as deep, more stack than there is.
constexpr size_t kMostSearched = 1 << 13;

/// Whether all groups find starts and instances together. Complete: None is a proof.
class StartSearch {
public:
  StartSearch(const Problem &problem, unsigned interval, std::vector<SearchGroup> groups);

  SearchOutcome run(SearchBudget &budget);

  /// After Found.
  const std::map<unsigned, Place> &places() const { return found; }

private:
  struct Member {
    int operation;
    size_t group, index; // within the group
    int64_t first, last; // bounds that the placed ones of its group leave
    bool isPlaced = false;
  };
  struct Bound {
    size_t member;
    int64_t first, last;
  };

  SearchOutcome descend(SearchBudget &budget);
  SearchOutcome tryStarts(size_t member, SearchBudget &budget);
  /// The member with the fewest starts left; nothing when all are placed. False for one without
  /// any.
  bool choose(std::optional<size_t> &member, const Deadline &deadline) const;
  /// Whether the members whose bounds are known can share the free rows of every resource.
  bool canShareRows(const Deadline &deadline) const;
  unsigned startsLeft(const Member &member, unsigned most, const Deadline &deadline) const;
  void tighten(const Member &placed, int64_t start, std::vector<Bound> &undo);
  /// Choices of instances that differ for what comes after.
  std::vector<std::vector<unsigned>> choicesOf(int operation, int64_t start) const;

  const Problem &problem;
  unsigned interval;
  std::vector<SearchGroup> groups;
  std::vector<Member> members; // group by group
  std::vector<size_t> firstOfGroup;
  std::vector<bool> instancesMatter; // by resource: some operation takes one for several cycles
  std::vector<std::vector<size_t>> membersUsing; // by resource
  ReservationTable table;
  std::map<unsigned, Place> found;
};

} // namespace spindle::hls
