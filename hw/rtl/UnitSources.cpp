#include "hw/rtl/UnitSources.h"

#include "hw/rtl/UnitFiles.h"

#include "fmt/format.h"

#include <map>
#include <regex>

namespace spindle::hls {

llvm::Expected<std::vector<UnitSource>> unitSources(const std::vector<std::string> &modules) {
  std::map<std::string, std::string> known(std::begin(unit_file::kFiles),
                                           std::end(unit_file::kFiles));
  std::map<std::string, std::string> used;
  std::vector<std::string> open = modules;
  static const std::regex name("\\bspindle_[a-z0-9_]+\\b");
  while (!open.empty()) {
    std::string module = open.back();
    open.pop_back();
    auto found = known.find(module + ".sv");
    if (found == known.end())
      return inputError("", fmt::format("there is no module '{}' in hw/rtl", module));
    if (!used.insert(*found).second)
      continue;
    const std::string &text = found->second;
    for (std::sregex_iterator at(text.begin(), text.end(), name), end; at != end; ++at)
      if (known.count(at->str() + ".sv"))
        open.push_back(at->str());
  }
  std::vector<UnitSource> sources;
  for (auto &[file, text] : used)
    sources.push_back({file, text});
  return sources;
}

} // namespace spindle::hls
