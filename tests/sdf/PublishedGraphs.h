// Where the public SDF3 graphs are.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

namespace spindle {

/// The path of a file under sdf/ of the test data; empty when it is absent.
inline std::string publishedGraph(const std::string &name) {
  const char *root = std::getenv("SPINDLE_DATA");
  std::string path = std::string(root ? root : "../shared/data") + "/sdf/" + name;
  return std::filesystem::exists(path) ? path : "";
}

} // namespace spindle
