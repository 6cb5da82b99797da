// Tasks on as few circuits as possible.
#include "dialects/system/ChainCover.h"

#include "core/support/CounterRandom.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <set>

using namespace spindle;
using namespace spindle::system;

namespace {

using Order = std::vector<llvm::SmallBitVector>;

Order randomOrder(CounterRandom &random, unsigned count) {
  Order before(count, llvm::SmallBitVector(count));
  unsigned density = 1 + random.below(6);
  for (unsigned late = 0; late < count; ++late)
    for (unsigned early = 0; early < late; ++early)
      if (random.below(8) < density) {
        before[late].set(early);
        before[late] |= before[early];
      }
  return before;
}

/// Whether all in the set are of one kernel, and one comes before the other of any two.
bool isClique(const Order &before, const std::vector<uint32_t> &kernels, unsigned set) {
  for (unsigned b = 0; b < before.size(); ++b)
    for (unsigned a = 0; a < b; ++a)
      if ((set >> a & 1) && (set >> b & 1) && (kernels[a] != kernels[b] || !before[b].test(a)))
        return false;
  return true;
}

/// The least sum of weights over all covers by cliques: `least` of a set is that of the rest behind
/// any clique with its first element.
uint64_t leastByTrying(const Order &before, const std::vector<uint32_t> &kernels,
                       const std::vector<uint64_t> &weights) {
  unsigned sets = 1u << before.size();
  std::vector<bool> cliques(sets);
  for (unsigned set = 0; set < sets; ++set)
    cliques[set] = isClique(before, kernels, set);
  std::vector<uint64_t> least(sets, ~uint64_t(0));
  least[0] = 0;
  for (unsigned set = 1; set < sets; ++set) {
    unsigned first = unsigned(__builtin_ctz(set));
    for (unsigned clique = set; clique > 0; clique = (clique - 1) & set)
      if ((clique >> first & 1) && cliques[clique])
        least[set] = std::min(least[set], least[set & ~clique] + weights[kernels[first]]);
  }
  return least.back();
}

/// A circuit has the area of its kernel, and equal kernels alone share one: the fewest chains for
/// each kernel are the least area of all.
TEST(ChainCover, IsTheLeastWeightOfACoverByCliques) {
  size_t firstFitIsWorse = 0;
  for (uint64_t seed = 0; seed < 1000; ++seed) {
    CounterRandom random(seed, 5);
    unsigned count = 1 + random.below(10), kinds = 1 + random.below(3);
    Order before = randomOrder(random, count);
    std::vector<uint32_t> kernels;
    for (unsigned n = 0; n < count; ++n)
      kernels.push_back(random.below(kinds));
    std::vector<uint64_t> weights;
    for (unsigned kind = 0; kind < kinds; ++kind)
      weights.push_back(1 + random.below(1000));
    uint64_t area = 0, firstFit = 0;
    for (uint32_t kind = 0; kind < kinds; ++kind) {
      std::vector<unsigned> all;
      for (unsigned n = 0; n < count; ++n)
        if (kernels[n] == kind)
          all.push_back(n);
      Order among(all.size(), llvm::SmallBitVector(unsigned(all.size())));
      for (unsigned b = 0; b < all.size(); ++b)
        for (unsigned a = 0; a < b; ++a)
          if (before[all[b]].test(all[a]))
            among[b].set(a);
      std::vector<uint32_t> chains = coverByChains(among);
      std::set<uint32_t> different(chains.begin(), chains.end());
      area += different.size() * weights[kind];
      for (unsigned b = 0; b < all.size(); ++b)
        for (unsigned a = 0; a < b; ++a)
          EXPECT_TRUE(chains[a] != chains[b] || among[b].test(a)) << seed;
      std::vector<std::vector<unsigned>> fit;
      for (unsigned b = 0; b < all.size(); ++b) {
        auto place = std::find_if(fit.begin(), fit.end(), [&](const auto &chain) {
          return std::all_of(chain.begin(), chain.end(),
                             [&](unsigned a) { return among[b].test(a); });
        });
        if (place == fit.end())
          place = fit.insert(fit.end(), std::vector<unsigned>());
        place->push_back(b);
      }
      firstFit += fit.size() * weights[kind];
    }
    EXPECT_EQ(area, leastByTrying(before, kernels, weights)) << seed;
    firstFitIsWorse += firstFit > area;
  }
  EXPECT_GT(firstFitIsWorse, 0u);
}

TEST(ChainCover, TakesTheFirstFollowerThatThereIs) {
  Order before(4, llvm::SmallBitVector(4));
  before[2].set(0);
  before[2].set(1);
  before[3].set(0);
  before[3].set(1);
  EXPECT_EQ(coverByChains(before), (std::vector<uint32_t>{0, 1, 0, 1}));
  EXPECT_EQ(coverByChains({}), std::vector<uint32_t>());
}

} // namespace
