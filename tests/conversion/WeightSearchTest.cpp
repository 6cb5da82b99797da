// The search for the fewest bits of weights, against all widths there are.
#include "lib/conversion/fixed-point/WeightSearch.h"

#include "core/support/CounterRandom.h"

#include <gmock/gmock.h>

#include <cmath>
#include <set>

namespace spindle {

namespace {

using Bits = std::map<std::string, int64_t>;

/// Each layer loses by itself: size · 4^−bits points.
struct Losses {
  std::vector<WeightedLayer> layers;
  std::map<std::string, double> sizes;
  std::set<Bits> seen;

  explicit Losses(uint64_t seed) {
    CounterRandom random(seed);
    for (int64_t k = 0; k < 3; ++k) {
      layers.push_back({"dense" + std::to_string(k + 1), 1 + random.below(1000)});
      double part = random.uniform(); // one by one: arguments are computed in any order
      sizes[layers.back().name] = std::ldexp(part, int(random.below(8)));
    }
  }

  WeightLoss of(const Bits &bitsOf) const {
    double loss = 0;
    for (const auto &[layer, bits] : bitsOf)
      loss += sizes.at(layer) * std::ldexp(1.0, -2 * int(bits));
    return {loss, 0.05};
  }

  uint64_t memory(const Bits &bitsOf) const {
    uint64_t bits = 0;
    for (const WeightedLayer &layer : layers)
      bits += layer.weights * uint64_t(bitsOf.at(layer.name));
    return bits;
  }
};

TEST(WeightSearch, NoLayerCanBeNarrowerAndNoWidthForAllIs) {
  double found = 0, best = 0;
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    Losses losses(seed);
    WeightSearch search = llvm::cantFail(
        searchWeightBits(losses.layers, 0.3, [&](const Bits &bits) -> llvm::Expected<WeightLoss> {
          losses.seen.insert(bits);
          return losses.of(bits);
        }));
    auto within = [&](const Bits &bits) { return losses.of(bits).points + 0.05 <= 0.3; };
    ASSERT_TRUE(search.proven);
    EXPECT_TRUE(within(search.bitsOf));
    EXPECT_EQ(search.loss.points, losses.of(search.bitsOf).points);
    EXPECT_EQ(search.tried, losses.seen.size());
    uint64_t least = UINT64_MAX; // over all widths
    Bits each;
    for (each["dense1"] = 2; each["dense1"] <= 16; ++each["dense1"])
      for (each["dense2"] = 2; each["dense2"] <= 16; ++each["dense2"])
        for (each["dense3"] = 2; each["dense3"] <= 16; ++each["dense3"])
          if (within(each))
            least = std::min(least, losses.memory(each));
    for (int64_t width = 2; width <= 16; ++width) {
      Bits all{{"dense1", width}, {"dense2", width}, {"dense3", width}};
      EXPECT_TRUE(!within(all) || losses.memory(search.bitsOf) <= losses.memory(all));
    }
    for (const auto &[layer, width] : search.bitsOf) {
      Bits narrower = search.bitsOf;
      EXPECT_FALSE(--narrower[layer] >= 2 && within(narrower)) << layer;
    }
    found += double(losses.memory(search.bitsOf));
    best += double(least);
  }
  EXPECT_LT(found, 1.1 * best); // greedy is not optimal, but near
}

TEST(WeightSearch, KeepsAllBitsWhereNothingIsProven) {
  Losses losses(1);
  WeightSearch search = llvm::cantFail(
      searchWeightBits(losses.layers, 0.3, [](const Bits &) -> llvm::Expected<WeightLoss> {
        return WeightLoss{0, 0.4};
      }));
  EXPECT_FALSE(search.proven);
  EXPECT_EQ(search.bitsOf, (Bits{{"dense1", 16}, {"dense2", 16}, {"dense3", 16}}));
  EXPECT_EQ(search.tried, 15u);
}

/// Widths that cannot be expressed are passed over, wherever the search meets them.
TEST(WeightSearch, StaysWithinWhatCanBeExpressed) {
  std::vector<WeightedLayer> layers{{"dense1", 100}, {"dense2", 100}};
  auto judge = [](double most) {
    return [=](const Bits &bits) -> llvm::Expected<WeightLoss> {
      double loss = 0;
      bool isExpressed = true;
      for (const auto &[layer, width] : bits) {
        isExpressed &= width <= 6;
        loss += width < (layer == "dense1" ? 5 : 3) ? 1 : 0;
      }
      return isExpressed ? WeightLoss{loss, most} : WeightLoss{100, 0, false};
    };
  };
  WeightSearch search = llvm::cantFail(searchWeightBits(layers, 0.3, judge(0.1)));
  EXPECT_TRUE(search.proven);
  EXPECT_EQ(search.bitsOf, (Bits{{"dense1", 5}, {"dense2", 3}})); // from 6, not from 5 + 2
  search = llvm::cantFail(searchWeightBits(layers, 0.3, judge(0.4)));
  EXPECT_FALSE(search.proven);
  EXPECT_TRUE(search.loss.isExpressed);
  EXPECT_EQ(search.bitsOf, (Bits{{"dense1", 6}, {"dense2", 6}}));
}

TEST(WeightSearch, NeedsLayersWithNames) {
  llvm::Expected<WeightSearch> search = searchWeightBits(
      {}, 0.3, [](const Bits &) -> llvm::Expected<WeightLoss> { return WeightLoss{}; });
  ASSERT_FALSE(bool(search));
  EXPECT_EQ(llvm::toString(search.takeError()),
            "fixed_point: error: weight_bits: auto finds no layer of weights with a name, expected "
            "one; give weight_bits: 8");
}

} // namespace

} // namespace spindle
