#include "core/network/SpikeTrace.h"

#include "core/network/PopulationFile.h"
#include "core/support/files/File.h"

#include "fmt/format.h"

#include <algorithm>
#include <cmath>

namespace spindle {

static constexpr FileFormat kSpikesFormat = {"spindle-spikes", 2};
static constexpr int64_t kMostStepsOrSamples = UINT32_MAX; // their product fits 64 bits

/// The end of a step in ms. Reader and writer must round alike: spikes are compared for equality.
static double timestampMs(uint32_t step, double stepMs) { return (double(step) + 1) * stepMs; }

/// What is wrong with a trace, empty when nothing.
static std::string faultOf(const SpikeTrace &trace) {
  if (std::string fault = populationFault(trace.populations); !fault.empty())
    return fault;
  if (!(trace.stepMs > 0) || !std::isfinite(trace.stepMs))
    return fmt::format("a step lasts {} ms, expected more than zero", trace.stepMs);
  uint32_t neurons = neuronCount(trace.populations);
  if (trace.counts.size() != neurons)
    return fmt::format("{} spike counts for {} neurons", trace.counts.size(), neurons);
  if (trace.samples > kMostStepsOrSamples || trace.recorded.size() > trace.samples)
    return fmt::format("{} recorded of {} samples, at most {}", trace.recorded.size(),
                       trace.samples, kMostStepsOrSamples);
  if (trace.populations.empty() && !trace.recorded.empty())
    return "recorded samples without a population";
  if (trace.maxSpikes < 1)
    return "at most 0 spikes of a neuron in a step, expected at least 1";
  std::vector<uint64_t> recorded(neurons, 0);
  for (size_t sample = 0; sample < trace.recorded.size(); ++sample) {
    const std::vector<Spike> &spikes = trace.recorded[sample];
    for (size_t i = 0; i < spikes.size(); ++i) {
      if (spikes[i].neuron >= neurons || spikes[i].step >= trace.steps)
        return fmt::format("sample {}: spike of neuron {} in step {}, but there are {} neurons and "
                           "{} steps",
                           sample, spikes[i].neuron, spikes[i].step, neurons, trace.steps);
      if (i > 0 && spikes[i] < spikes[i - 1])
        return fmt::format("sample {}: spikes of step {} are not in ascending order", sample,
                           spikes[i].step);
      if (i >= trace.maxSpikes && spikes[i - trace.maxSpikes] == spikes[i])
        return fmt::format("sample {}: neuron {} spikes more than {} times in step {}", sample,
                           spikes[i].neuron, trace.maxSpikes, spikes[i].step);
      ++recorded[spikes[i].neuron];
    }
  }
  // In double, as the product of three numbers of 32 bits may not fit 64.
  double most = double(trace.samples) * trace.steps * trace.maxSpikes;
  for (NeuronId neuron = 0; neuron < neurons; ++neuron)
    if (trace.counts[neuron] < recorded[neuron] || double(trace.counts[neuron]) > most)
      return fmt::format("neuron {} has the count {}, expected {} (recorded) to {} (every step)",
                         neuron, trace.counts[neuron], recorded[neuron], most);
  return "";
}

llvm::Error verify(const SpikeTrace &trace) {
  std::string fault = faultOf(trace);
  return fault.empty() ? llvm::Error::success() : checkError("spike trace", fault);
}

static llvm::Error writePopulation(Hdf5Writer &file, const SpikeTrace &trace,
                                   const Population &population) {
  std::vector<double> timestamps;
  std::vector<uint64_t> nodeIds, offsets{0};
  for (const std::vector<Spike> &spikes : trace.recorded) {
    for (const Spike &spike : spikes)
      if (spike.neuron - population.first < population.size) { // unsigned: below wraps around
        timestamps.push_back(timestampMs(spike.step, trace.stepMs));
        nodeIds.push_back(spike.neuron - population.first);
      }
    offsets.push_back(nodeIds.size());
  }
  auto counts = trace.counts.begin() + population.first;
  std::string group = "spikes/" + populationGroup(population.name);
  SPINDLE_RETURN_IF_ERROR(file.write(group + "/timestamps", timestamps));
  SPINDLE_RETURN_IF_ERROR(file.attribute(group + "/timestamps", "units", std::string("ms")));
  SPINDLE_RETURN_IF_ERROR(file.write(group + "/node_ids", nodeIds));
  SPINDLE_RETURN_IF_ERROR(file.write(group + "/sample_offsets", offsets));
  SPINDLE_RETURN_IF_ERROR(
      file.write(group + "/counts", std::vector<uint64_t>(counts, counts + population.size)));
  double seconds = double(trace.samples) * trace.steps * trace.stepMs / 1000;
  std::vector<double> rates;
  for (uint32_t n = 0; n < population.size; ++n)
    rates.push_back(seconds == 0 ? 0 : double(counts[n]) / seconds);
  SPINDLE_RETURN_IF_ERROR(file.write(group + "/rates", rates));
  return file.attribute(group + "/rates", "units", std::string("Hz"));
}

llvm::Error writeSpikeTrace(const std::string &path, const SpikeTrace &trace) {
  SPINDLE_RETURN_IF_ERROR(verify(trace));
  SPINDLE_ASSIGN(Hdf5Writer file, Hdf5Writer::create(path, Hdf5Packing::None));
  SPINDLE_RETURN_IF_ERROR(writeSonataHeader(file, kSpikesFormat));
  SPINDLE_RETURN_IF_ERROR(file.attribute("/", "steps", int64_t(trace.steps)));
  SPINDLE_RETURN_IF_ERROR(file.attribute("/", "max_spikes", int64_t(trace.maxSpikes)));
  SPINDLE_RETURN_IF_ERROR(file.attribute("/", "step_ms", trace.stepMs));
  SPINDLE_RETURN_IF_ERROR(file.attribute("/", "samples", static_cast<int64_t>(trace.samples)));
  SPINDLE_RETURN_IF_ERROR(writePopulations(file, trace.populations));
  for (const Population &population : trace.populations)
    SPINDLE_RETURN_IF_ERROR(writePopulation(file, trace, population));
  return file.close();
}

/// Appends the spikes and the counts of one population to the trace.
static llvm::Error readPopulation(const Hdf5Reader &file, const Population &population,
                                  SpikeTrace &trace) {
  std::vector<double> timestamps;
  std::vector<uint64_t> nodeIds, offsets, counts;
  std::string group = "spikes/" + populationGroup(population.name);
  SPINDLE_RETURN_IF_ERROR(file.read(group + "/timestamps", timestamps));
  SPINDLE_RETURN_IF_ERROR(file.read(group + "/node_ids", nodeIds));
  SPINDLE_RETURN_IF_ERROR(file.read(group + "/sample_offsets", offsets));
  SPINDLE_RETURN_IF_ERROR(file.read(group + "/counts", counts));
  if (timestamps.size() != nodeIds.size() || counts.size() != population.size)
    return inputError(file.fileName(),
                      fmt::format("{} has {} timestamps, {} node ids and {} counts for {} neurons, "
                                  "which do not belong together",
                                  group, timestamps.size(), nodeIds.size(), counts.size(),
                                  population.size));
  if (trace.recorded.empty() && !offsets.empty())
    trace.recorded.resize(offsets.size() - 1); // the first population says how many samples
  if (offsets.size() != trace.recorded.size() + 1 || offsets.front() != 0 ||
      offsets.back() != nodeIds.size() || !std::is_sorted(offsets.begin(), offsets.end()))
    return inputError(file.fileName(),
                      fmt::format("{}/sample_offsets must ascend from 0 to {} in {} entries", group,
                                  nodeIds.size(), trace.recorded.size() + 1));
  for (size_t sample = 0; sample < trace.recorded.size(); ++sample) {
    std::vector<Spike> &spikes = trace.recorded[sample];
    auto before = std::ssize(spikes);
    for (uint64_t i = offsets[sample]; i < offsets[sample + 1]; ++i) {
      double step = std::round(timestamps[i] / trace.stepMs) - 1;
      bool isStep = step >= 0 && step < trace.steps &&
                    timestampMs(static_cast<uint32_t>(step), trace.stepMs) == timestamps[i];
      if (!isStep || nodeIds[i] >= population.size)
        return inputError(
            file.fileName(),
            fmt::format("{} has a spike of node {} at {} ms, expected a node below {} "
                        "at the end of one of {} steps of {} ms",
                        group, nodeIds[i], timestamps[i], population.size, trace.steps,
                        trace.stepMs));
      spikes.push_back(
          {static_cast<uint32_t>(step), population.first + static_cast<NeuronId>(nodeIds[i])});
    }
    if (!std::is_sorted(spikes.begin() + before, spikes.end())) // files of others
      std::sort(spikes.begin() + before, spikes.end());
    std::inplace_merge(spikes.begin(), spikes.begin() + before, spikes.end());
  }
  trace.counts.insert(trace.counts.end(), counts.begin(), counts.end());
  return llvm::Error::success();
}

static llvm::Error checkTraceHeader(const Hdf5Reader &file) {
  std::string format;
  int64_t version = 0;
  if (llvm::Error error = file.attribute("/", "format", format)) {
    llvm::consumeError(std::move(error));
    return inputError(file.fileName(), fmt::format("not a {} file", kSpikesFormat.name));
  }
  if (format != kSpikesFormat.name)
    return inputError(file.fileName(), fmt::format("not a {} file", kSpikesFormat.name));
  SPINDLE_RETURN_IF_ERROR(file.attribute("/", "format_version", version));
  if (version != kSpikesFormat.version)
    return inputError(
        file.fileName(),
        fmt::format("version {} of {}, expected version {}; run the stage that writes "
                    "it again",
                    version, kSpikesFormat.name, kSpikesFormat.version));
  return llvm::Error::success();
}

llvm::Expected<SpikeTrace> readSpikeTrace(const std::string &path) {
  SPINDLE_ASSIGN(Hdf5Reader file, Hdf5Reader::open(path));
  SPINDLE_RETURN_IF_ERROR(checkTraceHeader(file));
  SpikeTrace trace;
  int64_t steps = 0, samples = 0, maxSpikes = 0;
  SPINDLE_RETURN_IF_ERROR(file.attribute("/", "steps", steps));
  SPINDLE_RETURN_IF_ERROR(file.attribute("/", "max_spikes", maxSpikes));
  SPINDLE_RETURN_IF_ERROR(file.attribute("/", "step_ms", trace.stepMs));
  SPINDLE_RETURN_IF_ERROR(file.attribute("/", "samples", samples));
  if (steps < 0 || steps > kMostStepsOrSamples || samples < 0 || samples > kMostStepsOrSamples)
    return inputError(path, fmt::format("{} steps of {} samples, expected 0 to {} of both", steps,
                                        samples, kMostStepsOrSamples));
  if (maxSpikes < 1 || maxSpikes > kMostStepsOrSamples)
    return inputError(path, fmt::format("{} spikes of a neuron in a step at most, expected 1 to {}",
                                        maxSpikes, kMostStepsOrSamples));
  SPINDLE_ASSIGN(trace.populations, readPopulations(file));
  trace.steps = static_cast<uint32_t>(steps);
  trace.maxSpikes = static_cast<uint32_t>(maxSpikes);
  trace.samples = static_cast<uint64_t>(samples);
  for (const Population &population : trace.populations)
    SPINDLE_RETURN_IF_ERROR(readPopulation(file, population, trace));
  if (std::string fault = faultOf(trace); !fault.empty())
    return inputError(path, fault);
  return trace;
}

} // namespace spindle
