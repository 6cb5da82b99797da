#include "hw/hls/schedule/exact/DepthSearch.h"

#include "hw/hls/schedule/bounds/Competitors.h"

#include <algorithm>

namespace spindle::hls {

namespace {

/// All competitors between the beginning and the end of an iteration. False when the budget is used
/// up.
bool boundWithin(const Problem &problem, const Precedences &precedences, unsigned interval,
                 unsigned depth, SearchBudget &budget, SearchGroup &group) {
  std::vector<bool> competes = competitorsOf(problem);
  size_t count = problem.operations.size();
  std::vector<int64_t> toEnd = longestPathsToEnd(precedences, interval).length;
  std::vector<int64_t> first =
      longestPathsFrom(precedences, interval, std::vector<int64_t>(count, 0)).length;
  group.isAnchored = true;
  group.operations.push_back(-1);
  group.least.push_back(0);
  for (unsigned o = 0; o < count; ++o)
    if (competes[o]) {
      group.operations.push_back(static_cast<int>(o));
      group.least.push_back(first[o]);
    }
  if (group.operations.size() > std::min<uint64_t>(budget.steps, kMostSearched))
    return false;
  for (size_t i = 1; i < group.operations.size(); ++i) {
    if (!budget.take())
      return false;
    unsigned from = group.operations[i];
    std::vector<int64_t> length = pathsFrom(precedences, from, interval);
    int64_t toBeginning = toEnd[from] - int64_t(depth);
    group.least.push_back(toBeginning);
    for (size_t j = 1; j < group.operations.size(); ++j)
      group.least.push_back(
          std::max(length[group.operations[j]], toBeginning + first[group.operations[j]]));
  }
  return true;
}

/// The others come as early as the searched ones let them.
Placement complete(const Problem &problem, const Precedences &precedences, unsigned interval,
                   const std::map<unsigned, Place> &places) {
  std::vector<int64_t> from(problem.operations.size(), 0);
  for (const auto &[operation, place] : places)
    from[operation] = place.start;
  std::vector<int64_t> start = longestPathsFrom(precedences, interval, std::move(from)).length;
  Placement placement(problem, precedences, interval);
  for (const auto &[operation, place] : places)
    placement.place(operation, place.start, place.instances);
  for (unsigned o = 0; o < start.size(); ++o)
    if (!placement.isPlaced(o))
      placement.tryPlace(o, start[o]);
  return placement;
}

} // namespace

SearchOutcome searchDepth(const Problem &problem, const Precedences &precedences, unsigned interval,
                          unsigned depth, SearchBudget &budget, std::optional<Placement> &result) {
  SearchGroup group;
  if (!boundWithin(problem, precedences, interval, depth, budget, group))
    return SearchOutcome::GaveUp;
  StartSearch search(problem, interval, {std::move(group)});
  SearchOutcome outcome = search.run(budget);
  if (outcome == SearchOutcome::Found)
    result.emplace(complete(problem, precedences, interval, search.places()));
  return outcome;
}

} // namespace spindle::hls
