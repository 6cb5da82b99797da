#include "hw/hls/schedule/bounds/Competitors.h"

#include <algorithm>

namespace spindle::hls {

std::vector<bool> competitorsOf(const Problem &problem) {
  std::vector<uint64_t> uses(problem.resources.size(), 0);
  for (const ProblemOperation &operation : problem.operations)
    for (unsigned use : operation.uses)
      ++uses[use];
  std::vector<bool> compete;
  for (const ProblemOperation &operation : problem.operations)
    compete.push_back(std::any_of(operation.uses.begin(), operation.uses.end(), [&](unsigned use) {
      return uses[use] > problem.resources[use].count;
    }));
  return compete;
}

std::vector<int64_t> pathsFrom(const Precedences &precedences, unsigned operation,
                               unsigned interval) {
  std::vector<int64_t> from(precedences.spans.size(), unreached);
  from[operation] = 0;
  return longestPathsFrom(precedences, interval, std::move(from)).length;
}

} // namespace spindle::hls
