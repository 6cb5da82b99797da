#include "lib/partition/objectives/Search.h"

#include "core/chip/Forecast.h"
#include "lib/partition/bounds/PartitionBounds.h"
#include "lib/partition/refine/Levels.h"
#include "lib/partition/refine/Refine.h"

#include <algorithm>
#include <cmath>

namespace spindle {

namespace {

constexpr int kProbes = 10;      // limits that are tried on groups
constexpr size_t kFull = 2;      // of them, at most, by the algorithm itself
constexpr double kAlike = 1.005; // times that count as the same

/// A clustering and what the objective says of it.
struct Candidate {
  Clustering clustering;
  Forecast forecast;
  double mostCycles = 0; // the limit that it was made with
};

class TimeSearch {
public:
  explicit TimeSearch(const PartitionProblem &what)
      : problem(what), byEnergy(what.options.objective == PartitionObjective::Energy) {}

  llvm::Expected<Clustering> run(Clustering widest) {
    std::vector<double> limits = limitsBelow(widest);
    Candidate best = judged(std::move(widest), 0);
    std::vector<Candidate> probes;
    for (double limit : limits)
      probes.push_back(probe(limit));
    std::ranges::sort(probes, [&](const Candidate &a, const Candidate &b) {
      if (fits(a) != fits(b))
        return fits(a);
      return fits(a) ? isBetter(a, b) : a.clustering.clusters.size() < b.clustering.clusters.size();
    });
    for (size_t i = 0; i < probes.size() && i < kFull; ++i) {
      PackingRules rules = rulesWith(probes[i].mostCycles);
      SPINDLE_ASSIGN(Packing packing, problem.strategy(problem.hypergraph, rules, problem.options));
      Candidate full = judged(problem.cluster(packing), rules.mostCycles);
      if (fits(full) && (!fits(best) || isBetter(full, best))) {
        best = std::move(full);
        break;
      }
    }
    return std::move(best.clustering);
  }

private:
  /// From what the work of the fullest crossbar cannot be below to what it is without a limit,
  /// with the same ratio between neighbours.
  std::vector<double> limitsBelow(const Clustering &widest) {
    PackingRules rules = problem.rules();
    double least = leastSlowestWork(problem.hypergraph, rules.latency, rules.steps,
                                    problem.crossbars(), ColumnsOfVertex::Together);
    double most = 0;
    for (const CrossbarWork &work : spindle::workOf(widest))
      most = std::max(most, workCycles(work, rules.latency));
    std::vector<double> limits;
    if (least >= most)
      return limits;
    for (int i = 0; i < kProbes; ++i)
      limits.push_back(std::floor(least * std::pow(most / least, double(i) / kProbes)));
    limits.front() = std::ceil(least);
    return limits;
  }

  PackingRules rulesWith(double mostCycles) const {
    PackingRules rules = problem.rules();
    rules.mostCycles = mostCycles;
    return rules;
  }

  Candidate probe(double mostCycles) const {
    PackingRules rules = rulesWith(mostCycles);
    Levels levels(problem.hypergraph, rules);
    Packing packing = growPacking(levels.coarsest(), rules);
    dissolveClusters(packing);
    return judged(problem.cluster(levels.refineDown(std::move(packing), 0, 0)), mostCycles);
  }

  Candidate judged(Clustering clustering, double mostCycles) const {
    Forecast forecasted = forecast(clustering, problem.chip);
    return {std::move(clustering), forecasted, mostCycles};
  }

  bool fits(const Candidate &candidate) const {
    return candidate.clustering.clusters.size() <= problem.crossbars();
  }

  bool isBetter(const Candidate &a, const Candidate &b) const {
    double first = byEnergy ? a.forecast.pj : a.forecast.cycles;
    double second = byEnergy ? b.forecast.pj : b.forecast.cycles;
    if (first * kAlike < second || second * kAlike < first)
      return first < second;
    return a.forecast.packets < b.forecast.packets;
  }

  const PartitionProblem &problem;
  bool byEnergy;
};

} // namespace

llvm::Expected<Clustering> searchTime(const PartitionProblem &problem, Clustering widest) {
  return TimeSearch(problem).run(std::move(widest));
}

} // namespace spindle
