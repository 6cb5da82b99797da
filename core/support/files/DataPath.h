// Where the relative paths of a YAML file are looked for: models, data sets, chips, targets.
#pragma once

#include "core/support/Error.h"

#include <string>
#include <vector>

namespace spindle {

/// What an installed program brings, `../share/spindle` seen from its folder; empty where that does
/// not exist, as in a build tree.
std::string installedData(const std::string &program);
std::string installedData(); // of this program

/// The path, or its namesake in the installed folder where only that exists: what the command line
/// names.
std::string orInstalled(const std::string &path, const std::string &installed = installedData());

/// Looks, in this order, beside the YAML file, in the two folders above it (a flow in configs/flows
/// names `models/x.mlir` and `configs/chips/y.yaml`), in the current folder, in $SPINDLE_DATA, in
/// ../shared/data seen from the current folder and from the folders above, and in the installed
/// folder.
class PathResolver {
public:
  /// `yamlFile` is empty for paths of the command line.
  explicit PathResolver(std::string yamlFile = "", std::string installedFolder = installedData())
      : file(std::move(yamlFile)), installed(std::move(installedFolder)) {}

  /// The first place where `path` exists; an absolute path is only checked. The error at `place`
  /// names the folders tried.
  llvm::Expected<std::string> find(const std::string &path, const std::string &place) const;

  /// The folders that are tried, in order, without repetitions.
  std::vector<std::string> folders() const;

private:
  std::string file, installed;
};

} // namespace spindle
