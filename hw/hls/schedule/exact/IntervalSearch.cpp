#include "hw/hls/schedule/exact/IntervalSearch.h"

#include "hw/hls/schedule/bounds/Competitors.h"
#include "hw/hls/schedule/bounds/Components.h"

#include <algorithm>

namespace spindle::hls {

namespace {

class IntervalSearch {
public:
  IntervalSearch(const Problem &scheduled, const Precedences &constraints,
                 unsigned initiationInterval)
      : problem(scheduled), precedences(constraints), interval(initiationInterval),
        components(componentsOf(constraints)), competes(competitorsOf(scheduled)) {}

  SearchOutcome run(SearchBudget &budget, std::optional<Placement> &result) {
    std::vector<SearchGroup> groups;
    for (const Component &component : components) {
      SearchGroup group;
      if (!boundEachOther(component, budget, group))
        return SearchOutcome::GaveUp;
      if (!group.operations.empty())
        groups.push_back(std::move(group));
    }
    std::stable_sort(groups.begin(), groups.end(), [](const auto &a, const auto &b) {
      return a.operations.size() > b.operations.size();
    });
    // All rows may be rotated together.
    if (!groups.empty())
      groups.front().isAnchored = true;
    StartSearch search(problem, interval, std::move(groups));
    SearchOutcome outcome = search.run(budget);
    if (outcome == SearchOutcome::Found)
      result.emplace(complete(search.places()));
    return outcome;
  }

private:
  /// What has to be searched of a component: competitors on a circle, and operations that do not
  /// just take one row of one instance. Others take any row that is left, as the resource bound
  /// says there is. False when the budget is used up.
  bool boundEachOther(const Component &component, SearchBudget &budget, SearchGroup &group) const {
    for (unsigned o : component.operations) {
      const Operation &operation = problem.operations[o];
      bool takesAnyRow = !component.isCircle && operation.uses.size() == 1 && operation.busy == 1;
      if (competes[o] && !takesAnyRow)
        group.operations.push_back(static_cast<int>(o));
    }
    if (group.operations.size() > budget.steps)
      return false;
    for (int from : group.operations) {
      if (!budget.take())
        return false;
      std::vector<int64_t> length = pathsFrom(precedences, static_cast<unsigned>(from), interval);
      for (int to : group.operations)
        group.least.push_back(length[to]);
    }
    return true;
  }

  /// The rows of the searched operations are reserved; component by component, predecessors first,
  /// the others take the first row that is left, and circles move as a whole by multiples of the
  /// interval.
  Placement complete(const std::map<unsigned, Place> &places) const {
    Placement placement(problem, precedences, interval);
    int64_t cycles = interval;
    for (const auto &[operation, place] : places)
      placement.place(operation, ((place.start % cycles) + cycles) % cycles, place.instances);
    for (const Component &component : components) {
      std::vector<int64_t> start = relativeStarts(component, places);
      if (!component.isCircle && !places.count(component.operations.front())) {
        unsigned o = component.operations.front();
        for (int64_t cycle = placement.earliest(o); !placement.tryPlace(o, cycle);)
          ++cycle;
        continue;
      }
      int64_t delay = delayOf(component, start, placement);
      for (size_t i = 0; i < start.size(); ++i) {
        unsigned o = component.operations[i];
        auto place = places.find(o);
        if (place == places.end()) {
          placement.tryPlace(o, start[i] + delay);
          continue;
        }
        placement.remove(o);
        placement.place(o, start[i] + delay, place->second.instances);
      }
    }
    return placement;
  }

  /// Starts of a component's operations that agree with each other and with the rows found.
  std::vector<int64_t> relativeStarts(const Component &component,
                                      const std::map<unsigned, Place> &places) const {
    std::vector<int64_t> from(problem.operations.size(), unreached);
    bool isFixed = false;
    for (unsigned o : component.operations)
      if (auto place = places.find(o); place != places.end()) {
        from[o] = place->second.start;
        isFixed = true;
      }
    if (!isFixed)
      from[component.operations.front()] = 0;
    if (component.isCircle)
      from = longestPathsFrom(precedences, interval, std::move(from)).length;
    std::vector<int64_t> start;
    for (unsigned o : component.operations)
      start.push_back(from[o]);
    return start;
  }

  /// The multiple of the interval by which a component must come later than `start`.
  int64_t delayOf(const Component &component, const std::vector<int64_t> &start,
                  const Placement &placement) const {
    int64_t cycles = interval, delay = INT64_MIN;
    std::vector<bool> isInside(problem.operations.size(), false);
    for (unsigned o : component.operations)
      isInside[o] = true;
    for (size_t i = 0; i < start.size(); ++i) {
      int64_t earliest = 0;
      for (unsigned p : precedences.incoming[component.operations[i]]) {
        const Precedence &precedence = precedences.all[p];
        if (!isInside[precedence.from])
          earliest =
              std::max(earliest, placement.start(precedence.from) + lengthOf(precedence, interval));
      }
      delay = std::max(delay, earliest - start[i]);
    }
    int64_t multiples = delay >= 0 ? (delay + cycles - 1) / cycles : -(-delay / cycles);
    return multiples * cycles;
  }

  const Problem &problem;
  const Precedences &precedences;
  unsigned interval;
  std::vector<Component> components; // predecessors first
  std::vector<bool> competes;        // by operation
};

} // namespace

SearchOutcome searchInterval(const Problem &problem, const Precedences &precedences,
                             unsigned interval, SearchBudget &budget,
                             std::optional<Placement> &result) {
  return IntervalSearch(problem, precedences, interval).run(budget, result);
}

} // namespace spindle::hls
