#include "lib/frontend/Import.h"

#include "dialects/snn/transforms/Passes.h"
#include "lib/frontend/Tensor.h"
#include "lib/frontend/network/NetworkImport.h"
#include "lib/frontend/nir/NirImport.h"

#include "fmt/format.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;

namespace spindle {

bool isChannelsLast(InputLayout layout, const std::vector<int64_t> &modelShape) {
  if (layout != InputLayout::Auto)
    return layout == InputLayout::Nhwc;
  Shape sample = sampleShape(modelShape);
  return sample.size() == 3 && sample[2] <= 4 && sample[0] > 4;
}

llvm::Expected<OwningOpRef<ModuleOp>> importModel(MLIRContext &context,
                                                  const ModelOptions &options) {
  context.loadDialect<snn::SnnDialect, func::FuncDialect, arith::ArithDialect>();
  StringRef path = options.path;
  auto import = path.ends_with(".onnx")                                ? importOnnx
                : path.ends_with(".h5") || path.ends_with(".hdf5")     ? importKeras
                : path.ends_with(".nir")                               ? importNir
                : path.ends_with(".yaml") || path.ends_with(".yml")    ? importNetwork
                : path.ends_with(".mlir") || path.ends_with(".mlirbc") ? importMlir
                                                                       : nullptr;
  if (!import)
    return inputError(options.path, "unknown model format, expected .onnx, .h5 (Keras), .mlir, "
                                    ".mlirbc, .nir or .yaml (network)");
  SPINDLE_ASSIGN(OwningOpRef<ModuleOp> module, import(context, options));

  if (options.spikesAlready()) // and its layers have names
    return module;
  PassManager passes(&context);
  passes.addPass(snn::createSnnComposeLinear());
  if (failed(passes.run(*module)))
    return checkError(options.path, "merging linear operations failed");
  nameLayers(*module);
  return module;
}

} // namespace spindle
