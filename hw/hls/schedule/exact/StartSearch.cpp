#include "hw/hls/schedule/exact/StartSearch.h"

#include "hw/hls/schedule/bounds/RowMatching.h"

#include <algorithm>

namespace spindle::hls {

bool SearchBudget::take() {
  if (steps == 0)
    return false;
  --steps;
  if (deadline.isOver())
    steps = 0;
  return steps > 0;
}

StartSearch::StartSearch(const Problem &scheduled, unsigned initiationInterval,
                         std::vector<SearchGroup> searched)
    : problem(scheduled), interval(initiationInterval), groups(std::move(searched)),
      instancesMatter(scheduled.resources.size(), false), table(scheduled, initiationInterval) {
  for (const ProblemOperation &operation : problem.operations)
    for (unsigned use : operation.uses)
      if (operation.busy > 1 && problem.resources[use].count > 1)
        instancesMatter[use] = true;
  for (size_t g = 0; g < groups.size(); ++g) {
    firstOfGroup.push_back(members.size());
    for (size_t i = 0; i < groups[g].operations.size(); ++i)
      members.push_back({groups[g].operations[i], g, i, unreached, -unreached});
    Member &first = members[firstOfGroup[g]];
    first.first = 0;
    first.last = groups[g].isAnchored ? 0 : int64_t(interval) - 1;
  }
  firstOfGroup.push_back(members.size());
  membersUsing.resize(problem.resources.size());
  for (size_t m = 0; m < members.size(); ++m)
    if (members[m].operation >= 0)
      for (unsigned use : problem.operations[members[m].operation].uses)
        membersUsing[use].push_back(m);
}

SearchOutcome StartSearch::run(SearchBudget &budget) {
  found.clear();
  return descend(budget);
}

/// Cycles looked at between two looks at the clock.
static constexpr int64_t kCyclesBetweenLooks = 1024;

unsigned StartSearch::startsLeft(const Member &member, unsigned most,
                                 const Deadline &deadline) const {
  if (member.operation < 0)
    return member.first <= member.last;
  unsigned left = 0;
  for (int64_t cycle = member.first; cycle <= member.last && left < most; ++cycle) {
    if (cycle % kCyclesBetweenLooks == 0 && deadline.isOver())
      return most; // whatever it is: the search gives up
    left += table.fits(static_cast<unsigned>(member.operation), cycle);
  }
  return left;
}

bool StartSearch::choose(std::optional<size_t> &chosen, const Deadline &deadline) const {
  for (size_t g = 0; g < groups.size(); ++g) {
    // Before its first member is placed, a group's other members have no bounds.
    size_t begin = firstOfGroup[g], end = firstOfGroup[g + 1];
    if (!members[begin].isPlaced) {
      chosen = begin;
      return true;
    }
    unsigned fewest = UINT32_MAX;
    for (size_t m = begin; m < end; ++m) {
      if (members[m].isPlaced)
        continue;
      unsigned left = startsLeft(members[m], fewest, deadline);
      if (left == 0)
        return false;
      if (left < fewest) {
        fewest = left;
        chosen = m;
      }
    }
    if (chosen)
      return true;
  }
  return true;
}

bool StartSearch::canShareRows(const Deadline &deadline) const {
  if (interval == 0)
    return true;
  for (unsigned r = 0; r < membersUsing.size(); ++r) {
    std::vector<unsigned> free(interval, 0);
    for (unsigned row = 0; row < interval; ++row)
      for (unsigned i = 0; i < table.instancesOf(r); ++i)
        free[row] += table.occupant(r, i, row) == ReservationTable::free;
    RowMatching matching(std::move(free));
    for (size_t m : membersUsing[r]) {
      const Member &member = members[m];
      if (member.isPlaced || member.first == unreached)
        continue;
      if (deadline.isOver())
        return true;
      std::vector<unsigned> rows;
      int64_t last = std::min(member.last, member.first + interval - 1);
      for (int64_t cycle = member.first; cycle <= last; ++cycle)
        if (table.fits(static_cast<unsigned>(member.operation), cycle))
          rows.push_back(static_cast<unsigned>(table.rowOf(cycle)));
      if (!matching.add(rows))
        return false;
    }
  }
  return true;
}

void StartSearch::tighten(const Member &placed, int64_t start, std::vector<Bound> &undo) {
  const SearchGroup &group = groups[placed.group];
  size_t count = group.operations.size();
  for (size_t i = 0; i < count; ++i) {
    Member &other = members[firstOfGroup[placed.group] + i];
    if (other.isPlaced)
      continue;
    int64_t after = group.least[placed.index * count + i];
    int64_t before = group.least[i * count + placed.index];
    int64_t first = after == unreached ? other.first : std::max(other.first, start + after);
    int64_t last = before == unreached ? other.last : std::min(other.last, start - before);
    if (first == other.first && last == other.last)
      continue;
    undo.push_back({firstOfGroup[placed.group] + i, other.first, other.last});
    other.first = first;
    other.last = last;
  }
}

std::vector<std::vector<unsigned>> StartSearch::choicesOf(int operation, int64_t start) const {
  if (operation < 0)
    return {{}};
  const ProblemOperation &placed = problem.operations[operation];
  bool matters = std::any_of(placed.uses.begin(), placed.uses.end(),
                             [&](unsigned use) { return instancesMatter[use]; });
  if (matters)
    return table.findAll(static_cast<unsigned>(operation), start);
  std::vector<std::vector<unsigned>> choices;
  if (std::optional<std::vector<unsigned>> first =
          table.find(static_cast<unsigned>(operation), start))
    choices.push_back(std::move(*first));
  return choices;
}

SearchOutcome StartSearch::tryStarts(size_t chosen, SearchBudget &budget) {
  Member &member = members[chosen];
  for (int64_t start = member.first; start <= member.last; ++start) {
    if (start % kCyclesBetweenLooks == 0 && budget.deadline.isOver())
      return SearchOutcome::GaveUp;
    for (const std::vector<unsigned> &instances : choicesOf(member.operation, start)) {
      if (!budget.take())
        return SearchOutcome::GaveUp;
      std::vector<Bound> undo;
      member.isPlaced = true;
      if (member.operation >= 0)
        table.place(member.operation, start, instances);
      tighten(member, start, undo);
      SearchOutcome outcome = descend(budget);
      if (outcome == SearchOutcome::Found && member.operation >= 0)
        found[member.operation] = {start, instances};
      for (auto bound = undo.rbegin(); bound != undo.rend(); ++bound) {
        members[bound->member].first = bound->first;
        members[bound->member].last = bound->last;
      }
      if (member.operation >= 0)
        table.remove(member.operation, start, instances);
      member.isPlaced = false;
      if (outcome != SearchOutcome::None)
        return outcome;
    }
  }
  return SearchOutcome::None;
}

SearchOutcome StartSearch::descend(SearchBudget &budget) {
  std::optional<size_t> member;
  bool mayFit = choose(member, budget.deadline) && canShareRows(budget.deadline);
  if (budget.deadline.isOver())
    return SearchOutcome::GaveUp;
  if (!mayFit)
    return SearchOutcome::None;
  return member ? tryStarts(*member, budget) : SearchOutcome::Found;
}

} // namespace spindle::hls
