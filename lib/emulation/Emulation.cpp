#include "lib/emulation/Emulation.h"

#include "lib/emulation/Trials.h"
#include "lib/emulation/network/InputMapping.h"
#include "lib/emulation/ranks/Divide.h"

#include <numeric>
#include <sys/resource.h>

namespace spindle {

namespace {

/// The most memory that this process has held.
uint64_t peakBytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<uint64_t>(usage.ru_maxrss) * 1024;
}

/// What the first encoder of the network does.
std::string encodingOf(const Network &network) {
  for (const NetworkOp &each : network.ops)
    if (auto encode = mlir::dyn_cast<snn::EncodeOp>(each.op))
      return stringifyEncoding(encode.getEncoding()).str();
  return "";
}

/// Most spikes of a neuron in one step: what neurons are allowed, and what recorded events repeat.
uint32_t maxSpikes(const Network &network, const Samples &samples) {
  int64_t most = 1;
  for (const NetworkOp &each : network.ops)
    if (auto neuron = mlir::dyn_cast<snn::NeuronOp>(each.op))
      most = std::max(most, neuron.neuronModel().maxSpikes);
  for (size_t index = 0; samples.events && index < samples.count(); ++index) {
    std::span<const InputEvent> events = samples.events->sample(index);
    for (size_t i = 0, same = 1; i + 1 < events.size(); ++i) {
      same = events[i] == events[i + 1] ? same + 1 : 1;
      most = std::max(most, static_cast<int64_t>(same));
    }
  }
  return static_cast<uint32_t>(std::min<int64_t>(most, UINT32_MAX));
}

EmulationSummary summarize(const Network &network, const Samples &samples,
                           const EmulationOptions &options, const Share &share) {
  EmulationSummary summary;
  summary.encoding = encodingOf(network);
  summary.steps = static_cast<uint32_t>(options.steps);
  summary.samples = samples.count();
  summary.correctByStep = share.tally.correctByStep;
  summary.confusion = share.tally.confusion;
  summary.populations = network.populations;
  for (const Population &population : network.populations) {
    auto first = share.tally.counts.begin() + population.first;
    summary.spikes.push_back(std::accumulate(first, first + population.size, uint64_t(0)));
  }
  summary.synapses = share.synapses;
  summary.synapticEvents = share.synapticEvents;
  summary.engine = share.engine;
  summary.seconds = share.seconds;
  summary.threads = share.threads;
  return summary;
}

} // namespace

llvm::Expected<EmulationResult> emulate(mlir::ModuleOp snn, const Samples &samples,
                                        const EmulationOptions &options, const Progress &progress,
                                        Ranks *ranks) {
  SPINDLE_RETURN_IF_ERROR(checkEmulationOptions(options));
  SPINDLE_ASSIGN(Network network, readNetwork(snn));
  if (!network.runsInTime)
    return inputError(placeOrNameOf(network.function), "the network has no populations, expected a "
                                                       "spiking one; run spindle convert first");
  SPINDLE_RETURN_IF_ERROR(InputMapping::match(network, samples).takeError());
  SPINDLE_RETURN_IF_ERROR(checkLabels(network, samples));

  SPINDLE_ASSIGN(Share share, divideEmulation(ranks, snn, network, samples, options, progress));
  EmulationResult result;
  result.compileSeconds = share.compileSeconds;
  result.summary = summarize(network, samples, options, share);
  if (!samples.labelled) {
    result.summary.correctByStep.clear();
    result.summary.confusion.clear();
  }
  result.summary.peakBytes = peakBytes();
  result.membranes = std::move(share.membranes);
  SpikeTrace &trace = result.trace;
  trace.recorded = std::move(share.recorded);
  trace.populations = network.populations;
  trace.steps = static_cast<uint32_t>(options.steps);
  trace.stepMs = result.membranes.stepMs = stepMsOf(options, snn);
  trace.maxSpikes = maxSpikes(network, samples);
  trace.samples = samples.count();
  trace.counts = std::move(share.tally.counts);
  SPINDLE_RETURN_IF_ERROR(verify(trace));
  SPINDLE_RETURN_IF_ERROR(verify(result.membranes));
  SPINDLE_RETURN_IF_ERROR(verify(result.summary));
  return result;
}

} // namespace spindle
