#include "core/network/MembraneTrace.h"

#include "core/network/PopulationFile.h"

#include "fmt/format.h"

#include <numeric>

namespace spindle {

static uint64_t frames(const MembraneTrace &trace) {
  return static_cast<uint64_t>(trace.samples) * trace.steps;
}

llvm::Error verify(const MembraneTrace &trace) {
  for (const MembraneRecording &each : trace.recordings)
    if (each.values.size() != frames(trace) * each.population.size)
      return checkError(
          "membrane trace",
          fmt::format("{} values for {} samples of {} steps of the {} neurons of '{}'",
                      each.values.size(), trace.samples, trace.steps, each.population.size,
                      each.population.name));
  return llvm::Error::success();
}

/// Every neuron is one element of the report.
static llvm::Error writeReport(Hdf5Writer &file, const MembraneTrace &trace,
                               const MembraneRecording &recording) {
  uint64_t neurons = recording.population.size;
  std::vector<uint64_t> nodes(neurons), pointers(neurons + 1);
  std::iota(nodes.begin(), nodes.end(), 0);
  std::iota(pointers.begin(), pointers.end(), 0);
  std::string group = "report/" + populationGroup(recording.population.name);
  SPINDLE_RETURN_IF_ERROR(file.write(group + "/data", recording.values, {frames(trace), neurons}));
  SPINDLE_RETURN_IF_ERROR(file.attribute(group + "/data", "units", std::string("threshold units")));
  SPINDLE_RETURN_IF_ERROR(file.write(group + "/mapping/node_ids", nodes));
  SPINDLE_RETURN_IF_ERROR(file.write(group + "/mapping/index_pointers", pointers));
  SPINDLE_RETURN_IF_ERROR(
      file.write(group + "/mapping/element_ids", std::vector<uint32_t>(neurons, 0)));
  std::vector<double> time{0, static_cast<double>(frames(trace)) * trace.stepMs, trace.stepMs};
  SPINDLE_RETURN_IF_ERROR(file.write(group + "/mapping/time", time));
  return file.attribute(group + "/mapping/time", "units", std::string("ms"));
}

llvm::Error writeMembraneTrace(const std::string &path, const MembraneTrace &trace) {
  SPINDLE_RETURN_IF_ERROR(verify(trace));
  SPINDLE_ASSIGN(Hdf5Writer file, Hdf5Writer::create(path, Hdf5Packing::None));
  SPINDLE_RETURN_IF_ERROR(file.attribute("/", "magic", int64_t(0x0A7A)));
  SPINDLE_RETURN_IF_ERROR(file.attribute("/", "version", std::vector<int64_t>{0, 1}));
  SPINDLE_RETURN_IF_ERROR(file.attribute("/", "format", std::string("spindle-membranes")));
  SPINDLE_RETURN_IF_ERROR(file.attribute("/", "format_version", int64_t(2)));
  SPINDLE_RETURN_IF_ERROR(file.attribute("/", "samples", int64_t(trace.samples)));
  SPINDLE_RETURN_IF_ERROR(file.attribute("/", "steps", int64_t(trace.steps)));
  for (const MembraneRecording &recording : trace.recordings)
    SPINDLE_RETURN_IF_ERROR(writeReport(file, trace, recording));
  return file.close();
}

} // namespace spindle
