// Which layers spike: the search against all divisions.
#include "lib/conversion/snn-to-loops/tensor/HybridSearch.h"
#include "dialects/hls/Hls.h"
#include "lib/conversion/snn-to-loops/SnnToLoops.h"
#include "lib/conversion/snn-to-loops/lanes/LaneSearch.h"
#include "lib/conversion/snn-to-loops/tensor/TensorForms.h"
#include "tests/emulation/NetworkBuilder.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include "fmt/format.h"
#include "gmock/gmock.h"

#include <cmath>
#include <deque>
#include <numeric>
#include <set>

using namespace spindle;
using namespace spindle::test;
using ::testing::HasSubstr;

namespace {

const std::vector<std::string> kLayers{"a", "b", "c", "d"};
constexpr int64_t kNeurons[] = {16, 24, 8, 4};

/// Four dense layers on 24 pixels, divided as `tensor` says; populations have the names of layers.
class Divided {
public:
  mlir::OwningOpRef<mlir::ModuleOp> operator()(const std::vector<std::string> &tensor) {
    NetworkBuilder &n = builders.emplace_back(Shape{24}, 5);
    n.quantize(1, 0, 15);
    bool inTime = false, isCounted = false;
    for (size_t layer = 0; layer < kLayers.size(); ++layer) {
      bool stays = llvm::is_contained(tensor, kLayers[layer]), isLast = layer + 1 == kLayers.size();
      if (stays && inTime && !isCounted) {
        n.count(kSteps);
        isCounted = true;
      }
      n.dense(kNeurons[layer], weights(kNeurons[layer] * snn::sizeOf(n.last())), {},
              kLayers[layer]);
      if (stays && isLast)
        break;
      if (stays) {
        n.quantize(4, 0, 15);
        continue;
      }
      if (!inTime)
        n.direct();
      inTime = true;
      std::string name =
          fmt::format("layer = \"{}\", decay = 0 : i64, membrane_bits = 16 : i64", kLayers[layer]);
      if (isLast)
        n.population("fixed_li", name).decode();
      else
        n.population("fixed_lif",
                     "reset = #snn<reset subtract>, threshold = array<f32: 40.0>, " + name);
    }
    mlir::ModuleOp network = n.finish();
    network.getContext()
        ->loadDialect<mlir::affine::AffineDialect, mlir::memref::MemRefDialect,
                      mlir::scf::SCFDialect, hls::HlsDialect>();
    return network.clone();
  }
  static constexpr int64_t kSteps = 4;

private:
  std::vector<float> weights(int64_t count) {
    std::vector<float> values(static_cast<size_t>(count));
    for (float &value : values)
      value = float(int64_t(random.below(13)) - 6);
    return values;
  }
  CounterRandom random{3};
  std::deque<NetworkBuilder> builders; // keep the contexts
};

/// LUTs by lanes, DSP blocks by products of kernels.
llvm::Expected<CircuitCost> measure(const LoopProgram &program) {
  CircuitCost cost;
  for (const HardwareLayer &layer : program.layers) {
    hls::DeviceArea area{double(20 * layer.lanes), 0, 0, 0};
    if (layer.kind == LayerKind::Tensor)
      area.dsp = double(layer.lanes * layer.inputs);
    cost.layers[layer.name] = area;
    cost.whole += area;
  }
  return cost;
}

struct Rates {
  double loss, spikes;
};

/// Losses and spikes of a division, by chance.
Rates ratesOf(const std::vector<std::string> &tensor, uint64_t seed) {
  std::string all = std::accumulate(tensor.begin(), tensor.end(), std::string());
  CounterRandom random(seed, std::hash<std::string>()(all));
  double loss = 1.5 * random.uniform();
  return {loss, 20 + 400 * random.uniform()};
}

CircuitOptions optionsWith(double dsp, double lut) {
  CircuitOptions options;
  options.steps = Divided::kSteps;
  options.others = {64, 1, LayerStyle::Event};
  options.budget.dsp = dsp;
  options.budget.lut = lut;
  return options;
}

/// The kernels of a division: tensor layers, and the products in front of the first population.
std::vector<size_t> kernelsOf(const std::vector<std::string> &tensor) {
  std::vector<size_t> kernels;
  bool spikes = false;
  for (size_t layer = 0; layer < kLayers.size(); ++layer) {
    bool stays = llvm::is_contained(tensor, kLayers[layer]);
    if (stays || !spikes)
      kernels.push_back(layer);
    spikes |= !stays;
  }
  return kernels;
}

/// The fewest cycles of a division within the budget, with any lanes of its kernels.
double fewestCycles(mlir::ModuleOp network, const SpikeRates &rates, CircuitOptions options,
                    llvm::ArrayRef<size_t> kernels) {
  if (kernels.empty()) {
    LoopProgram program = llvm::cantFail(snnToLoops(network, options));
    CircuitCost cost = llvm::cantFail(measure(program));
    if (!hls::excessText(cost.whole, options.budget).empty())
      return INFINITY;
    return cyclesOfAll(processCycles(program, rates), false);
  }
  double best = INFINITY;
  for (int64_t lanes = 1; lanes <= kNeurons[kernels[0]]; ++lanes) {
    options.layers[kLayers[kernels[0]]] = {lanes, 1, LayerStyle::Event, LayerKind::Tensor};
    if (kNeurons[kernels[0]] % lanes == 0)
      best = std::min(best, fewestCycles(network, rates, options, kernels.drop_front()));
  }
  return best;
}

/// Among all divisions and all lanes of their kernels.
TEST(HybridSearch, TakesTheFastestDivisionThatFits) {
  std::set<std::vector<std::string>> chosen;
  for (uint64_t seed = 1; seed <= 6; ++seed) {
    Divided divided;
    double wanted = INFINITY;
    CircuitOptions options = optionsWith(seed % 2 == 0 ? 12 : 40, 1e6);
    auto tryHybrid = [&](const std::vector<std::string> &tensor) -> llvm::Expected<HybridTrial> {
      HybridTrial trial{divided(tensor), 0, {}};
      Rates chance = ratesOf(tensor, seed);
      trial.loss = chance.loss;
      for (const std::string &layer : kLayers)
        trial.rates[layer] = chance.spikes;
      if (trial.loss <= 1)
        wanted =
            std::min(wanted, fewestCycles(*trial.network, trial.rates, options, kernelsOf(tensor)));
      return trial;
    };
    auto best = chooseHybrid({kLayers, true, 1}, options, tryHybrid, measure);
    ASSERT_TRUE(bool(best)) << seed << ": " << toText(best.takeError());
    EXPECT_EQ(best->tried, 9u); // 4 + 3 + 2
    EXPECT_LE(best->loss, 1);
    EXPECT_EQ(hls::excessText(best->area, options.budget), "") << seed;
    EXPECT_EQ(best->cycles, wanted) << seed;
    chosen.insert(best->tensor);
  }
  EXPECT_GE(chosen.size(), 3u);
}

TEST(HybridSearch, SaysWhyNoneIsLeft) {
  Divided divided;
  auto tryHybrid = [&](const std::vector<std::string> &tensor) -> llvm::Expected<HybridTrial> {
    if (tensor.empty())
      return inputError("somewhere", "weights too large");
    return HybridTrial{divided(tensor), 5, {}};
  };
  auto found = chooseHybrid({kLayers, true, 1}, optionsWith(100, 1e6), tryHybrid, measure);
  EXPECT_THAT(toText(found.takeError()),
              HasSubstr("as: auto found no division of 4 layers: of 9 tried 8 lose more than 1 "
                        "points, 0 exceed the budget, 1 have no circuit (the first: weights too "
                        "large); raise conversion.max_loss, emulation.steps or hardware.budget"));
  auto small = [&](const std::vector<std::string> &tensor) -> llvm::Expected<HybridTrial> {
    return HybridTrial{divided(tensor), 0, {}};
  };
  found = chooseHybrid({kLayers, true, 1}, optionsWith(100, 1), small, measure);
  EXPECT_THAT(toText(found.takeError()), HasSubstr("of 9 tried 0 lose more than 1 points, 9 "
                                                   "exceed the budget (the smallest needs "));
  auto none = [](const std::vector<std::string> &) -> llvm::Expected<HybridTrial> {
    return inputError("somewhere", "weights too large");
  };
  found = chooseHybrid({kLayers, true, 1}, optionsWith(100, 1), none, measure);
  EXPECT_EQ(toText(found.takeError()), "somewhere: error: weights too large");
}

/// The fewest cycles of layers one after the other, with any forms of so many products.
double fewestInSum(llvm::ArrayRef<TensorChoice> layers, double most) {
  if (layers.empty())
    return 0;
  double best = INFINITY;
  for (const TensorForm &form : layers.front().forms)
    if (double(form.products) <= most)
      best = std::min(best, double(form.cycles) +
                                fewestInSum(layers.drop_front(), most - double(form.products)));
  return best;
}

/// Layers one after the other share products by what they gain.
TEST(HybridSearch, SumsAreNearTheFewestCycles) {
  CounterRandom random(11);
  double ratios = 0;
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<TensorChoice> layers(1 + random.below(4));
    for (TensorChoice &layer : layers) {
      int64_t neurons = int64_t(1) << random.below(6), inputs = 1 + random.below(500);
      for (int64_t lanes = 1; lanes <= neurons; lanes *= 2)
        layer.forms.push_back({lanes, 1, lanes, neurons / lanes * inputs});
    }
    std::vector<TensorChoice> widest = layers;
    ASSERT_TRUE(balanceSum(widest, INFINITY));
    for (const TensorChoice &layer : widest)
      EXPECT_EQ(double(layer.form().cycles), fastest(layer));
    double most = double(layers.size()) + double(random.below(60)), cycles = 0;
    ASSERT_TRUE(balanceSum(layers, most));
    EXPECT_LE(double(productsOf(layers)), most);
    for (const TensorChoice &layer : layers)
      cycles += double(layer.form().cycles);
    double least = fewestInSum(layers, most);
    EXPECT_LE(cycles, 2 * least) << trial;
    ratios += cycles / least / 200;
    for (TensorChoice &layer : layers)
      layer.chosen = 0;
    EXPECT_FALSE(balanceSum(layers, double(layers.size()) - 1));
  }
  EXPECT_LE(ratios, 1.05);
}

/// Lanes that are looked for are whole shares of what the layer behind takes at a time.
TEST(HybridSearch, LanesGoWithTheInputsBehind) {
  Divided divided;
  CircuitOptions options = optionsWith(100, 1e6);
  options.picksLanes = true;
  options.layers["d"] = {4, 2, LayerStyle::Event};
  LoopProgram program = llvm::cantFail(snnToLoops(*divided({"c", "d"}), options));
  EXPECT_EQ(program.lanes.at("c"), (std::vector<int64_t>{2, 4, 8}));
}

/// Of one layer there is one division, and a layer that is given as a tensor is one.
TEST(HybridSearch, TriesWhatIsAskedFor) {
  std::set<std::vector<std::string>> tried;
  auto tryHybrid = [&](const std::vector<std::string> &tensor) -> llvm::Expected<HybridTrial> {
    tried.insert(tensor);
    return inputError("", "enough");
  };
  llvm::consumeError(
      chooseHybrid({{"a"}, true, 1}, optionsWith(100, 1e6), tryHybrid, measure).takeError());
  EXPECT_EQ(tried, (std::set<std::vector<std::string>>{{}}));
  tried.clear();
  CircuitOptions options = optionsWith(100, 1e6);
  options.layers["c"] = {4, 1, LayerStyle::Event, LayerKind::Tensor};
  llvm::consumeError(chooseHybrid({kLayers, true, 1}, options, tryHybrid, measure).takeError());
  EXPECT_EQ(tried, (std::set<std::vector<std::string>>{
                       {"a", "b"}, {"a", "b", "d"}, {"a", "c", "d"}, {"b", "c", "d"}, {"c", "d"}}));
  tried.clear();
  const LayerOptions tensor = options.layers["c"];
  LayerOptions spiking{4, 1, LayerStyle::Event, LayerKind::Spiking, true};
  options.layers = {{"b", spiking}, {"c", spiking}};
  llvm::consumeError(chooseHybrid({kLayers, true, 1}, options, tryHybrid, measure).takeError());
  EXPECT_EQ(tried, (std::set<std::vector<std::string>>{{}, {"a"}, {"a", "d"}, {"d"}}));
  options.layers = {{"a", spiking}, {"b", tensor}, {"c", spiking}};
  EXPECT_THAT(
      toText(chooseHybrid({kLayers, true, 1}, options, tryHybrid, measure).takeError()),
      HasSubstr("as: auto found no division in which layers are what hardware.layers says (as)"));
}

} // namespace
