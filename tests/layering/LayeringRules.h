// Which folder may include which, and what every source file must keep to (docs: "Tree").
#pragma once

#include <string>
#include <vector>

namespace spindle {

struct SourceFile {
  std::string path; // from the repository's root, with slashes
  std::string text;
};

/// The sources below core, dialects, lib, hw, sim, tools and tests of the repository at `root`,
/// ascending.
std::vector<SourceFile> readSources(const std::string &root);

/// Every breach as `path:line: reason`:
/// - an include from a folder that the including folder's layer may not use, or with `..`;
/// - an include of our own tree without the path from its root;
/// - MLIR, SystemC or METIS outside the places that own them, METIS in more than one .cpp;
/// - a source folder without a layer;
/// - a name with utils, common, misc or helper; a file of more than 600 lines;
/// - a folder of more than 25 sources;
/// - a namespace below spindle that no folder on the file's way is named after.
std::vector<std::string> layeringProblems(const std::vector<SourceFile> &files);

} // namespace spindle
