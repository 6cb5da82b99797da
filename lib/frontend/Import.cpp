#include "lib/frontend/Import.h"

#include "dialects/snn/transforms/Passes.h"
#include "lib/frontend/ModelFiles.h"
#include "lib/frontend/Tensor.h"
#include "lib/frontend/network/NetworkImport.h"
#include "lib/frontend/nir/NirImport.h"

#include "fmt/format.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"

#include <cmath>

using namespace mlir;

namespace spindle {

bool isChannelsLast(InputLayout layout, const std::vector<int64_t> &modelShape) {
  if (layout != InputLayout::Auto)
    return layout == InputLayout::Nhwc;
  Shape sample = sampleShape(modelShape);
  return sample.size() == 3 && sample[2] <= 4 && sample[0] > 4;
}

/// No weight is infinite or not a number, neither in the file nor after layers were merged.
static llvm::Error checkWeights(ModuleOp module, const std::string &path) {
  llvm::Error error = llvm::Error::success();
  module.walk([&](arith::ConstantOp op) {
    auto values = dyn_cast<DenseFPElementsAttr>(op.getValue());
    bool isFloats = values && values.getElementType().isF32();
    if (!isFloats ||
        llvm::all_of(values.getValues<float>(), [](float value) { return std::isfinite(value); }))
      return WalkResult::advance();
    std::string layer;
    for (Operation *user : op->getUsers())
      layer = snn::layerOf(user).str();
    llvm::consumeError(std::move(error));
    error = inputError(layer.empty() ? path : fmt::format("{}: layer '{}'", path, layer),
                       "a weight is infinite or not a number, expected finite numbers; train the "
                       "network again");
    return WalkResult::interrupt();
  });
  return error;
}

llvm::Expected<OwningOpRef<ModuleOp>> importModel(MLIRContext &context,
                                                  const ModelOptions &options) {
  context.loadDialect<snn::SnnDialect, func::FuncDialect, arith::ArithDialect>();
  std::optional<ModelFormat> format = options.format();
  if (!format)
    return unknownFormat(options.path);
  constexpr llvm::Expected<OwningOpRef<ModuleOp>> (*importers[])(
      MLIRContext &, const ModelOptions &) = {importOnnx, importKeras, importMlir, importNir,
                                              importNetwork}; // in the order of ModelFormat
  auto import = importers[static_cast<size_t>(*format)];
  SPINDLE_ASSIGN(OwningOpRef<ModuleOp> module, import(context, options));

  if (options.spikesAlready()) // and its layers have names
    return module;
  PassManager passes(&context);
  passes.addPass(snn::createSnnComposeLinear());
  if (failed(passes.run(*module)))
    return checkError(options.path, "merging linear operations failed");
  nameLayers(*module);
  SPINDLE_RETURN_IF_ERROR(checkWeights(*module, options.path));
  return module;
}

} // namespace spindle
