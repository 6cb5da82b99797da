#include "lib/frontend/network/Connectivity.h"

#include "core/support/ChooseDistinct.h"
#include "lib/frontend/network/Values.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace spindle::network {

namespace {

/// The neurons of a range that may be joined with neuron `self` of the other side.
struct Candidates {
  Range range;
  bool leavesOut; // neuron `self`
  int64_t self;

  Candidates(const Range &of, const Ends &ends, int64_t other)
      : range(of), leavesOut(ends.avoidsSelf && of.contains(other)), self(other) {}
  int64_t count() const { return range.size() - leavesOut; }
  int64_t at(int64_t index) const {
    int64_t neuron = range.begin + index;
    return neuron + (leavesOut && neuron >= self);
  }
};

class Connector {
public:
  Connector(const Ends &joined, uint64_t networkSeed, const std::string &projection)
      : ends(joined), seed(networkSeed), name(projection) {}

  void operator()(const AllToAll &) {
    byTarget([&](int64_t, const Candidates &sources) {
      for (int64_t k = 0; k < sources.count(); ++k)
        add(sources.at(k));
    });
  }
  void operator()(const OneToOne &) {
    byTarget([&](int64_t target, const Candidates &sources) {
      add(sources.range.begin + target - ends.targets.begin);
    });
  }
  void operator()(const WithProbability &rule) {
    double expected = expectedSynapses(rule, ends); // six deviations, so that nothing is moved
    rows.sources.reserve(static_cast<size_t>(expected + 6 * std::sqrt(expected) + 64));
    draw(rule);
  }
  void operator()(const FanIn &rule) { draw(rule); }
  void operator()(const FanOut &rule) {
    std::vector<int32_t> sources, targets;
    for (int64_t source = ends.sources.begin; source < ends.sources.end; ++source) {
      CounterRandom random(keyOf(seed, name), 0, static_cast<uint32_t>(source));
      Candidates candidates(ends.targets, ends, source);
      for (int64_t k : chooseDistinct(rule.count, candidates.count(), random)) {
        sources.push_back(static_cast<int32_t>(source));
        targets.push_back(static_cast<int32_t>(candidates.at(k)));
      }
    }
    sortByTarget(sources, targets);
  }
  void operator()(const Pairs &rule) {
    std::vector<uint32_t> order(rule.sources.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
      return std::pair(rule.targets[a], rule.sources[a]) <
             std::pair(rule.targets[b], rule.sources[b]);
    });
    std::vector<int32_t> sources, targets;
    for (uint32_t pair : order) {
      sources.push_back(static_cast<int32_t>(rule.sources[pair]));
      targets.push_back(static_cast<int32_t>(rule.targets[pair]));
    }
    sortByTarget(sources, targets);
    rows.pairs = std::move(order);
  }

  Rows rows;

private:
  template <typename Drawn> void draw(const Drawn &rule) {
    RandomRows drawn = *randomRows(rule, ends, seed, name);
    byTarget([&](int64_t target, const Candidates &) { drawn.append(target, rows.sources); });
  }
  void add(int64_t source) { rows.sources.push_back(static_cast<int32_t>(source)); }

  template <typename Row> void byTarget(Row row) {
    rows.offsets.reserve(static_cast<size_t>(ends.targetCount) + 1);
    for (int64_t target = 0; target < ends.targetCount; ++target) {
      if (ends.targets.contains(target))
        row(target, Candidates(ends.sources, ends, target));
      rows.offsets.push_back(static_cast<int64_t>(rows.sources.size()));
    }
  }

  /// Places synapses in the rows of their targets, in the order in which they come.
  void sortByTarget(const std::vector<int32_t> &sources, const std::vector<int32_t> &targets) {
    rows.offsets.assign(static_cast<size_t>(ends.targetCount) + 1, 0);
    for (int32_t target : targets)
      ++rows.offsets[static_cast<size_t>(target) + 1];
    std::partial_sum(rows.offsets.begin(), rows.offsets.end(), rows.offsets.begin());
    std::vector<int64_t> next(rows.offsets);
    rows.sources.resize(sources.size());
    for (size_t k = 0; k < sources.size(); ++k)
      rows.sources[static_cast<size_t>(next[static_cast<size_t>(targets[k])]++)] = sources[k];
  }

  const Ends &ends;
  uint64_t seed;
  const std::string &name;
};

} // namespace

Rows connect(const Rule &rule, const Ends &ends, uint64_t seed, const std::string &name) {
  Connector connector(ends, seed, name);
  std::visit(connector, rule);
  return std::move(connector.rows);
}

std::optional<RandomRows> randomRows(const Rule &rule, const Ends &ends, uint64_t seed,
                                     const std::string &name) {
  RandomRows rows{keyOf(seed, name), 0, {}, ends.sources, ends.targets, ends.avoidsSelf};
  if (auto *pairs = std::get_if<WithProbability>(&rule))
    rows.probability = pairs->probability;
  else if (auto *in = std::get_if<FanIn>(&rule))
    rows.fanIn = in->count;
  else
    return std::nullopt;
  return rows;
}

double expectedSynapses(const Rule &rule, const Ends &ends) {
  auto sources = static_cast<double>(ends.sources.size()),
       targets = static_cast<double>(ends.targets.size());
  if (auto *random = std::get_if<WithProbability>(&rule))
    return random->probability * sources * targets;
  if (auto *in = std::get_if<FanIn>(&rule))
    return targets * static_cast<double>(in->count);
  if (auto *out = std::get_if<FanOut>(&rule))
    return sources * static_cast<double>(out->count);
  if (auto *pairs = std::get_if<Pairs>(&rule))
    return static_cast<double>(pairs->sources.size());
  return std::holds_alternative<OneToOne>(rule) ? targets : sources * targets;
}

} // namespace spindle::network
