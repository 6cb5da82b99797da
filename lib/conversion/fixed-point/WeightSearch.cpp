#include "lib/conversion/fixed-point/WeightSearch.h"

#include "dialects/snn/Snn.h"
#include "dialects/snn/transforms/Passes.h"

#include "mlir/Pass/PassManager.h"

#include <algorithm>

using namespace mlir;

namespace spindle {

namespace {

constexpr int64_t kFewestBits = 2, kMostWeightBits = 16;
constexpr int64_t kHeadroom = 2; // bits above the uniform width, from where layers are narrowed

using Widths = std::map<std::string, int64_t>;

class Narrowing {
public:
  Narrowing(const std::vector<WeightedLayer> &all, double most, WeightJudge judging)
      : layers(all), maxLoss(most), judge(judging) {}

  llvm::Expected<WeightSearch> run() {
    SPINDLE_ASSIGN(WeightSearch uniform, narrowAll());
    if (!uniform.proven)
      return finished(uniform);
    SPINDLE_ASSIGN(WeightSearch wider, headroomOver(uniform.bitsOf.begin()->second));
    SPINDLE_ASSIGN(WeightSearch single, narrowEach(std::move(wider)));
    if (memoryOf(single.bitsOf) < memoryOf(uniform.bitsOf))
      return finished(single);
    SPINDLE_ASSIGN(WeightSearch lean, narrowEach(std::move(uniform)));
    return finished(lean);
  }

private:
  bool isWithin(const WeightLoss &loss) const {
    return loss.isExpressed && loss.points + loss.margin <= maxLoss;
  }

  uint64_t memoryOf(const Widths &bitsOf) const {
    uint64_t bits = 0;
    for (const WeightedLayer &layer : layers)
      bits += layer.weights * uint64_t(bitsOf.at(layer.name));
    return bits;
  }

  Widths all(int64_t bits) const {
    Widths bitsOf;
    for (const WeightedLayer &layer : layers)
      bitsOf[layer.name] = bits;
    return bitsOf;
  }

  llvm::Expected<WeightLoss> lossOf(const Widths &bitsOf) {
    if (auto found = known.find(bitsOf); found != known.end())
      return found->second;
    SPINDLE_ASSIGN(WeightLoss loss, judge(bitsOf));
    return known[bitsOf] = loss;
  }

  /// The first width within the loss, for all layers; else the widest that can be expressed.
  llvm::Expected<WeightSearch> narrowAll() {
    WeightSearch found;
    found.bitsOf = all(kMostWeightBits);
    found.loss.isExpressed = found.proven = false;
    for (int64_t bits = kFewestBits; bits <= kMostWeightBits && !found.proven; ++bits) {
      SPINDLE_ASSIGN(WeightLoss loss, lossOf(all(bits)));
      if (loss.isExpressed || !found.loss.isExpressed)
        found = {all(bits), loss, 0, isWithin(loss)};
    }
    return found;
  }

  /// Some bits more for all layers, as far as they can be expressed.
  llvm::Expected<WeightSearch> headroomOver(int64_t uniform) {
    WeightSearch found;
    int64_t bits = std::min(uniform + kHeadroom, kMostWeightBits) + 1;
    do {
      found.bitsOf = all(--bits);
      SPINDLE_ASSIGN(found.loss, lossOf(found.bitsOf));
    } while (!found.loss.isExpressed && bits > uniform);
    return found;
  }

  /// Layer by layer, until none can be narrower.
  llvm::Expected<WeightSearch> narrowEach(WeightSearch found) {
    std::vector<const WeightedLayer *> open;
    for (const WeightedLayer &layer : layers)
      open.push_back(&layer);
    while (!open.empty()) {
      const WeightedLayer *best = nullptr;
      WeightLoss least;
      std::vector<const WeightedLayer *> still;
      for (const WeightedLayer *layer : open) {
        Widths narrower = found.bitsOf;
        if (--narrower[layer->name] < kFewestBits)
          continue;
        SPINDLE_ASSIGN(WeightLoss loss, lossOf(narrower));
        if (!isWithin(loss))
          continue;
        still.push_back(layer);
        bool isTie = best && loss.points == least.points;
        if (!best || loss.points < least.points || (isTie && layer->weights > best->weights)) {
          best = layer;
          least = loss;
        }
      }
      if (best) {
        --found.bitsOf[best->name];
        found.loss = least;
      }
      open = std::move(still);
    }
    return found;
  }

  WeightSearch finished(WeightSearch found) const {
    found.tried = known.size();
    return found;
  }

  const std::vector<WeightedLayer> &layers;
  double maxLoss;
  WeightJudge judge;
  std::map<Widths, WeightLoss> known;
};

} // namespace

std::vector<WeightedLayer> weightedLayers(ModuleOp network, IntegerReach reach) {
  OwningOpRef<ModuleOp> merged = network.clone();
  PassManager passes(network.getContext());
  passes.addPass(snn::createSnnComposeLinear({/*rows=*/true}));
  std::vector<WeightedLayer> layers;
  if (failed(passes.run(*merged)))
    return layers;
  merged->walk([&](snn::SynapseOp op) {
    std::string name = snn::layerOf(op).str();
    bool isReached = reach == IntegerReach::All || snn::runsInTime(op.getTarget().getType());
    if (!op.hasWeights() || !isReached || name.empty())
      return;
    auto same = std::find_if(layers.begin(), layers.end(),
                             [&](const WeightedLayer &layer) { return layer.name == name; });
    if (same == layers.end())
      same = layers.insert(layers.end(), WeightedLayer{name, 0});
    same->weights += uint64_t(snn::sizeOf(op->getOperand(1)));
  });
  return layers;
}

llvm::Expected<WeightSearch> searchWeightBits(const std::vector<WeightedLayer> &layers,
                                              double maxLoss, WeightJudge judge) {
  if (layers.empty())
    return inputError("fixed_point", "weight_bits: auto finds no layer of weights with a name, "
                                     "expected one; give weight_bits: 8");
  return Narrowing(layers, maxLoss, judge).run();
}

} // namespace spindle
