#include "lib/report/Report.h"

#include "core/support/files/File.h"
#include "lib/report/Figures.h"
#include "lib/report/Sections.h"
#include "lib/report/circuit/HardwareSection.h"
#include "lib/report/page/Page.h"

#include <filesystem>

namespace spindle {

static constexpr FileFormat kReportFormat = {"spindle-report", 1};

static Json buildFrom(const StageFiles &files) {
  Json report = jsonHeader(kReportFormat);
  report["stages"] = files.present;
  if (!files.outdated.empty())
    report["outdated"] = files.outdated;
  if (files.failure)
    report["failed"] = {{"stage", files.failure->stage}, {"error", files.failure->error}};
  if (files.ann)
    report["ann"] = annSection(*files.ann);
  if (files.conversion)
    report["conversion"] = conversionSection(*files.conversion);
  if (files.emulation) {
    report["snn"] = snnSection(*files.emulation, files.ann);
    report["timing"] = timingSection(*files.emulation);
  }
  if (files.statistics)
    report["statistics"] = statisticsSection(*files.statistics);
  if (files.diagnosis)
    report["diagnosis"] = diagnosisSection(*files.diagnosis);
  if (files.graph)
    report["graph"] = graphSection(*files.graph);
  if (files.clusters)
    report["partition"] = partitionSection(*files.clusters);
  if (files.sdfAnalysis)
    report["sdf"] = sdfSection(*files.sdfAnalysis, files.sdfGraph, files.chip);
  if (files.mapping)
    report["mapping"] = mappingSection(*files.mapping, files.prediction);
  if (files.loads)
    report["loads"] = loadsSection(*files.loads);
  if (files.chip)
    report["chip"] = chipSection(*files.chip);
  if (files.assessment)
    report["assessment"] = assessmentSection(*files.assessment);
  if (files.hardware)
    report["hardware"] = hardwareSection(files);
  return report;
}

llvm::Expected<Json> buildReport(const std::string &folder) {
  SPINDLE_ASSIGN(StageFiles files, readStageFiles(folder));
  return buildFrom(files);
}

llvm::Error writeReport(const std::string &folder) {
  SPINDLE_ASSIGN(StageFiles files, readStageFiles(folder));
  Json report = buildFrom(files);
  std::filesystem::path path(folder);
  SPINDLE_RETURN_IF_ERROR(writeJson((path / "report.json").string(), report));
  return writeFile((path / "report.html").string(), renderPage(report, buildFigures(files)));
}

} // namespace spindle
