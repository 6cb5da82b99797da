#include "hw/hls/schedule/Placement.h"
#include "hw/hls/schedule/Schedulers.h"

#include <algorithm>
#include <map>
#include <queue>
#include <set>

namespace spindle::hls {

namespace {

using Entry = std::pair<int64_t, unsigned>; // key, operation or kind: the smallest comes first
using Queue = std::priority_queue<Entry, std::vector<Entry>, std::greater<>>;

/// Operations that take the same instances for the same time. Where one finds none in a cycle, no
/// other one does, as reservations only become more: all of them sleep until the first cycle that
/// now has instances for them.
struct Kind {
  std::set<Entry> waiting; // by -toEnd
  bool isAwake = true;
};

class ListScheduler {
public:
  ListScheduler(const Problem &scheduled, const Precedences &constraints)
      : result(scheduled, constraints, 0), precedences(constraints),
        toEnd(longestPathsToEnd(constraints, 0).length), waitsFor(scheduled.operations.size(), 0) {
    std::map<std::pair<std::vector<unsigned>, unsigned>, unsigned> numbers; // by uses, busy
    for (const ProblemOperation &operation : scheduled.operations)
      kindOf.push_back(
          numbers.try_emplace({operation.uses, operation.busy}, numbers.size()).first->second);
    kinds.resize(numbers.size());
    for (const Precedence &precedence : precedences.all)
      waitsFor[precedence.to] += precedence.distance == 0;
    for (unsigned o = 0; o < waitsFor.size(); ++o)
      if (waitsFor[o] == 0)
        upcoming.emplace(0, o);
  }

  void run() {
    while (!upcoming.empty() || !asleep.empty()) {
      int64_t cycle = std::min(firstOf(upcoming), firstOf(asleep));
      for (; firstOf(asleep) <= cycle; asleep.pop())
        wake(kinds[asleep.top().second]);
      fill(cycle);
    }
  }

  Placement result;

private:
  static int64_t firstOf(const Queue &queue) {
    return queue.empty() ? Placement::unlimited : queue.top().first;
  }

  /// Places what has instances in this cycle, the longest way to the end first.
  void fill(int64_t cycle) {
    while (true) {
      for (; firstOf(upcoming) <= cycle; upcoming.pop())
        add(upcoming.top().second);
      if (heads.empty())
        return;
      unsigned operation = heads.begin()->second;
      heads.erase(heads.begin());
      if (result.tryPlace(operation, cycle))
        release(operation);
      else
        sleep(operation, cycle);
    }
  }

  void add(unsigned operation) {
    Kind &kind = kinds[kindOf[operation]];
    Entry entry(-toEnd[operation], operation);
    bool isFirst = kind.waiting.empty() || entry < *kind.waiting.begin();
    if (kind.isAwake && isFirst) {
      if (!kind.waiting.empty())
        heads.erase(*kind.waiting.begin());
      heads.insert(entry);
    }
    kind.waiting.insert(entry);
  }

  void wake(Kind &kind) {
    kind.isAwake = true;
    heads.insert(*kind.waiting.begin());
  }

  void sleep(unsigned operation, int64_t cycle) {
    kinds[kindOf[operation]].isAwake = false;
    auto next = result.reservations().findFrom(operation, cycle + 1, Placement::unlimited);
    asleep.emplace(next->cycle, kindOf[operation]);
  }

  /// What waits for a placed operation.
  void release(unsigned operation) {
    Kind &kind = kinds[kindOf[operation]];
    kind.waiting.erase(kind.waiting.begin());
    if (!kind.waiting.empty())
      heads.insert(*kind.waiting.begin());
    for (unsigned p : precedences.outgoing[operation]) {
      const Precedence &precedence = precedences.all[p];
      if (precedence.distance == 0 && --waitsFor[precedence.to] == 0)
        upcoming.emplace(result.earliest(precedence.to), precedence.to);
    }
  }

  const Precedences &precedences;
  std::vector<int64_t> toEnd;
  std::vector<unsigned> waitsFor;
  std::vector<unsigned> kindOf; // by operation
  std::vector<Kind> kinds;
  std::set<Entry> heads; // the first waiting operation of every kind that is awake
  Queue upcoming;        // by the earliest cycle
  Queue asleep;          // kinds by the cycle in which they wake
};

} // namespace

llvm::Expected<Schedule> scheduleList(const Problem &problem) {
  SPINDLE_RETURN_IF_ERROR(verify(problem));
  Precedences precedences = precedencesOf(problem);
  ListScheduler scheduler(problem, precedences);
  scheduler.run();
  return scheduler.result.finish();
}

} // namespace spindle::hls
