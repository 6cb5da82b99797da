#include "tools/spindle/flow/StageOrigins.h"

#include "core/chip/Chip.h"
#include "core/run/StageFileNames.h"
#include "core/support/files/DataPath.h"
#include "core/support/files/FileHash.h"
#include "lib/dataset/Dataset.h"
#include "lib/frontend/ModelFiles.h"
#include "tools/spindle/Version.h"
#include "tools/spindle/flow/FlowSettings.h"

#include "fmt/format.h"

#include <algorithm>
#include <filesystem>

namespace spindle {

std::string programName() { return fmt::format("{} ({})", programVersion(), programCommit()); }

/// Of circuits of other runs: what says what they are, and their SystemVerilog. That of this run is
/// a stage file.
static llvm::Expected<std::vector<std::string>> circuitFiles(const Flow &flow) {
  std::vector<std::string> files;
  for (const CircuitOption &tile : flow.simulation.tiles) {
    if (tile.rtl == std::filesystem::path(run::kHardware).parent_path())
      continue;
    SPINDLE_ASSIGN(std::string folder, PathResolver(flow.path).find(tile.rtl, tile.place));
    std::error_code status;
    for (const auto &entry : std::filesystem::directory_iterator(folder, status))
      if (entry.is_regular_file(status) &&
          (entry.path().extension() == ".sv" || entry.path().filename() == "hardware.json" ||
           entry.path().filename() == "kernel.json"))
        files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

llvm::Expected<std::vector<std::string>> filesOf(Source source, const Flow &flow) {
  PathResolver paths(flow.path);
  switch (source) {
  case Source::Model:
    return flow.hasModel ? modelFiles(flow.model) : std::vector<std::string>();
  case Source::Dataset:
    return flow.hasDataset ? datasetFiles(flow.dataset, paths, DatasetPart::Test)
                           : std::vector<std::string>();
  case Source::Calibration:
    return flow.hasDataset && flow.dataset.calibration
               ? datasetFiles(flow.dataset, paths, DatasetPart::Calibration)
               : std::vector<std::string>();
  case Source::Chip:
    return flow.hasChip && !isChipName(flow.chip) ? std::vector<std::string>{flow.chip}
                                                  : std::vector<std::string>();
  case Source::Placement:
    return flow.placement.empty() ? std::vector<std::string>()
                                  : std::vector<std::string>{flow.placement};
  case Source::Target:
    return flow.hasHardware && isTargetFile(flow.hardwareTarget)
               ? std::vector<std::string>{flow.hardwareTarget}
               : std::vector<std::string>();
  case Source::Circuits:
    return circuitFiles(flow);
  }
  llvm_unreachable("all sources are above");
}

llvm::Error StageOrigins::addSources(Source source, FileHashes &hashes) {
  SPINDLE_ASSIGN(std::vector<std::string> files, filesOf(source, flow));
  for (const std::string &file : files) {
    if (!hashed.count(file)) {
      SPINDLE_ASSIGN(hashed[file], hashFile(file));
    }
    hashes[file] = hashed[file];
  }
  return llvm::Error::success();
}

llvm::Expected<StageOrigin> StageOrigins::of(const Stage &stage) {
  StageOrigin origin;
  origin.program = programName();
  origin.settings = settingsFor(flow.settings, stage.settings);
  for (Source source : stage.sources)
    SPINDLE_RETURN_IF_ERROR(addSources(source, origin.sources));
  for (const char *input : stage.inputs) {
    SPINDLE_ASSIGN(origin.inputs[input], folder.of(input));
  }
  for (const char *input : stage.optionalInputs) {
    if (stage.readsOptional && !stage.readsOptional(flow))
      continue;
    SPINDLE_ASSIGN(std::string hash, folder.of(input));
    if (!hash.empty())
      origin.inputs[input] = hash;
  }
  return origin;
}

llvm::Expected<bool> StageOrigins::isDone(const Stage &stage, const RunRecord &record) {
  const StageRecord *before = record.find(stage.name);
  if (!before)
    return false;
  for (const auto &[name, hash] : before->outputs) {
    SPINDLE_ASSIGN(std::string now, folder.of(name));
    if (now != hash)
      return false;
  }
  SPINDLE_ASSIGN(StageOrigin origin, of(stage));
  return before->origin == origin;
}

} // namespace spindle
