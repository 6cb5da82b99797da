#include "tools/spindle/flow/Flow.h"

#include "core/chip/Chip.h"
#include "core/support/files/DataPath.h"
#include "tools/spindle/flow/FlowSettings.h"

#include "fmt/format.h"
#include "fmt/ranges.h"

namespace spindle {

static bool isTimed(const std::string &model) { return modelFormatOf(model) == ModelFormat::Nir; }

llvm::Expected<std::string> findChip(const std::string &chip, const std::string &flow,
                                     const std::string &place) {
  if (isChipName(chip))
    return chip;
  // What has neither folder nor ending is meant as a name.
  llvm::Expected<std::string> found = PathResolver(flow).find(chip, place);
  if (found || chip.find_first_of("/.") != std::string::npos)
    return found;
  llvm::consumeError(found.takeError());
  return inputError(place, fmt::format("there is no chip '{}', expected {} or a file such as "
                                       "{}.yaml",
                                       chip, fmt::join(chipNames(), ", "), chip));
}

bool isTargetFile(const std::string &target) {
  return target.find_first_of("/.") != std::string::npos;
}

llvm::Expected<Flow> readFlow(const std::string &file, const std::vector<std::string> &overrides) {
  std::string path = orInstalled(file);
  SPINDLE_ASSIGN(YamlDocument document, YamlDocument::load(path));
  for (const std::string &assignment : overrides)
    SPINDLE_RETURN_IF_ERROR(document.override(assignment));

  Flow flow;
  flow.path = path;
  flow.overrides = overrides;
  SPINDLE_ASSIGN(flow.settings, settingsOf(document));
  YamlReader reader(document);

  flow.hasModel = reader.has("model");
  if (flow.hasModel) {
    YamlReader model = reader.section("model");
    model.read("path", flow.modelName);
    readModelOptions(model, path, flow.model);
  }
  flow.hasDataset = reader.has("dataset");
  if (flow.hasDataset) {
    YamlReader dataset = reader.section("dataset");
    readDatasetOptions(dataset, flow.dataset);
  }
  for (const char *section : {"conversion", "emulation", "fixed_point"})
    flow.places[section] = reader.has(section) ? reader.place(section) : path;
  YamlReader conversion = reader.section("conversion");
  readConversionOptions(conversion, flow.conversion);
  flow.hasFixedPoint = reader.has("fixed_point");
  YamlReader fixedPoint = reader.section("fixed_point");
  readFixedPointOptions(fixedPoint, flow.fixedPoint);
  YamlReader emulation = reader.section("emulation");
  if (isTimed(flow.model.path)) // its time constants say how long a step is
    flow.emulation.stepMs = flow.model.dtMs;
  readEmulationOptions(emulation, flow.emulation);
  if (flow.model.spikesAlready() && !isTimed(flow.model.path) && emulation.has("step_ms"))
    emulation.fail("step_ms", "step_ms is dt of the network file; leave it out");
  if (flow.hasDataset && emulation.has("samples"))
    emulation.fail("samples", "samples is the number of trials of a network that drives itself; "
                              "with a data set, dataset.limit says how many");
  flow.conversion.encoding = flow.emulation.encoding;
  flow.conversion.steps = flow.emulation.steps;
  flow.hasDiagnosis = reader.has("diagnosis");
  YamlReader diagnosis = reader.section("diagnosis");
  readDiagnosisOptions(diagnosis, flow.diagnosis);
  YamlReader partition = reader.section("partition");
  readPartitionOptions(partition, flow.partition);
  YamlReader analysis = reader.section("analysis");
  readSdfOptions(analysis, flow.analysis);
  YamlReader mapping = reader.section("mapping");
  readMappingOptions(mapping, flow.mapping);
  YamlReader simulation = reader.section("simulation");
  readChipOptions(simulation, flow.simulation);
  flow.hasAssessment = reader.has("assessment");
  flow.places["assessment"] = flow.hasAssessment ? reader.place("assessment") : path;
  YamlReader assessment = reader.section("assessment");
  readAssessmentOptions(assessment, flow.assessment);
  flow.hasChip = reader.has("chip");
  flow.hasLoads = flow.hasChip && flow.partition.multiplex;
  reader.read("chip", flow.chip);
  reader.read("placement", flow.placement);
  flow.hasHardware = reader.has("hardware");
  flow.places["hardware"] = flow.hasHardware ? reader.place("hardware") : path;
  YamlReader hardware = reader.section("hardware");
  hardware.read("target", flow.hardwareTarget);
  if (hardware.has("bus"))
    hardware.readEnum("bus", flow.hardwareBus.emplace(), {"stream", "memory"});
  hardware.read("channels", flow.hardwareChannels, 0, hls::kMostMemoryChannels);
  if (flow.hardwareChannels > 0 && flow.hardwareBus != hls::AxiData::Memory)
    hardware.fail("channels", "channels are of a memory, expected bus: memory as well");
  readCircuitOptions(hardware, flow.hardware);
  SPINDLE_RETURN_IF_ERROR(reader.finish());

  if (isTargetFile(flow.hardwareTarget)) {
    SPINDLE_ASSIGN(flow.hardwareTarget,
                   PathResolver(path).find(flow.hardwareTarget, hardware.place("target")));
  }
  if (!flow.placement.empty()) {
    SPINDLE_ASSIGN(flow.placement,
                   PathResolver(path).find(flow.placement, reader.place("placement")));
  }
  if (flow.hasChip) {
    SPINDLE_ASSIGN(flow.chip, findChip(flow.chip, path, reader.place("chip")));
  }
  return flow;
}

} // namespace spindle
