#include "hw/hls/schedule/Placement.h"
#include "hw/hls/schedule/Schedulers.h"

#include <queue>
#include <set>

namespace spindle::hls {

llvm::Expected<Schedule> scheduleList(const Problem &problem) {
  SPINDLE_RETURN_IF_ERROR(verify(problem));
  Precedences precedences = precedencesOf(problem);
  std::vector<int64_t> toEnd = longestPathsToEnd(precedences, 0).length;
  Placement placement(problem, precedences, 0);

  std::vector<unsigned> waitsFor(problem.operations.size(), 0);
  for (const Precedence &precedence : precedences.all)
    waitsFor[precedence.to] += precedence.distance == 0;
  using Entry = std::pair<int64_t, unsigned>;                              // key, operation
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> upcoming; // by earliest cycle
  for (unsigned o = 0; o < waitsFor.size(); ++o)
    if (waitsFor[o] == 0)
      upcoming.emplace(0, o);

  std::set<Entry> available; // by -toEnd
  std::vector<unsigned> blocked;
  for (int64_t cycle = 0; !upcoming.empty() || !blocked.empty(); ++cycle) {
    if (blocked.empty())
      cycle = std::max(cycle, upcoming.top().first);
    for (unsigned o : blocked)
      available.emplace(-toEnd[o], o);
    blocked.clear();
    while (true) {
      for (; !upcoming.empty() && upcoming.top().first <= cycle; upcoming.pop())
        available.emplace(-toEnd[upcoming.top().second], upcoming.top().second);
      if (available.empty())
        break;
      unsigned operation = available.begin()->second;
      available.erase(available.begin());
      if (!placement.tryPlace(operation, cycle)) {
        blocked.push_back(operation);
        continue;
      }
      for (unsigned p : precedences.outgoing[operation]) {
        const Precedence &precedence = precedences.all[p];
        if (precedence.distance == 0 && --waitsFor[precedence.to] == 0)
          upcoming.emplace(placement.earliest(precedence.to), precedence.to);
      }
    }
  }
  return placement.finish();
}

} // namespace spindle::hls
