#include "lib/conversion/fixed-point/FixedPointNetwork.h"

#include "dialects/location/Location.h"
#include "dialects/snn/IntegerRange.h"
#include "dialects/snn/Snn.h"
#include "dialects/snn/transforms/Passes.h"
#include "lib/conversion/fixed-point/IntegerCheck.h"

#include "fmt/format.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"

#include <cmath>

using namespace mlir;

namespace spindle {

/// Operations are known by their layers: where a stage file has them helps nobody.
static void nameLayers(ModuleOp module) {
  module.walk([](Operation *op) {
    if (StringRef layer = snn::layerOf(op); !layer.empty())
      op->setLoc(NameLoc::get(StringAttr::get(op->getContext(), "layer '" + layer + "' ")));
    else if (isa_and_nonnull<snn::SnnDialect>(op->getDialect()))
      op->setLoc(
          NameLoc::get(StringAttr::get(op->getContext(), op->getName().getStringRef() + " ")));
  });
}

/// Options of passes are keys of the section here.
static std::string withKeys(std::string message) {
  for (StringRef option :
       {"weight-bits", "membrane-bits", "fraction-bits", "decay-bits", "input-bits"})
    for (size_t at; (at = message.find(option)) != std::string::npos;)
      message[at + option.find('-')] = '_';
  return message;
}

/// Whether @main reads its input as values rather than as recorded events.
static bool readsValues(ModuleOp module) {
  auto function = module.lookupSymbol<func::FuncOp>("main");
  return function && !function.isExternal() && function.getNumArguments() > 0 &&
         llvm::any_of(function.getArgument(0).getUsers(), [](Operation *user) {
           auto encode = dyn_cast<snn::EncodeOp>(user);
           return !encode || encode.getEncoding() != snn::Encoding::Events;
         });
}

/// Accumulators are as wide as spikes that come once in a step need.
static llvm::Error checkEvents(ModuleOp module) {
  bool readsEvents = module
                         .walk([](snn::EncodeOp encode) {
                           return encode.getEncoding() == snn::Encoding::Events
                                      ? WalkResult::interrupt()
                                      : WalkResult::advance();
                         })
                         .wasInterrupted();
  if (!readsEvents)
    return llvm::Error::success();
  return inputError("fixed_point", "integers: all needs events that come once in a step, for the "
                                   "widths of sums, and an element of the data set may have "
                                   "several; give dataset.binary: true");
}

/// Zero is an integer: zeros around an image stay what they are.
static snn::SnnQuantizeInputOptions inputFormat(std::pair<float, float> range, int64_t bits) {
  float least = std::min(range.first, 0.0f), greatest = std::max(range.second, 0.0f);
  int64_t levels = (int64_t(1) << bits) - 1;
  snn::SnnQuantizeInputOptions format;
  format.unit = greatest > least ? (greatest - least) / float(levels) : 1;
  format.low = int64_t(std::floor(least / format.unit + 0.5f));
  format.high = format.low + levels;
  return format;
}

static llvm::Expected<snn::SnnQuantizeInputOptions> inputFormat(const FixedPointOptions &options,
                                                                const FixedPointUse &use) {
  if (!options.inputRange.empty())
    return inputFormat({float(options.inputRange[0]), float(options.inputRange[1])},
                       options.inputBits);
  if (!use.inputRange)
    return inputError("fixed_point", "integers: all needs the range of the input, and there is no "
                                     "calibration to take it from; give input_range: [least, "
                                     "greatest]");
  return inputFormat(*use.inputRange, options.inputBits);
}

llvm::Error toFixedPoint(ModuleOp module, const FixedPointOptions &options,
                         const FixedPointUse &use) {
  bool all = options.integers == IntegerReach::All;
  if (all && use.repeatsEvents)
    SPINDLE_RETURN_IF_ERROR(checkEvents(module));
  snn::SnnQuantizeWeightsOptions weights;
  weights.bits = unsigned(options.weightBits);
  weights.perChannel = options.perChannel;
  weights.integers = all;
  weights.steps = unsigned(use.steps);
  llvm::SmallVector<std::string> layerBits;
  for (const auto &[layer, bits] : options.bitsOf)
    layerBits.push_back(fmt::format("{}={}", layer, bits));
  weights.layerBits.assign(layerBits.begin(), layerBits.end());
  snn::SnnFixedPointNeuronsOptions neurons;
  neurons.membraneBits = unsigned(options.membraneBits);
  neurons.fractionBits = int(options.fractionBits);
  neurons.decayBits = unsigned(options.decayBits);
  neurons.integers = all;
  neurons.readoutBits = int(options.readoutBits);
  neurons.steps = use.steps;
  PassManager passes(module.getContext());
  passes.addPass(snn::createSnnComposeLinear({/*rows=*/true}));
  if (all) {
    snn::SnnQuantizeInputOptions input;
    if (readsValues(module)) {
      SPINDLE_ASSIGN(input, inputFormat(options, use));
    }
    passes.addNestedPass<func::FuncOp>(snn::createSnnQuantizeInput(input));
  }
  passes.addNestedPass<func::FuncOp>(snn::createSnnQuantizeWeights(weights));
  passes.addNestedPass<func::FuncOp>(snn::createSnnFixedPointNeurons(neurons));
  nameLayers(module);
  std::string layer, message; // passes print unless someone listens
  ScopedDiagnosticHandler listen(module.getContext(), [&](Diagnostic &diagnostic) {
    if (message.empty()) {
      if (isa<NameLoc>(diagnostic.getLocation()))
        layer = placeOf(diagnostic.getLocation());
      message = diagnostic.str();
    }
    return success();
  });
  if (failed(passes.run(module)))
    return inputError("fixed_point", layer + withKeys(message));
  return all ? checkIntegers(module, options.accumulatorBits) : llvm::Error::success();
}

std::vector<FixedPointLayer> fixedPointLayers(ModuleOp module) {
  std::vector<FixedPointLayer> layers;
  module.walk([&](snn::SynapseOp op) {
    if (!op.hasWeights())
      return;
    FailureOr<std::vector<float>> weights = snn::constantFloats(op->getOperand(1));
    FailureOr<unsigned> accumulator = snn::accumulatorBits(op);
    if (failed(weights) || failed(accumulator))
      return;
    snn::IntegerRange range;
    for (float weight : *weights)
      range = {std::min(range.lowest, double(weight)), std::max(range.highest, double(weight)), 0};
    layers.push_back({snn::layerOf(op).str(), std::max(range.bits(), 2u), *accumulator});
  });
  return layers;
}

/// Whether averages lie between a current and the spikes that it is made of.
static bool hasAverages(Value signal) {
  Operation *op = signal.getDefiningOp();
  if (isa_and_nonnull<snn::AvgPool2dOp>(op))
    return true;
  return isa_and_nonnull<snn::SynapseOp>(op) && llvm::any_of(op->getOperands(), hasAverages);
}

static const char *whyLeft(snn::NeuronOp op) {
  if (!op.neuronModel().spikes())
    return "it does not spike";
  if (llvm::any_of(op.getSources(), hasAverages))
    return "averages of windows that reach beyond the image drive it";
  return "direct encoding drives it";
}

FixedPointReach fixedPointReach(ModuleOp module) {
  FixedPointReach reach;
  module.walk([&](snn::NeuronOp op) {
    std::string name = snn::layerOf(op).str();
    if (auto readout = dyn_cast<snn::FixedLiOp>(op.getOperation()))
      reach.readouts.push_back({name, readout.getMembraneBits()});
    else if (op.neuronModel().isFixedPoint())
      reach.reached.push_back(name);
    else
      reach.left.push_back({name, whyLeft(op)});
  });
  return reach;
}

} // namespace spindle
