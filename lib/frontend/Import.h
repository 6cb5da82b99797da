// From a model file to the ANN graph: `@main(%x: tensor<CxHxW or N x f32>) -> tensor<K x f32>` of
// snn operations on activations, without a batch, consecutive linear operations merged, every layer
// named. NIR and network files hold spiking networks: they become `@main` with populations.
#pragma once

#include "lib/frontend/ModelOptions.h"

#include "mlir/IR/BuiltinOps.h"

namespace spindle {

/// Reads by the ending, in capitals or not: .onnx, .mlir, .mlirbc, .h5 (Keras), .nir, .yaml
/// (network). Errors name file and node, or file:line:column.
llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>> importModel(mlir::MLIRContext &context,
                                                              const ModelOptions &options);

/// The steps of importModel that read one format; layers are not merged and named yet.
llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>> importOnnx(mlir::MLIRContext &context,
                                                             const ModelOptions &options);
llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>> importKeras(mlir::MLIRContext &context,
                                                              const ModelOptions &options);
llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>> importMlir(mlir::MLIRContext &context,
                                                             const ModelOptions &options);

/// Whether the model's input of this shape (batch of one) has its channels last.
bool isChannelsLast(InputLayout layout, const std::vector<int64_t> &modelShape);

/// Gives every operation with weights, every pooling and every sum a `layer` name that no other
/// has, and every rectifier the name of the layer it follows. Names from the model stay; the others
/// are kind and position: `conv1`, `dense2` count all weighted layers together, `pool1` the
/// poolings, `add1` the sums. Slashes become dots, since files use names as paths; what is no text
/// in UTF-8 is replaced.
void nameLayers(mlir::ModuleOp module);

} // namespace spindle
