#include "lib/partition/refine/Levels.h"

#include "lib/partition/refine/Refine.h"

#include <algorithm>

namespace spindle {

static std::vector<uint32_t> partsOfGroups(const CoarseHypergraph &coarse,
                                           const std::vector<uint32_t> &parts) {
  std::vector<uint32_t> result(parts.empty() ? 0 : coarse.hypergraph.vertices());
  for (VertexId v = 0; v < parts.size(); ++v)
    result[coarse.coarseOf[v]] = parts[v];
  return result;
}

Levels::Levels(const Hypergraph &units, const PackingRules &rules, const Packing *packing)
    : finest(units) {
  std::vector<uint32_t> parts;
  if (packing)
    parts = packing->assignment();
  // An eighth of a crossbar leaves the search a choice where a layer has hundreds of twins.
  PackingRules eighth = rules, half = rules;
  eighth.crossbar.columns = std::max(1u, rules.crossbar.columns / 8);
  eighth.mostCycles = rules.mostCycles / 8;
  eighth.corePart = 1.0 / 8;
  levels.push_back(mergeTwins(units, eighth, parts));
  parts = partsOfGroups(levels.back(), parts);
  half.crossbar.rows = std::max(1u, rules.crossbar.rows / 2);
  half.crossbar.columns = std::max(1u, rules.crossbar.columns / 2);
  half.mostCycles = rules.mostCycles / 2;
  half.corePart = 0.5;
  while (true) {
    CoarseHypergraph next = mergePairs(coarsest(), half, parts);
    // Where work is limited groups stay small, and many levels alike would follow each other.
    if (next.hypergraph.vertices() > (rules.limitsWork() ? 0.7 : 0.95) * coarsest().vertices())
      break;
    parts = partsOfGroups(next, parts);
    levels.push_back(std::move(next));
  }
}

Packing Levels::onCoarsest(const Packing &packing) const {
  std::vector<uint32_t> parts = packing.assignment();
  for (const CoarseHypergraph &level : levels)
    parts = partsOfGroups(level, parts);
  Packing result(coarsest(), packing.rules());
  while (result.clusters() < packing.clusters())
    result.open();
  for (VertexId v = 0; v < parts.size(); ++v)
    result.place(v, parts[v]);
  return result;
}

Packing Levels::refineDown(Packing packing, uint32_t passes, uint64_t seed) const {
  for (size_t level = levels.size(); level-- > 0;) {
    CounterRandom random(seed, static_cast<uint32_t>(level) + 1);
    refine(packing, passes, random);
    const Hypergraph &finer = level == 0 ? finest : levels[level - 1].hypergraph;
    packing = Packing(finer, levels[level].coarseOf, packing);
  }
  CounterRandom random(seed);
  refine(packing, passes, random);
  return packing;
}

} // namespace spindle
