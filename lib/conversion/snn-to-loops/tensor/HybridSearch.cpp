#include "lib/conversion/snn-to-loops/tensor/HybridSearch.h"

#include "dialects/snn/Names.h"
#include "lib/conversion/snn-to-loops/SnnToLoops.h"
#include "lib/conversion/snn-to-loops/tensor/TensorForms.h"

#include "fmt/format.h"

#include <algorithm>
#include <cmath>

using namespace mlir;

namespace spindle {

namespace {

/// A division of the layers that loses little enough.
struct Division {
  std::vector<std::string> tensor;
  HybridTrial trial;
  std::vector<TensorChoice> kernels;
  double spiking = 0; // cycles of what spikes, at full lanes
  double least = 0;   // of all
};

class HybridSearch {
public:
  HybridSearch(const HybridQuestion &asked, const CircuitOptions &given, const TryHybrid &trial,
               const MeasureCircuit &circuit)
      : question(asked), options(given), tryHybrid(trial), measure(circuit) {}

  llvm::Expected<Hybrid> run();

private:
  bool isSum() const {
    return options.objective == LaneObjective::Latency || options.isCentralised();
  }
  llvm::Error tryAll();
  double mostProducts() const {
    return std::isinf(question.products) ? question.products
                                         : options.budget.dsp * question.products;
  }
  bool balanced(Division &division, double enough) const;
  bool isWanted(const Division &division, const std::vector<std::string> &kernels) const;
  void refuse(llvm::Error error);
  llvm::Error noneLeft();
  llvm::Error tryOne(size_t firstSpiking, size_t firstBehind);
  llvm::Error bound(Division &division);
  static CircuitOptions withKernels(const CircuitOptions &options, const Division &division);
  llvm::Expected<std::optional<LaneChoice>> measured(Division &division);
  llvm::Expected<std::optional<LaneChoice>>
  measuredFaster(Division &division, std::optional<LaneChoice> choice, double enough);
  llvm::Expected<std::optional<LaneChoice>> measuredOnce(const Division &division);

  const HybridQuestion &question;
  const CircuitOptions &options;
  const TryHybrid &tryHybrid;
  const MeasureCircuit &measure;
  std::vector<Division> divisions;
  std::unique_ptr<SpindleError> refusal; // of the first division that has no circuit
  hls::DeviceArea smallest = kUnlimited; // of the circuits that are too large, by LUTs
  size_t tried = 0, tooLossy = 0, tooLarge = 0, refused = 0;
};

/// The kernels of a network: of layers that stay tensors, and of the products in front of the first
/// population.
std::vector<TensorChoice> kernelsOf(ModuleOp network, const std::vector<std::string> &names) {
  std::vector<TensorChoice> kernels;
  network.walk([&](Operation *op) {
    if (!llvm::is_contained(names, snn::layerOf(op).str()))
      return;
    if (auto dense = dyn_cast<snn::DenseOp>(op))
      kernels.push_back(choiceOf(dense));
    else if (auto convolution = dyn_cast<snn::Conv2dOp>(op))
      kernels.push_back(choiceOf(convolution));
  });
  return kernels;
}

llvm::Error HybridSearch::tryAll() {
  size_t count = question.layers.size();
  for (size_t first = 0; first == 0 || first + 1 < count; ++first) {
    for (size_t behind = first + 1; behind <= count; ++behind)
      SPINDLE_RETURN_IF_ERROR(tryOne(first, behind));
    if (!question.readsPixels)
      break;
  }
  return llvm::Error::success();
}

llvm::Error HybridSearch::tryOne(size_t firstSpiking, size_t firstBehind) {
  Division division;
  for (size_t n = 0; n < question.layers.size(); ++n)
    if (n < firstSpiking || n >= firstBehind)
      division.tensor.push_back(question.layers[n]);
  std::vector<std::string> names = division.tensor;
  if (question.readsPixels)
    names.push_back(question.layers[firstSpiking]);
  if (!isWanted(division, names))
    return llvm::Error::success();
  ++tried;
  llvm::Expected<HybridTrial> trial = tryHybrid(division.tensor);
  if (!trial) { // weights too large for the levels, for example
    refuse(trial.takeError());
    return llvm::Error::success();
  }
  if (trial->loss > question.maxLoss) {
    ++tooLossy;
    return llvm::Error::success();
  }
  division.trial = std::move(*trial);
  division.kernels = kernelsOf(*division.trial.network, names);
  if (llvm::Error error = bound(division))
    refuse(std::move(error));
  return llvm::Error::success();
}

/// Layers that are given as tensors are among the kernels, and those that are given as spiking do.
bool HybridSearch::isWanted(const Division &division,
                            const std::vector<std::string> &kernels) const {
  return llvm::all_of(question.layers, [&](const std::string &name) {
    auto own = options.layers.find(name);
    if (own == options.layers.end())
      return true;
    if (own->second.kind == LayerKind::Tensor)
      return llvm::is_contained(kernels, name);
    return !own->second.isToSpike || !llvm::is_contained(division.tensor, name);
  });
}

bool HybridSearch::balanced(Division &division, double enough) const {
  return isSum() ? balanceSum(division.kernels, mostProducts(), enough)
                 : balance(division.kernels, mostProducts(), enough);
}

/// There is no circuit of this division.
void HybridSearch::refuse(llvm::Error error) {
  ++refused;
  llvm::handleAllErrors(std::move(error), [&](std::unique_ptr<SpindleError> each) {
    if (!refusal)
      refusal = std::move(each);
  });
}

/// What spikes at full lanes, and kernels that are no slower, as far as there are products.
llvm::Error HybridSearch::bound(Division &division) {
  if (double(productsOf(division.kernels)) > mostProducts()) {
    ++tooLarge;
    return llvm::Error::success();
  }
  CircuitOptions widest = withKernels(options, division);
  SPINDLE_ASSIGN(LoopProgram program, snnToLoops(*division.trial.network, widest));
  std::vector<double> spiking;
  for (const auto &[name, cycles] : processCycles(program, division.trial.rates))
    if (llvm::none_of(division.kernels,
                      [&](const TensorChoice &kernel) { return kernel.name == name; }))
      spiking.push_back(cycles);
  division.spiking = spiking.empty() ? 0 : combinedCycles(spiking, isSum());
  balanced(division, isSum() ? 0 : division.spiking);
  std::vector<double> all{division.spiking};
  for (const TensorChoice &kernel : division.kernels)
    all.push_back(isSum() ? fastest(kernel) : double(kernel.form().cycles));
  division.least = combinedCycles(all, isSum());
  divisions.push_back(std::move(division));
  return llvm::Error::success();
}

CircuitOptions HybridSearch::withKernels(const CircuitOptions &options, const Division &division) {
  CircuitOptions with = options;
  if (division.trial.steps > 0)
    with.steps = division.trial.steps;
  for (const TensorChoice &kernel : division.kernels)
    with.layers[kernel.name] = {kernel.form().lanes, kernel.form().inputs, LayerStyle::Event,
                                LayerKind::Tensor};
  return with;
}

llvm::Expected<std::optional<LaneChoice>> HybridSearch::measuredOnce(const Division &division) {
  CircuitOptions with = withKernels(options, division);
  if (with.picksLanes)
    return findLanes(*division.trial.network, with, division.trial.rates, measure);
  SPINDLE_ASSIGN(LoopProgram program, snnToLoops(*division.trial.network, with));
  SPINDLE_ASSIGN(CircuitCost cost, measure(program));
  if (!hls::excessText(cost.whole, options.budget).empty()) {
    if (cost.whole.lut < smallest.lut)
      smallest = cost.whole;
    return std::nullopt;
  }
  std::map<std::string, double> cycles = processCycles(program, division.trial.rates, cost);
  return std::optional(LaneChoice{with, cyclesOfAll(cycles, isSum()), cost.whole});
}

/// A kernel hands words on, too, which its form does not count: where that makes it the slowest,
/// with faster ones.
llvm::Expected<std::optional<LaneChoice>>
HybridSearch::measuredFaster(Division &division, std::optional<LaneChoice> choice, double enough) {
  if (!choice || isSum() || choice->cycles <= enough)
    return choice;
  double slowest = 0;
  for (const TensorChoice &kernel : division.kernels)
    slowest = std::max(slowest, double(kernel.form().cycles));
  balanced(division, slowest - 1);
  SPINDLE_ASSIGN(std::optional<LaneChoice> faster, measuredOnce(division));
  return faster && faster->cycles < choice->cycles ? faster : choice;
}

/// Where the circuit is too large, with slower kernels.
llvm::Expected<std::optional<LaneChoice>> HybridSearch::measured(Division &division) {
  constexpr int kMostTries = 4;
  double enough = std::max(division.spiking, division.least);
  std::vector<size_t> before;
  for (int attempt = 0; attempt < kMostTries; ++attempt, enough *= 2) {
    std::vector<size_t> chosen;
    for (const TensorChoice &kernel : division.kernels)
      chosen.push_back(kernel.chosen);
    if (attempt == 0 || chosen != before) {
      SPINDLE_ASSIGN(std::optional<LaneChoice> choice, measuredOnce(division));
      if (choice)
        return measuredFaster(division, std::move(choice), enough);
    }
    before = std::move(chosen);
    for (TensorChoice &kernel : division.kernels)
      kernel.chosen = 0;
    balanced(division, 2 * enough);
  }
  return std::nullopt;
}

llvm::Error HybridSearch::noneLeft() {
  if (tried == 0)
    return inputError("", "as: auto found no division in which layers are what hardware.layers "
                          "says (as)");
  if (refused == tried)
    return llvm::Error(std::move(refusal));
  std::string why = fmt::format("{} lose more than {:g} points, {} exceed the budget", tooLossy,
                                question.maxLoss, tooLarge);
  if (smallest.lut < kUnlimited.lut)
    why += fmt::format(" (the smallest needs {})", hls::excessText(smallest, options.budget));
  if (refused > 0)
    why += fmt::format(", {} have no circuit (the first: {})", refused, refusal->message);
  return inputError("", fmt::format("as: auto found no division of {} layers: of {} tried {}; "
                                    "raise conversion.max_loss, emulation.steps or "
                                    "hardware.budget",
                                    question.layers.size(), tried, why));
}

llvm::Expected<Hybrid> HybridSearch::run() {
  SPINDLE_RETURN_IF_ERROR(tryAll());
  std::stable_sort(divisions.begin(), divisions.end(),
                   [](const Division &a, const Division &b) { return a.least < b.least; });
  std::optional<Hybrid> best;
  for (Division &division : divisions) {
    if (best && division.least >= best->cycles)
      break;
    SPINDLE_ASSIGN(std::optional<LaneChoice> choice, measured(division));
    if (!choice) {
      ++tooLarge;
      continue;
    }
    if (!best || choice->cycles < best->cycles)
      best = Hybrid{division.tensor,
                    std::move(choice->options),
                    choice->cycles,
                    division.trial.loss,
                    choice->area,
                    0,
                    0,
                    0};
  }
  if (!best)
    return noneLeft();
  best->tried = tried;
  best->tooLossy = tooLossy;
  best->tooLarge = tooLarge;
  return std::move(*best);
}

} // namespace

llvm::Expected<Hybrid> chooseHybrid(const HybridQuestion &question, const CircuitOptions &options,
                                    const TryHybrid &tryHybrid, const MeasureCircuit &measure) {
  return HybridSearch(question, options, tryHybrid, measure).run();
}

} // namespace spindle
