#include "lib/conversion/fixed-point/FixedPointNetwork.h"

#include "dialects/snn/Location.h"
#include "dialects/snn/transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;

namespace spindle {

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
  std::string place, message; // passes print unless someone listens
  ScopedDiagnosticHandler listen(module.getContext(), [&](Diagnostic &diagnostic) {
    if (message.empty()) {
      place = snn::placeOf(diagnostic.getLocation());
      message = diagnostic.str();
    }
    return success();
  });
  if (failed(passes.run(module)))
    return inputError(place, "fixed_point: " + message);
  return llvm::Error::success();
}

} // namespace spindle
