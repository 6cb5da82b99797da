#include "lib/report/StageFiles.h"

#include "fmt/format.h"

#include <algorithm>
#include <filesystem>

namespace spindle {

/// Reads `name` into `target` where the file is there.
template <typename Noun, typename Read>
static llvm::Error readPresent(StageFiles &files, const std::string &folder, const char *name,
                               std::optional<Noun> &target, Read read) {
  std::string path = (std::filesystem::path(folder) / name).string();
  std::error_code status;
  if (!std::filesystem::exists(path, status) ||
      std::find(files.outdated.begin(), files.outdated.end(), name) != files.outdated.end())
    return llvm::Error::success();
  SPINDLE_ASSIGN(target, read(path));
  files.present.push_back(name);
  return llvm::Error::success();
}

static bool hasPopulations(const SpikeStatistics &statistics,
                           const std::vector<Population> &populations) {
  auto isSame = [](const PopulationStatistics &each, const Population &population) {
    return each.population == population;
  };
  return std::equal(statistics.populations.begin(), statistics.populations.end(),
                    populations.begin(), populations.end(), isSame);
}

static bool isOf(const TimeLapse &lapse, const ChipStats &chip) {
  return lapse.mesh == chip.mesh && lapse.chip == chip.chip && lapse.clockMhz == chip.clockMhz &&
         lapse.synchronisation == chip.synchronisation;
}

/// Files of different runs in one folder would make a report that is nowhere true.
static llvm::Error checkSameRun(const StageFiles &files, const std::string &folder) {
  struct Agreement {
    bool holds;
    const char *file, *what, *otherFile;
  };
  const std::optional<EmulationSummary> &emulation = files.emulation;
  const std::optional<SpikeTrace> &spikes = files.spikes;
  const std::optional<SpikingGraph> &graph = files.graph;
  const std::optional<Clustering> &clusters = files.clusters;
  const std::optional<SdfGraph> &sdfGraph = files.sdfGraph;
  const std::optional<SdfAnalysis> &sdfAnalysis = files.sdfAnalysis;
  const std::optional<Mapping> &mapping = files.mapping;
  const std::optional<ChipStats> &chip = files.chip;
  const Agreement agreements[] = {
      {!spikes || !emulation || spikes->populations == emulation->populations, run::kSpikes,
       "populations", run::kEmulation},
      {!files.statistics || !emulation || hasPopulations(*files.statistics, emulation->populations),
       run::kStatistics, "populations", run::kEmulation},
      {!files.diagnosis || !emulation || files.diagnosis->steps == emulation->steps,
       run::kDiagnosis, "steps", run::kEmulation},
      {!graph || !spikes || graph->populations == spikes->populations, run::kGraph, "populations",
       run::kSpikes},
      {!clusters || !graph || clusters->neurons == graph->neurons(), run::kClusters, "neurons",
       run::kGraph},
      {!mapping || !clusters || mapping->placements.size() == clusters->clusters.size(),
       run::kMapping, "clusters", run::kClusters},
      {!mapping || !clusters || mapping->impliesRoutes ||
           mapping->routes.size() == clusters->links.size(),
       run::kMapping, "links", run::kClusters},
      {!files.prediction || !mapping || files.prediction->chip == mapping->chip, run::kPrediction,
       "chip", run::kMapping},
      {!files.loads || !clusters || files.loads->clusters() == clusters->clusters.size(),
       run::kLoads, "clusters", run::kClusters},
      {!sdfAnalysis || !sdfGraph || sdfAnalysis->repetitions.size() == sdfGraph->actors.size(),
       run::kSdfAnalysis, "actors", run::kSdfGraph},
      {!files.assessment || !emulation || files.assessment->steps == emulation->steps,
       run::kAssessment, "steps", run::kEmulation},
      {!files.hardware || !spikes || files.hardware->steps == spikes->steps, run::kHardware,
       "steps", run::kSpikes},
      {!chip || !mapping || chip->mesh == mapping->mesh, run::kChip, "mesh", run::kMapping},
      {!files.lapse || !chip || isOf(*files.lapse, *chip), run::kLapse,
       "mesh, clock or name of chip", run::kChip},
  };
  for (const Agreement &agreement : agreements)
    if (!agreement.holds)
      return inputError((std::filesystem::path(folder) / agreement.file).string(),
                        fmt::format("its {} differ from those of {}; run the stages from there on "
                                    "again",
                                    agreement.what, agreement.otherFile));
  return llvm::Error::success();
}

/// What run.json tells of the files: which are outdated, and how the run ended.
static llvm::Error readRecord(StageFiles &files, const std::string &folder) {
  SPINDLE_ASSIGN(RunRecord record,
                 readRunRecord((std::filesystem::path(folder) / "run.json").string()));
  files.failure = record.failure;
  files.flow = record.flow;
  files.overrides = record.overrides;
  FolderHashes hashes(folder);
  SPINDLE_ASSIGN(std::vector<std::string> stages, outdatedStages(record, hashes));
  for (const std::string &stage : stages)
    for (const auto &[name, hash] : record.find(stage)->outputs) {
      SPINDLE_ASSIGN(std::string now, hashes.of(name));
      bool isBeside = name.find('/') != std::string::npos && name != run::kHardware;
      if (now == hash && !isBeside)
        files.outdated.push_back(name);
    }
  std::sort(files.outdated.begin(), files.outdated.end());
  return llvm::Error::success();
}

bool hasFigures(const std::string &folder) {
  using namespace run;
  std::error_code ignored;
  for (const char *name :
       {kAnn, kConversion, kEmulation, kStatistics, kDiagnosis, kClusters, kSdfGraph, kSdfAnalysis,
        kMapping, kLoads, kChip, kAssessment, kHardware})
    if (std::filesystem::exists(std::filesystem::path(folder) / name, ignored))
      return true;
  return false;
}

llvm::Expected<StageFiles> readStageFiles(const std::string &folder) {
  using namespace run;
  StageFiles files;
  SPINDLE_RETURN_IF_ERROR(readRecord(files, folder));
  auto read = [&](const char *name, auto &target, auto reader) {
    return readPresent(files, folder, name, target, reader);
  };
  SPINDLE_RETURN_IF_ERROR(read(kAnn, files.ann, readAnnEvaluation));
  SPINDLE_RETURN_IF_ERROR(read(kConversion, files.conversion, readConversionSummary));
  SPINDLE_RETURN_IF_ERROR(read(kEmulation, files.emulation, readEmulationSummary));
  SPINDLE_RETURN_IF_ERROR(read(kSpikes, files.spikes, readSpikeTrace));
  SPINDLE_RETURN_IF_ERROR(read(kStatistics, files.statistics, readSpikeStatistics));
  SPINDLE_RETURN_IF_ERROR(read(kDiagnosis, files.diagnosis, readDiagnosis));
  SPINDLE_RETURN_IF_ERROR(read(kGraph, files.graph, readSpikingGraph));
  SPINDLE_RETURN_IF_ERROR(read(kClusters, files.clusters, readClustering));
  SPINDLE_RETURN_IF_ERROR(read(kSdfGraph, files.sdfGraph, readSdfGraph));
  SPINDLE_RETURN_IF_ERROR(read(kSdfAnalysis, files.sdfAnalysis, readSdfAnalysis));
  SPINDLE_RETURN_IF_ERROR(read(kMapping, files.mapping, readMapping));
  SPINDLE_RETURN_IF_ERROR(read(kPrediction, files.prediction, readPrediction));
  SPINDLE_RETURN_IF_ERROR(read(kLoads, files.loads, readMultiplexedRun));
  SPINDLE_RETURN_IF_ERROR(read(kChip, files.chip, readChipStats));
  SPINDLE_RETURN_IF_ERROR(read(kLapse, files.lapse, readTimeLapse));
  SPINDLE_RETURN_IF_ERROR(read(kAssessment, files.assessment, readAssessment));
  SPINDLE_RETURN_IF_ERROR(read(kHardware, files.hardware, readHardwareNetwork));
  if (files.hardware) {
    std::filesystem::path own = std::filesystem::path(folder) / kHardware;
    SPINDLE_ASSIGN(files.circuit, readCircuitFiles(own.parent_path().string()));
    SPINDLE_ASSIGN(files.int8Ann, readInt8Ann(folder, files.ann));
  }
  if (files.present.empty())
    return inputError(folder,
                      fmt::format("no stage file of a run here, expected {} or a later one", kAnn));
  SPINDLE_RETURN_IF_ERROR(checkSameRun(files, folder));
  return files;
}

} // namespace spindle
