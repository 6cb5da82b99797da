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
        components(componentsOf(constraints)), componentOf(scheduled.operations.size()),
        numberOf(scheduled.operations.size()), competes(competitorsOf(scheduled)) {
    for (unsigned c = 0; c < components.size(); ++c)
      for (unsigned n = 0; n < components[c].operations.size(); ++n) {
        componentOf[components[c].operations[n]] = c;
        numberOf[components[c].operations[n]] = n;
      }
  }

  SearchOutcome run(SearchBudget &budget, std::optional<Placement> &result) {
    std::vector<SearchGroup> groups;
    size_t searched = 0;
    for (const Component &component : components) {
      SearchGroup group = groupOf(component);
      searched += group.operations.size();
      if (searched > kMostSearched || !boundEachOther(component, budget, group))
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
  /// What the operations of a component demand of each other, numbered as in the component.
  Precedences inside(const Component &component) const {
    Precedences part;
    auto count = static_cast<unsigned>(component.operations.size());
    part.incoming.resize(count);
    part.outgoing.resize(count);
    for (unsigned from = 0; from < count; ++from) {
      unsigned operation = component.operations[from];
      part.spans.push_back(precedences.spans[operation]);
      part.order.push_back(from);
      for (unsigned p : precedences.outgoing[operation]) {
        const Precedence &precedence = precedences.all[p];
        if (componentOf[precedence.to] != componentOf[operation])
          continue;
        unsigned to = numberOf[precedence.to];
        part.outgoing[from].push_back(static_cast<unsigned>(part.all.size()));
        part.incoming[to].push_back(static_cast<unsigned>(part.all.size()));
        part.all.push_back({from, to, precedence.weight, precedence.distance, {}});
      }
    }
    return part;
  }

  /// What has to be searched of a component: competitors on a circle, and operations that do not
  /// just take one row of one instance. Others take any row that is left, as the resource bound
  /// says there is.
  SearchGroup groupOf(const Component &component) const {
    SearchGroup group;
    for (unsigned o : component.operations) {
      const ProblemOperation &operation = problem.operations[o];
      bool takesAnyRow = !component.isCircle && operation.uses.size() == 1 && operation.busy == 1;
      if (competes[o] && !takesAnyRow)
        group.operations.push_back(static_cast<int>(o));
    }
    return group;
  }

  /// False when the budget is used up.
  bool boundEachOther(const Component &component, SearchBudget &budget, SearchGroup &group) const {
    if (group.operations.empty())
      return true;
    if (group.operations.size() > budget.steps)
      return false;
    Precedences part = inside(component);
    for (int from : group.operations) {
      if (!budget.take())
        return false;
      std::vector<int64_t> length = pathsFrom(part, numberOf[from], interval);
      for (int to : group.operations)
        group.least.push_back(length[numberOf[to]]);
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
      if (!component.isCircle && !places.count(component.operations.front())) {
        unsigned o = component.operations.front();
        int64_t first = placement.earliest(o);
        placement.tryPlaceFrom(o, first, first + cycles);
        continue;
      }
      std::vector<int64_t> start = relativeStarts(component, places);
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
    std::vector<int64_t> start(component.operations.size(), unreached);
    bool isFixed = false;
    for (size_t i = 0; i < start.size(); ++i)
      if (auto place = places.find(component.operations[i]); place != places.end()) {
        start[i] = place->second.start;
        isFixed = true;
      }
    if (!isFixed)
      start.front() = 0;
    if (component.isCircle)
      start = longestPathsFrom(inside(component), interval, std::move(start)).length;
    return start;
  }

  /// The multiple of the interval by which a component must come later than `start`.
  int64_t delayOf(const Component &component, const std::vector<int64_t> &start,
                  const Placement &placement) const {
    int64_t cycles = interval, delay = INT64_MIN;
    unsigned own = componentOf[component.operations.front()];
    for (size_t i = 0; i < start.size(); ++i) {
      int64_t earliest = 0;
      for (unsigned p : precedences.incoming[component.operations[i]]) {
        const Precedence &precedence = precedences.all[p];
        if (componentOf[precedence.from] != own)
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
  std::vector<unsigned> componentOf; // by operation
  std::vector<unsigned> numberOf;    // by operation, within its component
  std::vector<bool> competes;        // by operation
};

} // namespace

SearchOutcome searchInterval(const Problem &problem, const Precedences &precedences,
                             unsigned interval, SearchBudget &budget,
                             std::optional<Placement> &result) {
  return IntervalSearch(problem, precedences, interval).run(budget, result);
}

} // namespace spindle::hls
