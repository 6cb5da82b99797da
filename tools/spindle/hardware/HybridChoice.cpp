#include "tools/spindle/stages/HybridChoice.h"

#include "dialects/hls/Hls.h"
#include "dialects/snn/Names.h"
#include "dialects/snn/Snn.h"
#include "lib/conversion/ann-to-snn/ConvertNetwork.h"
#include "lib/conversion/trials/HeldSamples.h"
#include "tools/spindle/hardware/NetworkCircuit.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include "fmt/format.h"

#include <limits>
#include <numeric>

namespace spindle {

namespace {

llvm::Error checkSections(const Flow &flow) {
  if (!flow.conversion.tensor.empty())
    return inputError("hardware", "as: auto looks for the layers that conversion.tensor names, "
                                  "expected one of both");
  if (!flow.hasFixedPoint || flow.fixedPoint.integers != IntegerReach::All)
    return inputError("hardware", "as: auto makes tensor kernels, which work on integers, expected "
                                  "fixed_point.integers: all");
  if (flow.fixedPoint.searchesBits)
    return inputError("hardware", "as: auto judges networks of given bits, found "
                                  "fixed_point.weight_bits: auto, expected a number");
  if (!flow.hardware.tile.empty())
    return inputError("hardware", "found as: auto beside a tile, whose circuit is one layer, "
                                  "expected one of both");
  return llvm::Error::success();
}

/// What the flow says of single layers fits the search: it names some with weights, all of them of
/// style event.
llvm::Error checkLayers(const CircuitOptions &options, llvm::ArrayRef<std::string> weighted) {
  if (weighted.empty())
    return inputError("hardware", "as: auto found no layer with weights in the network, expected "
                                  "one at least");
  for (const auto &[name, layer] : options.layers)
    if (layer.style == LayerStyle::Clock)
      return inputError("hardware", fmt::format("found layer '{}' in style clock beside as: auto, "
                                                "expected style: event",
                                                name));
  return llvm::Error::success();
}

/// A DSP block has two products of up to eight bits, and where the part has no blocks cells make
/// them: the estimate says what fits.
double productsPerBlock(const Flow &flow, const hls::Target &target) {
  if (target.capacity && target.capacity->dsp == 0 && flow.hardware.budget == kUnlimited)
    return std::numeric_limits<double>::infinity();
  return flow.fixedPoint.weightBits <= 8 && flow.fixedPoint.inputBits <= 8 ? 2 : 1;
}

/// Those with weights, in their order.
std::vector<std::string> weightedLayers(mlir::ModuleOp ann) {
  std::vector<std::string> names;
  ann.walk([&](mlir::Operation *op) {
    if (llvm::isa<snn::DenseOp, snn::Conv2dOp>(op))
      names.push_back(snn::layerOf(op).str());
  });
  return names;
}

/// Converts with given tensor layers, and judges.
class Trials {
public:
  Trials(const Flow &of, mlir::ModuleOp original, const Samples &samples, FixedPointUse fixed,
         NetworkTrials &networks)
      : flow(of), ann(original), use(std::move(fixed)), trials(networks),
        isLabelled(samples.labelled) {
    std::vector<size_t> indices(samples.count());
    std::iota(indices.begin(), indices.end(), size_t(0));
    llvm::ArrayRef<size_t> all = indices;
    size_t half = samples.count() / 2;
    fit = subset(samples, all.take_front(half));
    judging = subset(samples, all.drop_front(half));
  }

  llvm::Error classify() {
    SPINDLE_ASSIGN(std::vector<uint32_t> answers, trials.classify(ann, judging));
    if (!isLabelled) // the ANN is right
      judging.labels = answers;
    held = holdBack(judging, answers);
    return llvm::Error::success();
  }

  llvm::Expected<HybridTrial> operator()(const std::vector<std::string> &tensor) const {
    ConversionOptions options = flow.conversion;
    options.tensor = tensor;
    SPINDLE_ASSIGN(SpikingNetwork network, convertNetwork(ann, fit, options, trials, flow.path));
    FixedPointUse with = use;
    with.steps = int64_t(network.summary.steps);
    SPINDLE_RETURN_IF_ERROR(toFixedPoint(*network.module, flow.fixedPoint, with));
    HybridTrial trial;
    trial.loss = double(held.right.count());
    for (const Samples *samples : {&held.right, &held.wrong}) {
      if (samples->count() == 0)
        continue;
      SPINDLE_ASSIGN(EmulationSummary found, trials.emulate(*network.module, *samples, with.steps));
      trial.loss -= double(found.correctByStep.back());
      for (size_t n = 0; n < found.populations.size(); ++n)
        trial.rates[found.populations[n].name] += double(found.spikes[n]) / double(held.count());
    }
    trial.loss *= 100 / double(held.count());
    trial.steps = with.steps;
    trial.network = std::move(network.module);
    return trial;
  }

private:
  const Flow &flow;
  mlir::ModuleOp ann;
  FixedPointUse use;
  NetworkTrials &trials;
  bool isLabelled;
  Samples fit, judging;
  HeldSamples held;
};

} // namespace

llvm::Expected<Hybrid> chooseKinds(const StageRun &run, mlir::ModuleOp ann,
                                   const Samples &calibration, const FixedPointUse &use,
                                   NetworkTrials &trials) {
  const Flow &flow = run.flow;
  SPINDLE_RETURN_IF_ERROR(checkSections(flow));
  if (calibration.count() < 2)
    return inputError(flow.path, "hardware.as: auto needs two calibration samples or more; raise "
                                 "dataset.calibration.limit");
  ann->getContext()
      ->loadDialect<mlir::affine::AffineDialect, mlir::memref::MemRefDialect, mlir::scf::SCFDialect,
                    hls::HlsDialect>();
  llvm::Expected<hls::Target> target = targetOf(flow);
  if (!target)
    return inSection(target.takeError(), flow.places.at("hardware"));
  CircuitOptions options = flow.hardware;
  options.steps = flow.emulation.steps;
  if (options.budget == kUnlimited && target->capacity)
    options.budget = *target->capacity;
  HybridQuestion question{weightedLayers(ann), flow.conversion.encoding == InputEncoding::Direct,
                          flow.conversion.maxLoss, productsPerBlock(flow, *target)};
  SPINDLE_RETURN_IF_ERROR(checkLayers(options, question.layers));
  Trials tryHybrid(flow, ann, calibration, use, trials);
  SPINDLE_RETURN_IF_ERROR(tryHybrid.classify());
  auto measure = [&](const LoopProgram &program) -> llvm::Expected<CircuitCost> {
    SPINDLE_ASSIGN(NetworkCircuit circuit, makeCircuit(program, *target, "original.mlir"));
    return std::move(circuit.cost);
  };
  llvm::Expected<Hybrid> found = chooseHybrid(question, options, tryHybrid, measure);
  if (!found)
    return inSection(found.takeError(), "hardware");
  return found;
}

} // namespace spindle
