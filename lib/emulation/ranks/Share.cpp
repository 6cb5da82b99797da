#include "lib/emulation/ranks/Share.h"

#include "lib/emulation/ranks/ShareMessages.h"
#include "lib/emulation/runtime/SampleRunner.h"

#include "fmt/format.h"
#include "fmt/ranges.h"

#include <chrono>

namespace spindle {

namespace {

double secondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

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
    SPINDLE_ASSIGN(std::optional<EngineInstance> instance, makeLayersEngine(task, reason));
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

/// The engine of a part of a network, or what it lacks. All ranks are told the same.
llvm::Expected<std::optional<NamedEngine>> makePartEngine(const EmulationTask &task,
                                                          std::string &refusal) {
  std::optional<EngineInstance> instance;
  llvm::Error error = llvm::Error::success();
  if (EmulationEngine engine = task.options.engine;
      engine == EmulationEngine::Lanes || engine == EmulationEngine::Interpreter)
    refusal = "only engine 'layers' works parts of a network";
  else if (auto made = makeLayersEngine(task, refusal); made)
    instance = std::move(*made);
  else
    error = made.takeError();
  SPINDLE_RETURN_IF_ERROR(agree(*task.ranks, std::move(error), refusal));
  if (!refusal.empty())
    return std::nullopt;
  return NamedEngine{"layers", std::move(*instance)};
}

llvm::Expected<Tally> runAll(const EmulationTask &task, const EngineInstance &instance,
                             size_t count, size_t threads) {
  Tally total(static_cast<size_t>(task.options.steps), task.network.outputs(),
              neuronCount(task.network.populations));
  std::vector<Tally> tallies(threads, total);
  std::vector<SampleRunner> runners(threads);
  for (SampleRunner &runner : runners)
    runner = instance.makeRunner();
  auto run = [&](size_t thread, size_t first, size_t size) {
    return runners[thread].run(first, size, tallies[thread]);
  };
  auto help = [&](size_t thread) { runners[thread].help(tallies[thread]); };
  SPINDLE_RETURN_IF_ERROR(forEachBatch(count, instance.batches, threads, run, {},
                                       runners.front().help ? BatchHelp(help) : nullptr));
  for (const Tally &tally : tallies)
    total += tally;
  return total;
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

} // namespace

llvm::Expected<Share> emulateShare(const Network &network, const Samples &samples,
                                   const EmulationOptions &options, const ShareRange &range,
                                   const Progress &progress, Ranks *ranks) {
  SPINDLE_ASSIGN(InputMapping mapping, InputMapping::match(network, samples));
  Share share;
  share.recorded.resize(range.recorded);
  SPINDLE_ASSIGN(share.membranes, prepareMembranes(network, options, range.recorded));
  StepProgress count(range.count, static_cast<uint64_t>(options.steps), progress);
  EmulationTask task{network,        samples,         mapping, options, range.firstSample,
                     share.recorded, share.membranes, count,   ranks};
  auto start = std::chrono::steady_clock::now();
  std::optional<NamedEngine> engine;
  if (ranks) {
    SPINDLE_ASSIGN(engine, makePartEngine(task, share.refusal));
    if (!engine)
      return share;
  } else {
    SPINDLE_ASSIGN(engine, makeEngine(task));
  }
  share.compileSeconds = secondsSince(start);
  share.engine = engine->name;
  const EngineInstance &instance = engine->instance;
  size_t threads = ranks ? 1
                         : threadsFor(range.count, instance.batches,
                                      static_cast<size_t>(options.threads), instance.parts);
  share.threads = static_cast<uint32_t>(threads);
  count.begin();
  start = std::chrono::steady_clock::now();
  SPINDLE_ASSIGN(share.tally, runAll(task, instance, range.count, threads));
  share.seconds = secondsSince(start);
  return share;
}

} // namespace spindle
