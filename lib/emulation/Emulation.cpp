#include "lib/emulation/Emulation.h"

#include "lib/emulation/SampleRunner.h"
#include "lib/emulation/Synapses.h"

#include "fmt/format.h"
#include "fmt/ranges.h"

#include <chrono>
#include <numeric>

namespace spindle {

namespace {

struct NamedEngine {
  const char *name;
  EngineInstance instance;
};

llvm::Expected<NamedEngine> makeEngine(const EmulationTask &task) {
  EmulationEngine engine = task.options.engine;
  if (engine == EmulationEngine::Interpreter) {
    SPINDLE_ASSIGN(EngineInstance instance, makeInterpreterEngine(task));
    return NamedEngine{"interpreter", std::move(instance)};
  }
  if (engine != EmulationEngine::Lanes) {
    std::string reason;
    SPINDLE_ASSIGN(std::optional<EngineInstance> instance, makeLayerwiseEngine(task, reason));
    if (instance)
      return NamedEngine{"layers", std::move(*instance)};
    if (engine == EmulationEngine::Layers)
      return inputError("emulation", fmt::format("engine is 'layers', but {}; expected compiled or "
                                                 "lanes",
                                                 reason));
  }
  SPINDLE_ASSIGN(EngineInstance instance, makeLanesEngine(task));
  return NamedEngine{"lanes", std::move(instance)};
}

double secondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

llvm::Expected<Tally> runAll(const EmulationTask &task, const EngineInstance &instance,
                             size_t threads, const Progress &progress) {
  size_t samples = task.samples.count();
  Tally total(static_cast<size_t>(task.options.steps), task.network.outputs(),
              neuronCount(task.network.populations));
  std::vector<Tally> tallies(threads, total);
  std::vector<SampleRunner> runners(threads);
  for (SampleRunner &runner : runners)
    runner = instance.makeRunner();
  SPINDLE_RETURN_IF_ERROR(forEachBatch(
      samples, instance.batchSize, threads,
      [&](size_t thread, size_t first, size_t count) {
        return runners[thread](first, count, tallies[thread]);
      },
      progress));
  for (const Tally &tally : tallies)
    total += tally;
  return total;
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

/// Room for the membranes of the chosen populations.
llvm::Expected<MembraneTrace> prepareMembranes(const Network &network,
                                               const EmulationOptions &options, size_t samples) {
  MembraneTrace trace;
  trace.samples = static_cast<uint32_t>(samples);
  trace.steps = static_cast<uint32_t>(options.steps);
  trace.stepMs = options.stepMs;
  for (const std::string &name : options.recordMembranes) {
    std::vector<std::string> known;
    for (const NetworkOp &each : network.ops)
      if (mlir::isa<snn::NeuronOp>(each.op))
        known.push_back(network.populations[*each.population].name);
    if (!llvm::is_contained(known, name))
      return inputError("emulation",
                        fmt::format("record_membranes names '{}', expected populations with "
                                    "membranes: {}",
                                    name, fmt::join(known, ", ")));
    for (const Population &population : network.populations)
      if (population.name == name)
        trace.recordings.push_back(
            {population, std::vector<float>(samples * trace.steps * population.size)});
  }
  return trace;
}

EmulationSummary summarise(const Network &network, const Samples &samples,
                           const EmulationOptions &options, const Tally &tally) {
  EmulationSummary summary;
  summary.encoding = encodingOf(network);
  summary.steps = static_cast<uint32_t>(options.steps);
  summary.samples = samples.count();
  summary.correctByStep = tally.correctByStep;
  summary.confusion = tally.confusion;
  summary.populations = network.populations;
  for (const Population &population : network.populations) {
    auto first = tally.counts.begin() + population.first;
    summary.spikes.push_back(std::accumulate(first, first + population.size, uint64_t(0)));
  }
  Synapses synapses = composeSynapses(network);
  summary.synapses = synapses.sources.size();
  for (NeuronId source : synapses.sources)
    summary.synapticEvents += tally.counts[source];
  return summary;
}

} // namespace

llvm::Expected<EmulationResult> emulate(mlir::ModuleOp snn, const Samples &samples,
                                        const EmulationOptions &options, const Progress &progress) {
  SPINDLE_RETURN_IF_ERROR(checkEmulationOptions(options));
  SPINDLE_ASSIGN(Network network, readNetwork(snn));
  if (!network.runsInTime)
    return inputError(placeOf(network.function), "the network has no populations, expected a "
                                                 "spiking one; run spindle convert first");
  SPINDLE_ASSIGN(InputLayout layout, InputLayout::match(network, samples));
  SPINDLE_RETURN_IF_ERROR(checkLabels(network, samples));

  EmulationResult result;
  SpikeTrace &trace = result.trace;
  trace.recorded.resize(std::min<size_t>(samples.count(), options.recordSamples));
  SPINDLE_ASSIGN(result.membranes, prepareMembranes(network, options, trace.recorded.size()));
  EmulationTask task{network, samples, layout, options, trace.recorded, result.membranes};
  auto start = std::chrono::steady_clock::now();
  SPINDLE_ASSIGN(NamedEngine engine, makeEngine(task));
  result.compileSeconds = secondsSince(start);

  size_t threads = threadsFor(samples.count(), engine.instance.batchSize, options.threads);
  start = std::chrono::steady_clock::now();
  SPINDLE_ASSIGN(Tally tally, runAll(task, engine.instance, threads, progress));
  double seconds = secondsSince(start);

  result.summary = summarise(network, samples, options, tally);
  result.summary.engine = engine.name;
  result.summary.seconds = seconds;
  result.summary.threads = static_cast<uint32_t>(threads);
  trace.populations = network.populations;
  trace.steps = static_cast<uint32_t>(options.steps);
  trace.stepMs = options.stepMs;
  trace.maxSpikes = maxSpikes(network, samples);
  trace.samples = samples.count();
  trace.counts = std::move(tally.counts);
  SPINDLE_RETURN_IF_ERROR(verify(trace));
  SPINDLE_RETURN_IF_ERROR(verify(result.membranes));
  SPINDLE_RETURN_IF_ERROR(verify(result.summary));
  return result;
}

} // namespace spindle
