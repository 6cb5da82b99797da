#include "lib/partition/objectives/Search.h"

#include "core/chip/work/CrossbarWork.h"
#include "core/chip/work/Forecast.h"
#include "core/chip/work/StepWork.h"
#include "core/network/SpikeTrace.h"
#include "lib/partition/balance/BalanceSteps.h"
#include "lib/partition/bounds/PartitionBounds.h"
#include "lib/partition/refine/Levels.h"
#include "lib/partition/refine/Refine.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace spindle {

namespace {

constexpr int kProbes = 10;     // limits that are tried on groups
constexpr int kBetween = 4;     // and between two of them
constexpr size_t kFull = 2;     // of them, at most, by the algorithm itself
constexpr double kAlike = 1.01; // times, or energies, that count as the same

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
    Candidate best = judged(widest, 0);
    for (double limit : limits)
      probes.push_back(probe(limit));
    SPINDLE_RETURN_IF_ERROR(improve(best, problem.crossbars()));
    if (!problem.trace || problem.trace->recorded.empty())
      return std::move(best.clustering);
    std::vector<Clustering> finals;
    if (!byEnergy)
      SPINDLE_RETURN_IF_ERROR(addBalanced(best, finals));
    if (finals.empty())
      finals.push_back(std::move(best.clustering));
    finals.push_back(std::move(widest)); // what is less in the mean need not be so step by step
    return leastOf(std::move(finals));
  }

private:
  /// Of clusterings for the barrier of `best` and for a shorter one.
  llvm::Error addBalanced(const Candidate &best, std::vector<Clustering> &finals) {
    if (uint32_t fewer = crossbarsOfShorterBarrier(best.clustering)) {
      Candidate other = best;
      SPINDLE_RETURN_IF_ERROR(improve(other, fewer));
      if (other.clustering.clusters.size() <= fewer)
        finals.push_back(std::move(other.clustering));
    }
    finals.push_back(best.clustering);
    for (size_t n = finals.size(); n-- > 0;)
      if (canBalanceSteps(problem, finals[n]))
        if (std::optional<Clustering> balanced = balanceSteps(problem, finals[n]))
          finals.push_back(std::move(*balanced));
    return llvm::Error::success();
  }

  /// Takes a better one with at most so many clusters, if one is found. Between the tightest limit
  /// under which so many are enough and the next one more are tried.
  llvm::Error improve(Candidate &best, uint32_t crossbars) {
    auto fits = [&](const Candidate &candidate) {
      return candidate.clustering.clusters.size() <= crossbars;
    };
    for (int n = 0; n < kBetween && !byEnergy; ++n) {
      double enough = std::numeric_limits<double>::infinity(), few = 0;
      for (const Candidate &each : probes)
        enough = fits(each) ? std::min(enough, each.mostCycles) : enough;
      for (const Candidate &each : probes)
        few = !fits(each) && each.mostCycles < enough ? std::max(few, each.mostCycles) : few;
      double middle = std::floor(std::sqrt(few * enough));
      if (few == 0 || std::isinf(enough) || middle <= few || few * kAlike > enough)
        break;
      probes.push_back(probe(middle));
    }
    std::vector<bool> isTried(probes.size());
    for (size_t tried = 0; tried < kFull && tried < probes.size(); ++tried) {
      size_t next = probes.size();
      for (size_t i = 0; i < probes.size(); ++i)
        if (!isTried[i] && (next == probes.size() || isRather(probes[i], probes[next], crossbars)))
          next = i;
      isTried[next] = true;
      PackingRules rules = rulesWith(probes[next].mostCycles);
      SPINDLE_ASSIGN(Packing packing, problem.strategy(problem.hypergraph, rules, problem.options));
      Candidate full = judged(problem.cluster(packing), rules.mostCycles);
      if (fits(full) && (!fits(best) || isBetter(full, best))) {
        best = std::move(full);
        break;
      }
    }
    return llvm::Error::success();
  }

  /// So many that a barrier takes less, or none.
  uint32_t crossbarsOfShorterBarrier(const Clustering &clustering) const {
    const Chip &chip = problem.chip;
    if (chip.synchronisation != Synchronisation::Barrier)
      return 0;
    uint64_t tiles = llvm::divideCeil(clustering.clusters.size(), chip.crossbarsPerTile);
    uint32_t fewer = 0;
    for (const BarrierLevel &level : chip.latency.barrierLevels)
      if (level.tiles > 1 && level.tiles <= tiles &&
          chip.barrierCycles(level.tiles - 1) < chip.barrierCycles(tiles))
        fewer = (level.tiles - 1) * chip.crossbarsPerTile;
    return fewer;
  }

  /// By the recorded steps, and what a packet takes in each of them to where it is waited for: of
  /// those that fit, in either order of columns unless one is asked for. How packets hinder each
  /// other is not known before they are placed: of costs that differ by less than that may take,
  /// the one with fewest of them.
  llvm::Expected<Clustering> leastOf(std::vector<Clustering> finals) const {
    struct Rated {
      bool isTooLarge;
      double cost, packets; // cycles, or energy
      size_t of;
      ColumnOrder order;
    };
    std::vector<ColumnOrder> orders = {ColumnOrder::SpikesFirst, ColumnOrder::Neurons};
    if (problem.options.columnOrder)
      orders = {*problem.options.columnOrder};
    std::vector<Rated> rated;
    for (size_t n = 0; n < finals.size(); ++n)
      for (ColumnOrder order : orders) {
        Clustering &each = finals[n];
        each.order = order;
        SPINDLE_ASSIGN(StepWork work, stepWork(each, *problem.trace, problem.chip, &problem.graph));
        double cycles = work.cycles + barrierCyclesPerSample(problem.chip, each) +
                        each.steps * meanWayCycles(problem.chip, each.clusters.size());
        Forecast mean = forecast(each, problem.chip);
        double pj = mean.pj + (cycles - mean.cycles) * mean.pjPerCycle;
        rated.push_back({each.clusters.size() > problem.crossbars(), byEnergy ? pj : cycles,
                         mean.packets, n, order});
      }
    auto size = [](const Rated &each) { return std::pair(each.isTooLarge, each.cost); };
    const Rated least = *std::ranges::min_element(rated, {}, size);
    std::erase_if(rated, [&](const Rated &each) {
      return each.isTooLarge != least.isTooLarge || each.cost > least.cost * kAlike;
    });
    auto traffic = [](const Rated &each) { return std::pair(each.packets, each.cost); };
    const Rated &best = *std::ranges::min_element(rated, {}, traffic);
    finals[best.of].order = best.order;
    return std::move(finals[best.of]);
  }

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

  bool isBetter(const Candidate &a, const Candidate &b) const {
    double first = byEnergy ? a.forecast.pj : a.forecast.cycles;
    double second = byEnergy ? b.forecast.pj : b.forecast.cycles;
    if (first * kAlike < second || second * kAlike < first)
      return first < second;
    return a.forecast.packets < b.forecast.packets;
  }

  /// Whether a probe is tried before another one.
  bool isRather(const Candidate &a, const Candidate &b, uint32_t crossbars) const {
    size_t ofA = a.clustering.clusters.size(), ofB = b.clustering.clusters.size();
    if ((ofA <= crossbars) != (ofB <= crossbars))
      return ofA <= crossbars;
    return ofA <= crossbars ? isBetter(a, b) : ofA < ofB;
  }

  const PartitionProblem &problem;
  bool byEnergy;
  std::vector<Candidate> probes;
};

} // namespace

llvm::Expected<Clustering> searchTime(const PartitionProblem &problem, Clustering widest) {
  return TimeSearch(problem).run(std::move(widest));
}

} // namespace spindle
