#include "lib/frontend/network/Order.h"

#include "core/support/StrongComponents.h"

#include "fmt/format.h"
#include "fmt/ranges.h"

#include <set>

namespace spindle::network {

/// Whether a projection is part of a way of spikes that comes back to where it began.
static std::vector<bool> findCycles(const Description &description) {
  std::vector<std::pair<uint32_t, uint32_t>> arcs;
  for (const Projection &projection : description.projections)
    arcs.emplace_back(uint32_t(projection.source), uint32_t(projection.target));
  std::vector<uint32_t> components =
      strongComponents(uint32_t(description.populations.size()), arcs);
  std::vector<bool> isInCycle;
  for (auto [from, to] : arcs)
    isInCycle.push_back(components[from] == components[to]);
  return isInCycle;
}

llvm::Expected<Order> orderPopulations(const Description &description, const std::string &path) {
  size_t count = description.populations.size();
  std::vector<bool> isInCycle = findCycles(description);
  Order order;
  std::vector<size_t> waits(count); // for projections that must come first
  std::vector<std::vector<size_t>> targets(count);
  for (size_t p = 0; p < description.projections.size(); ++p) {
    const Projection &projection = description.projections[p];
    order.feedsBack.push_back(projection.delay > 0 && isInCycle[p]);
    if (order.feedsBack.back())
      continue;
    ++waits[projection.target];
    targets[projection.source].push_back(projection.target);
  }
  std::set<size_t> ready; // the first of the file comes first
  for (size_t each = 0; each < count; ++each)
    if (waits[each] == 0)
      ready.insert(each);
  while (!ready.empty()) {
    size_t next = ready.extract(ready.begin()).value();
    order.populations.push_back(next);
    for (size_t target : targets[next])
      if (--waits[target] == 0)
        ready.insert(target);
  }
  if (order.populations.size() == count)
    return order;
  std::vector<std::string> names;
  for (size_t p = 0; p < description.projections.size(); ++p)
    if (description.projections[p].delay == 0 && isInCycle[p])
      names.push_back(description.projections[p].name);
  return inputError(path, fmt::format("projections without delay make a cycle: {}; give one of "
                                      "them a delay of at least dt, {} ms",
                                      fmt::join(names, ", "), description.dtMs));
}

} // namespace spindle::network
