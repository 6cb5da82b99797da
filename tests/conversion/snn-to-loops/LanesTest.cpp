// Lanes that are looked for: the search against all combinations, circuits within their budgets.
#include "hw/synthesis/PartAreas.h"
#include "lib/conversion/snn-to-loops/lanes/ChooseLanes.h"
#include "tests/conversion/snn-to-loops/LoopRun.h"
#include "tests/conversion/snn-to-loops/RandomChain.h"
#include "tests/conversion/snn-to-loops/RandomCircuit.h"

#include "gmock/gmock.h"

using namespace spindle;
using namespace spindle::test;
using ::testing::HasSubstr;

namespace {

/// All combinations, in order.
std::optional<std::vector<size_t>> bestOfAll(const std::vector<std::vector<LayerForm>> &layers,
                                             const hls::DeviceArea &rest,
                                             const hls::DeviceArea &budget, bool isSum,
                                             std::pair<double, double> &value) {
  std::optional<std::vector<size_t>> best;
  std::vector<size_t> chosen(layers.size(), 0);
  for (;;) {
    hls::DeviceArea area = rest;
    double cycles = 0;
    for (size_t n = 0; n < layers.size(); ++n) {
      area += layers[n][chosen[n]].area;
      double own = layers[n][chosen[n]].cycles;
      cycles = isSum ? cycles + own : std::max(cycles, own);
    }
    bool fits = area.lut <= budget.lut && area.ff <= budget.ff && area.dsp <= budget.dsp &&
                area.bram <= budget.bram;
    if (fits && (!best || std::pair(cycles, area.lut) < value)) {
      best = chosen;
      value = {cycles, area.lut};
    }
    size_t n = 0;
    while (n < layers.size() && ++chosen[n] == layers[n].size())
      chosen[n++] = 0;
    if (n == layers.size())
      return best;
  }
}

TEST(Lanes, TheSearchFindsTheBestOfAllCombinations) {
  size_t found = 0;
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    CounterRandom random(seed, 3);
    auto below = [&](uint32_t bound) { return double(random.below(bound)); };
    std::vector<std::vector<LayerForm>> layers(1 + random.below(4));
    for (auto &forms : layers)
      for (uint32_t left = 1 + random.below(5); left > 0; --left)
        forms.push_back({{below(30), below(30), below(4), below(6) / 2}, below(40)});
    hls::DeviceArea rest{below(10), below(10), 0, 0}, budget{below(110), below(110), 12, 8};
    for (bool isSum : {false, true}) {
      std::pair<double, double> best, value;
      auto wanted = bestOfAll(layers, rest, budget, isSum, best);
      auto chosen = searchForms(layers, rest, budget, isSum);
      ASSERT_EQ(chosen.has_value(), wanted.has_value()) << seed;
      if (!chosen)
        continue;
      ++found;
      std::vector<std::vector<LayerForm>> alone;
      for (size_t n = 0; n < layers.size(); ++n)
        alone.push_back({layers[n][(*chosen)[n]]});
      ASSERT_TRUE(bestOfAll(alone, rest, budget, isSum, value)) << seed;
      EXPECT_EQ(value, best) << seed;
    }
  }
  EXPECT_GT(found, 200u);
}

llvm::Expected<CircuitCost> measureProgram(const LoopProgram &program) {
  static std::map<std::string, CircuitCost> known; // by text
  CircuitCost &cost = known[textOf(*program.module)];
  if (cost.whole.lut > 0)
    return cost;
  auto target = llvm::cantFail(hls::readTarget(hls::kDefaultTarget));
  auto context = hls::makeSynthesisContext();
  auto parsed =
      llvm::cantFail(hls::parseProgram(*context, textOf(*program.module), "folder/original.mlir"));
  LayerPlaces places = layerPlaces(*parsed);
  hls::SynthesisOptions options;
  options.loops.unroll = {1};
  hls::Synthesis made = llvm::cantFail(hls::synthesize(*parsed, target, options));
  cost = {*made.interface.estimate, areasOfLayers(places, hls::areasBySource(made, target)), {}};
  hls::DeviceArea parts;
  for (const auto &[source, area] : hls::areasBySource(made, target))
    parts += area;
  EXPECT_NEAR(parts.lut, cost.whole.lut, 1e-6 * cost.whole.lut); // nothing is lost or counted twice
  EXPECT_EQ(parts.ff, cost.whole.ff);
  EXPECT_EQ(parts.bram, cost.whole.bram);
  for (const HardwareLayer &layer : program.layers)
    EXPECT_GT(cost.layers[layer.name].lut, 0) << layer.name;
  return cost;
}

/// Random chains and budgets: never above the budget, never slower than any number of lanes for
/// all layers that fits.
TEST(Lanes, CircuitsKeepTheirBudgetAndAreNoSlowerThanOneCountForAll) {
  size_t chosenOnes = 0, refusals = 0;
  for (uint64_t seed : {3001, 3003, 3004, 3006}) {
    RandomChain chain(seed, seed % 3 == 0 ? ChainKind::Image : ChainKind::Dense);
    mlir::ModuleOp module = chain.finish();
    CircuitOptions options = chain.options;
    options.layers.clear();
    CounterRandom random(seed, 4);
    SpikeRates rates;
    for (const char *name : {"input", "events", "p1", "p2", "p3", "p4"})
      rates[name] = 5 + random.below(200);
    (void)loopsOf(module, options).takeError(); // dialects
    options.picksLanes = true;
    std::map<int64_t, std::pair<hls::DeviceArea, double>> levels; // by lanes of all layers
    for (int64_t lanes = 1; lanes <= 128; lanes *= 2) {
      CircuitOptions same = options;
      same.picksLanes = false;
      same.others.lanes = lanes;
      llvm::Expected<LoopProgram> program = loopsOf(module, same);
      if (!program) { // a last layer that spikes wants all its lanes
        llvm::consumeError(program.takeError());
        continue;
      }
      CircuitCost cost = llvm::cantFail(measureProgram(*program));
      levels[lanes] = {cost.whole, cyclesOfAll(processCycles(*program, rates), false)};
    }
    double middle = levels.empty() ? 1500 : levels.begin()->second.first.lut;
    for (double factor : {0.5, 1.05, 1.5, 4.0}) {
      options.budget.lut = middle * factor;
      auto choice = chooseLanes(module, options, rates, measureProgram);
      bool someFits = false;
      for (const auto &[lanes, level] : levels) {
        bool fits = level.first.lut <= options.budget.lut;
        someFits |= fits;
        if (choice && fits) {
          EXPECT_LE(choice->cycles, level.second) << seed << ", " << lanes << " lanes";
        }
      }
      if (!choice) {
        EXPECT_THAT(toText(choice.takeError()),
                    testing::ContainsRegex("budget is too small: the smallest circuit needs .* LUT "
                                           "of .*; its largest layer is 'p[0-9]' with .* LUT"));
        EXPECT_FALSE(someFits) << seed;
        ++refusals;
        continue;
      }
      ++chosenOnes;
      EXPECT_LE(choice->area.lut, options.budget.lut) << seed;
      LoopProgram made = llvm::cantFail(loopsOf(module, choice->options));
      EXPECT_EQ(llvm::cantFail(measureProgram(made)).whole, choice->area) << seed;
    }
  }
  EXPECT_GE(chosenOnes, 8u);
  EXPECT_GE(refusals, 3u);
}

} // namespace
