#include "lib/conversion/fixed-point/FixedPointNetwork.h"

#include "dialects/location/Location.h"
#include "dialects/snn/Snn.h"
#include "dialects/snn/transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"

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
  for (StringRef option : {"weight-bits", "membrane-bits", "fraction-bits", "decay-bits"})
    for (size_t at; (at = message.find(option)) != std::string::npos;)
      message[at + option.find('-')] = '_';
  return message;
}

llvm::Error toFixedPoint(ModuleOp module, const FixedPointOptions &options) {
  snn::SnnQuantizeWeightsOptions weights;
  weights.bits = unsigned(options.weightBits);
  weights.perChannel = options.perChannel;
  snn::SnnFixedPointNeuronsOptions neurons;
  neurons.membraneBits = unsigned(options.membraneBits);
  neurons.fractionBits = int(options.fractionBits);
  neurons.decayBits = unsigned(options.decayBits);
  PassManager passes(module.getContext());
  passes.addPass(snn::createSnnComposeLinear());
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
  return llvm::Error::success();
}

FixedPointReach fixedPointReach(ModuleOp module) {
  FixedPointReach reach;
  module.walk([&](snn::NeuronOp op) {
    std::string name = snn::layerOf(op).str();
    if (isa<snn::FixedLifOp>(op))
      reach.reached.push_back(name);
    else
      reach.left.push_back(
          {name, op.neuronModel().spikes() ? "direct encoding drives it" : "it does not spike"});
  });
  return reach;
}

} // namespace spindle
