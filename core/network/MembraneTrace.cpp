#include "core/network/MembraneTrace.h"

#include "core/network/PopulationFile.h"

#include "fmt/format.h"

#include <numeric>

namespace spindle {

static constexpr FileFormat kMembranesFormat = {"spindle-membranes", 2};

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
  SPINDLE_RETURN_IF_ERROR(file.attribute("/", "format", std::string(kMembranesFormat.name)));
  SPINDLE_RETURN_IF_ERROR(file.attribute("/", "format_version", int64_t(kMembranesFormat.version)));
  SPINDLE_RETURN_IF_ERROR(file.attribute("/", "samples", int64_t(trace.samples)));
  SPINDLE_RETURN_IF_ERROR(file.attribute("/", "steps", int64_t(trace.steps)));
  for (const MembraneRecording &recording : trace.recordings)
    SPINDLE_RETURN_IF_ERROR(writeReport(file, trace, recording));
  return file.close();
}

static llvm::Error checkFormat(const Hdf5Reader &file) {
  std::string format;
  int64_t version = 0;
  llvm::Error error = file.attribute("/", "format", format);
  bool isOurs = !error && format == kMembranesFormat.name;
  llvm::consumeError(std::move(error));
  if (!isOurs)
    return inputError(file.fileName(), fmt::format("not a {} file", kMembranesFormat.name));
  SPINDLE_RETURN_IF_ERROR(file.attribute("/", "format_version", version));
  if (version != kMembranesFormat.version)
    return inputError(file.fileName(),
                      fmt::format("version {} of {}, expected version {}", version,
                                  kMembranesFormat.name, kMembranesFormat.version));
  return llvm::Error::success();
}

llvm::Expected<MembraneTrace> readMembranes(const std::string &path,
                                            const std::string &population) {
  SPINDLE_ASSIGN(Hdf5Reader file, Hdf5Reader::open(path));
  SPINDLE_RETURN_IF_ERROR(checkFormat(file));
  int64_t samples = 0, steps = 0;
  SPINDLE_RETURN_IF_ERROR(file.attribute("/", "samples", samples));
  SPINDLE_RETURN_IF_ERROR(file.attribute("/", "steps", steps));
  if (samples < 0 || samples > UINT32_MAX || steps < 0 || steps > UINT32_MAX)
    return inputError(path, fmt::format("{} samples of {} steps, expected 0 to {} of both", samples,
                                        steps, UINT32_MAX));
  std::string data = "report/" + populationGroup(population) + "/data";
  if (!file.has(data))
    return inputError(path, fmt::format("found no membranes of '{}'", population));
  MembraneTrace trace{uint32_t(samples), uint32_t(steps), 1.0, {{}}};
  MembraneRecording &recording = trace.recordings[0];
  recording.population.name = population;
  SPINDLE_ASSIGN(std::vector<uint64_t> shape, file.shape(data));
  if (shape.size() != 2 || shape[0] != frames(trace) || shape[1] > UINT32_MAX)
    return inputError(path, fmt::format("{} has not two dimensions, expected {} frames and the "
                                        "neurons",
                                        data, frames(trace)));
  recording.population.size = uint32_t(shape[1]);
  SPINDLE_RETURN_IF_ERROR(file.read(data, recording.values));
  return trace;
}

} // namespace spindle
