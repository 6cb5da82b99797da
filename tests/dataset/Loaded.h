// What comes out of a data set, and what is said of a wrong one.
#pragma once

#include "lib/dataset/Dataset.h"

namespace spindle {

inline Samples loaded(const DatasetOptions &options) {
  return llvm::cantFail(loadDataset(options, PathResolver()));
}

inline std::string loadError(const DatasetOptions &options) {
  return toText(loadDataset(options, PathResolver()).takeError());
}

} // namespace spindle
