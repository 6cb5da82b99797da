#include "hw/hls/schedule/bounds/Chains.h"

#include "hw/hls/schedule/problem/Schedule.h"

#include <algorithm>
#include <limits>
#include <set>

namespace spindle::hls {

namespace {

/// The end of a chain: its last operation, the distances along it, and when its inputs are there if
/// everything since the first result happens in one cycle.
struct Reached {
  unsigned operation, distance;
  double offsetNs;
  int before; // index of the end of the chain without its last operation, -1 for the first one
};

/// The delays that follow each other from the inputs of each operation on, in one cycle; without an
/// end where combinational operations form a circle over iterations.
std::vector<double> delaysBehind(const Problem &problem) {
  size_t count = problem.operations.size();
  std::vector<std::vector<unsigned>> before(count); // combinational operations by who uses them
  std::vector<unsigned> users(count, 0), done;
  for (const Dependence &dependence : problem.dependences)
    if (!dependence.latency && latencyOf(problem, dependence.from) == 0) {
      before[dependence.to].push_back(dependence.from);
      ++users[dependence.from];
    }
  std::vector<double> longest(count, 0);
  for (unsigned o = 0; o < count; ++o)
    if (users[o] == 0)
      done.push_back(o);
  for (size_t i = 0; i < done.size(); ++i) {
    double &delay = longest[done[i]];
    delay += problem.operatorTypes[problem.operations[done[i]].type].delayInNs;
    for (unsigned from : before[done[i]]) {
      longest[from] = std::max(longest[from], delay);
      if (--users[from] == 0)
        done.push_back(from);
    }
  }
  for (unsigned o = 0; o < count; ++o)
    if (users[o] > 0)
      longest[o] = std::numeric_limits<double>::infinity();
  return longest;
}

/// Walks forward from one operation, as long as a chain may still become too long. An operation is
/// reached again only with a shorter distance or a longer delay than before, so that circles
/// without delay end, too.
class ChainWalk {
public:
  ChainWalk(const Problem &scheduled, const std::vector<std::vector<unsigned>> &outgoing)
      : problem(scheduled), values(outgoing), behind(delaysBehind(scheduled)),
        longest(scheduled.operations.size()) {}

  void walk(unsigned first, std::vector<Precedence> &precedences) {
    ends.clear();
    parted.clear();
    const OperatorType &type = typeOf(first);
    follow(first, 0, type.latency == 0 ? type.delayInNs : type.delayOutNs, -1);
    for (size_t i = 0; i < ends.size(); ++i) {
      const Reached end = ends[i];
      const OperatorType &last = typeOf(end.operation);
      if (end.offsetNs + last.delayInNs > problem.clockPeriodNs + delayToleranceNs)
        part(first, end, precedences);
      else if (last.latency == 0)
        follow(end.operation, end.distance, end.offsetNs + last.delayInNs, static_cast<int>(i));
    }
    for (const Reached &end : ends)
      longest[end.operation].clear();
  }

private:
  const OperatorType &typeOf(unsigned operation) const {
    return problem.operatorTypes[problem.operations[operation].type];
  }

  void follow(unsigned operation, unsigned distance, double resultNs, int before) {
    for (unsigned d : values[operation]) {
      const Dependence &dependence = problem.dependences[d];
      if (resultNs + behind[dependence.to] <= problem.clockPeriodNs)
        continue;
      Reached end{dependence.to, distance + dependence.distance, resultNs, before};
      std::vector<std::pair<unsigned, double>> &known = longest[end.operation];
      auto covers = [&](const std::pair<unsigned, double> &other) {
        return other.first <= end.distance && other.second >= end.offsetNs;
      };
      if (std::any_of(known.begin(), known.end(), covers))
        continue;
      known.emplace_back(end.distance, end.offsetNs);
      ends.push_back(end);
    }
  }

  void part(unsigned first, const Reached &end, std::vector<Precedence> &precedences) {
    if (!parted.insert({end.operation, end.distance}).second)
      return;
    Precedence precedence{first, end.operation, latencyOf(problem, first) + 1, end.distance, {}};
    for (int at = end.before; at >= 0; at = ends[at].before)
      precedence.via.insert(precedence.via.begin(), ends[at].operation);
    precedences.push_back(std::move(precedence));
  }

  const Problem &problem;
  const std::vector<std::vector<unsigned>> &values; // dependences by the operation they leave
  std::vector<double> behind;                       // by operation, its own delay included
  std::vector<std::vector<std::pair<unsigned, double>>>
      longest; // distance and offset, by operation
  std::vector<Reached> ends;
  std::set<std::pair<unsigned, unsigned>> parted;
};

} // namespace

std::vector<Precedence> precedencesOfLongChains(const Problem &problem) {
  std::vector<std::vector<unsigned>> values(problem.operations.size());
  for (unsigned d = 0; d < problem.dependences.size(); ++d)
    if (!problem.dependences[d].latency)
      values[problem.dependences[d].from].push_back(d);
  std::vector<Precedence> precedences;
  ChainWalk chains(problem, values);
  for (unsigned o = 0; o < problem.operations.size(); ++o)
    chains.walk(o, precedences);
  return precedences;
}

} // namespace spindle::hls
