#include "tools/spindle/explore/PointFlow.h"

#include "core/chip/Chip.h"
#include "core/chip/ChipDocument.h"
#include "core/support/files/FileHash.h"
#include "core/support/files/FolderLock.h"

#include "fmt/format.h"
#include "llvm/ADT/StringRef.h"

namespace spindle {

static constexpr llvm::StringLiteral kChipKeys = "chip.";

static bool holds(const std::string &path, const std::string &text) {
  llvm::Expected<std::string> hash = hashFile(path);
  if (!hash) {
    llvm::consumeError(hash.takeError());
    return false;
  }
  return *hash == hashText(text);
}

/// The chip with other values of some keys, as a file.
static llvm::Expected<std::string> writeChip(const std::string &chip,
                                             const std::vector<std::string> &assignments,
                                             const std::string &folder) {
  SPINDLE_ASSIGN(YamlDocument document, loadChip(chip));
  for (const std::string &assignment : assignments)
    SPINDLE_RETURN_IF_ERROR(document.override(assignment));
  std::string text = YAML::Dump(document.root()) + "\n";
  std::string path = fmt::format("{}/chips/{}.yaml", folder, hashText(text).substr(0, 16));
  SPINDLE_RETURN_IF_ERROR(makeFolder(folder + "/chips"));
  if (!holds(path, text)) // not there, or damaged
    SPINDLE_RETURN_IF_ERROR(writeFile(path, text));
  SPINDLE_RETURN_IF_ERROR(readChip(path).takeError());
  return path;
}

llvm::Expected<PointFlow> flowOfPoint(const std::string &flowFile,
                                      const std::vector<Setting> &settings,
                                      const std::string &folder) {
  PointFlow point;
  std::vector<std::string> ofChip;
  for (const Setting &setting : settings) {
    std::string assignment = setting.key + "=" + setting.value;
    if (llvm::StringRef(setting.key).starts_with(kChipKeys))
      ofChip.push_back(assignment.substr(kChipKeys.size()));
    else
      point.overrides.push_back(assignment);
  }
  SPINDLE_ASSIGN(point.flow, readFlow(flowFile, point.overrides));
  if (ofChip.empty())
    return point;
  if (!point.flow.hasChip)
    return inputError(flowFile, "key 'chip' is missing; keys behind 'chip.' are those of a chip");
  SPINDLE_ASSIGN(std::string path, writeChip(point.flow.chip, ofChip, folder));
  std::erase_if(point.overrides,
                [](const std::string &each) { return llvm::StringRef(each).starts_with("chip="); });
  point.overrides.push_back("chip=" + path);
  SPINDLE_ASSIGN(point.flow, readFlow(flowFile, point.overrides));
  return point;
}

} // namespace spindle
