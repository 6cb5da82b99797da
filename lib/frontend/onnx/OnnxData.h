// Weights of an ONNX model in files beside it, "external data": entries `location`, `offset`,
// `length` and `checksum` of a tensor (ONNX, docs/ExternalData.md).
#pragma once

#include "lib/frontend/onnx/OnnxModel.h"

namespace spindle {

/// The files that hold tensors, sorted, each once. Each lies in the folder of the model, links
/// followed, and is as long as its tensors say; together they take no more than the file holds, so
/// that a small file cannot claim all memory.
llvm::Expected<std::vector<std::string>> onnxDataFiles(OnnxModel &model);

/// Reads these tensors into the message, as if they had always been there, after the same checks
/// and that of the SHA-1 checksum where one is given.
llvm::Error loadOnnxData(OnnxModel &model);

} // namespace spindle
