// The files of a model before it is imported: which they are, and whether they can be what their
// names say.
#pragma once

#include "lib/frontend/ModelOptions.h"

namespace spindle {

/// All files that importModel reads, each once: the model's own first, then the others, sorted:
/// weights of ONNX in files beside it, `arguments`, arrays and synapses that a network file names.
/// Reads as much as names them, the message of ONNX without such weights, or the YAML.
llvm::Expected<std::vector<std::string>> modelFiles(const ModelOptions &options);

/// Refuses what the import would refuse about these files in milliseconds: they exist, can be read
/// and begin as their formats do; ONNX is an operator set that is understood, with weights where
/// the message says. The import may still refuse what they hold.
llvm::Error checkModelHeader(const ModelOptions &options);

/// The error for a name whose ending is none of a model.
llvm::Error unknownFormat(const std::string &path);

} // namespace spindle
