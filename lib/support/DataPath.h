// Where the relative paths of a YAML file are looked for: models, data sets, chips, targets.
#pragma once

#include "lib/support/Error.h"

#include <string>
#include <vector>

namespace spindle {

/// Looks, in this order, beside the YAML file, in the two folders above it (a flow in configs/flows
/// names `models/x.mlir` and `configs/chips/y.yaml`), in the current folder, in $SPINDLE_DATA, and
/// in
/// ../shared/data seen from the current folder and from the folders above.
class PathResolver {
public:
  /// `yamlFile` is empty for paths of the command line.
  explicit PathResolver(std::string yamlFile = "") : file(std::move(yamlFile)) {}

  /// The first place where `path` exists; an absolute path is only checked. The error at `place`
  /// names the folders tried.
  llvm::Expected<std::string> find(const std::string &path, const std::string &place) const;

  /// The folders that are tried, in order, without repetitions.
  std::vector<std::string> folders() const;

private:
  std::string file;
};

} // namespace spindle
