#include "lib/frontend/network/NetworkImport.h"

#include "dialects/location/Location.h"
#include "dialects/snn/transforms/Passes.h"
#include "lib/frontend/network/NetworkBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;

namespace spindle {

/// Whether a rule makes, or happened to draw, no synapse. Where many are expected that does not
/// happen.
static bool isEmpty(const network::Projection &projection, uint64_t seed) {
  constexpr double kMany = 64; // none of so many, each drawn by itself: a probability of e^-64
  return network::expectedSynapses(projection.rule, projection.ends) < kMany &&
         network::connect(projection.rule, projection.ends, seed, projection.name).sources.empty();
}

/// A projection without synapses is allowed, but hardly meant.
static void warnOfEmptyProjections(MLIRContext &context, const network::Description &description) {
  for (const network::Projection &projection : description.projections)
    if (isEmpty(projection, description.seed))
      mlir::emitWarning(locationOf(context, projection.place))
          << "projection '" << projection.name
          << "' connects nothing, expected a synapse or more; leave it out or change 'connect'";
}

llvm::Expected<OwningOpRef<ModuleOp>> importNetwork(MLIRContext &context,
                                                    const ModelOptions &options) {
  context.loadDialect<snn::SnnDialect, func::FuncDialect, arith::ArithDialect>();
  SPINDLE_ASSIGN(network::Description description,
                 network::readDescription(options.path, options.networkSeed));
  warnOfEmptyProjections(context, description);
  SPINDLE_ASSIGN(network::Order order, network::orderPopulations(description, options.path));
  SPINDLE_ASSIGN(OwningOpRef<ModuleOp> module,
                 network::NetworkBuilder(context, description, order).run());
  std::string message;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    if (message.empty())
      message = diagnostic.str();
    return success();
  });
  if (failed(mlir::verify(*module)))
    return checkError(options.path, "the imported network is not valid: " + message);
  PassManager passes(&context);
  passes.addNestedPass<func::FuncOp>(snn::createSnnListSynapses());
  if (options.listSynapses && failed(passes.run(*module)))
    return checkError(options.path, "listing the synapses failed: " + message);
  return module;
}

} // namespace spindle
