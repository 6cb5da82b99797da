#include "tools/spindle/hardware/NetworkCircuit.h"

#include "hw/hls/lower/DescribeSchedule.h"
#include "hw/program/ProgramFile.h"
#include "hw/synthesis/PartAreas.h"

namespace spindle {

/// Cycles of the layers whose nests have all become tasks.
static std::map<std::string, uint64_t> cyclesOf(const LayerPlaces &layers,
                                                const hls::KernelSchedule &schedule) {
  std::map<std::string, std::optional<uint64_t>> cyclesAt;
  for (const hls::ScheduledTask &task : schedule.tasks)
    if (!task.parent)
      cyclesAt[task.source] = task.cycles;
  std::map<std::string, uint64_t> cycles;
  for (const auto &[layer, places] : layers) {
    uint64_t sum = 0;
    bool isWhole = true;
    for (const std::string &place : places) {
      isWhole &= cyclesAt[place].has_value();
      sum += cyclesAt[place].value_or(0);
    }
    if (isWhole)
      cycles[layer] = sum;
  }
  return cycles;
}

/// The longest of the pipelines that are of a layer or process, where it is not 1.
static std::map<std::string, uint64_t> intervalsOf(const LayerPlaces &layers,
                                                   const hls::KernelSchedule &schedule) {
  std::map<std::string, uint64_t> longest, intervals;
  for (const hls::ScheduledPipeline &pipeline : schedule.pipelines)
    if (uint64_t &most = longest[schedule.tasks[pipeline.task].source]; pipeline.repeats)
      most = std::max(most, pipeline.interval);
  for (const auto &[layer, places] : layers)
    for (const std::string &place : places)
      if (auto found = longest.find(place); found != longest.end() && found->second > 1)
        intervals[layer] = std::max(intervals[layer], found->second);
  return intervals;
}

llvm::Error inSection(llvm::Error error, const std::string &section) {
  return llvm::handleErrors(std::move(error), [&](std::unique_ptr<SpindleError> each) {
    if (each->place.empty())
      each->place = section;
    return llvm::Error(std::move(each));
  });
}

llvm::Expected<hls::Target> targetOf(const Flow &flow) {
  const std::string &target = flow.hardwareTarget;
  return hls::readTarget(target.empty() ? hls::kDefaultTarget : target);
}

llvm::Expected<NetworkCircuit> makeCircuit(const LoopProgram &program, const hls::Target &target,
                                           const std::string &path) {
  hls::SynthesisOptions options;
  options.loops.unroll = {1}; // lanes are in the program
  NetworkCircuit circuit;
  circuit.context = hls::makeSynthesisContext();
  llvm::raw_string_ostream(circuit.text) << *program.module;
  SPINDLE_ASSIGN(circuit.program, hls::parseProgram(*circuit.context, circuit.text, path));
  LayerPlaces places = layerPlaces(*circuit.program);
  SPINDLE_ASSIGN(circuit.made, hls::synthesize(*circuit.program, target, options));
  const hls::SynthesisOptions &taken = circuit.made.options;
  SPINDLE_ASSIGN(circuit.schedule, hls::describeSchedule(circuit.made.kernel,
                                                         hls::withVariants(target, taken.variants),
                                                         taken.schedule.units));
  circuit.schedule.kernel = circuit.made.interface.top;
  circuit.cost = {*circuit.made.interface.estimate,
                  areasOfLayers(places, hls::areasBySource(circuit.made, target)),
                  cyclesOf(places, circuit.schedule), intervalsOf(places, circuit.schedule)};
  for (const auto &[layer, at] : places)
    for (const hls::ScheduledTask &task : circuit.schedule.tasks)
      if (llvm::is_contained(at, task.source))
        circuit.tasks[layer].push_back(task.name);
  return circuit;
}

} // namespace spindle
