#include "lib/frontend/network/Order.h"

#include "fmt/format.h"
#include "fmt/ranges.h"

namespace spindle::network {

namespace {

/// Whether spikes of one population can reach another over any number of projections.
class Reach {
public:
  explicit Reach(const Description &description) : count(description.populations.size()) {
    reaches.assign(count * count, false);
    for (const Projection &projection : description.projections)
      at(projection.source, projection.target) = true;
    for (size_t middle = 0; middle < count; ++middle) // Warshall 1962
      for (size_t from = 0; from < count; ++from)
        for (size_t to = 0; at(from, middle) && to < count; ++to)
          at(from, to) = at(from, to) || at(middle, to);
  }
  bool inCycle(const Projection &p) { return at(p.target, p.source); }

private:
  std::vector<bool>::reference at(size_t from, size_t to) { return reaches[from * count + to]; }
  size_t count;
  std::vector<bool> reaches;
};

} // namespace

llvm::Expected<Order> orderPopulations(const Description &description, const std::string &path) {
  size_t count = description.populations.size();
  Reach reach(description);
  Order order;
  std::vector<size_t> waits(count); // for projections that must come first
  for (const Projection &projection : description.projections) {
    order.feedsBack.push_back(projection.delay > 0 && reach.inCycle(projection));
    waits[projection.target] += !order.feedsBack.back();
  }
  std::vector<bool> placed(count, false);
  while (order.populations.size() < count) {
    size_t next = 0; // the first of the file that waits for nothing
    while (next < count && (placed[next] || waits[next] > 0))
      ++next;
    if (next == count)
      break;
    placed[next] = true;
    order.populations.push_back(next);
    for (size_t p = 0; p < description.projections.size(); ++p)
      if (description.projections[p].source == next && !order.feedsBack[p])
        --waits[description.projections[p].target];
  }
  if (order.populations.size() == count)
    return order;
  std::vector<std::string> names;
  for (const Projection &projection : description.projections)
    if (projection.delay == 0 && reach.inCycle(projection))
      names.push_back(projection.name);
  return inputError(path, fmt::format("projections without delay make a cycle: {}; give one of "
                                      "them a delay of at least dt, {} ms",
                                      fmt::join(names, ", "), description.dtMs));
}

} // namespace spindle::network
