// Where a saved model of Keras has its configuration and its weights. Private to this folder.
#pragma once

#include "lib/frontend/keras/KerasLayout.h"

#include <functional>
#include <string>

namespace spindle {

struct KerasStore {
  std::string config;     // the text that describes the layers
  std::string configName; // in errors
  /// How the weights of the layers of the parsed configuration are found.
  std::function<KerasWeightsOf(const Json &root)> weightsOf;
};

/// Saved as `.h5` by Keras 1, 2 or 3. Refuses files without a configuration.
llvm::Expected<KerasStore> openKerasHdf5(const std::string &path);

/// Saved as `.keras`, the format of Keras 3 and of 2 since 2.12: an archive whose weights have
/// numbers for names, in the order in which layers of their class make them.
llvm::Expected<KerasStore> openKerasArchive(const std::string &path);

/// Refuses archives without these.
llvm::Error checkKerasArchive(const std::string &path);

} // namespace spindle
