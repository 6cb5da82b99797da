// Emulation by the reference interpreter: one sample after the other.
#include "lib/emulation/interpreter/Interpreter.h"
#include "lib/emulation/runtime/SampleRunner.h"

namespace spindle {

using interpreter::Interpreter;
using interpreter::SampleRun;

static llvm::Error runOne(const EmulationTask &task, const Interpreter<float> &interpreter,
                          size_t index, Tally &tally) {
  std::vector<float> values(task.network.inputs());
  if (!task.samples.events) {
    std::vector<float> room;
    SPINDLE_ASSIGN(const float *sample, task.samples.block(index, 1, room));
    task.mapping.copy(sample, values.data());
  }
  auto watch = [&](uint32_t step, size_t population, const std::vector<float> &membranes) {
    size_t frame = index * size_t(task.options.steps) + step;
    for (MembraneRecording &each : task.membranes.recordings)
      if (each.population == task.network.populations[population])
        std::copy(membranes.begin(), membranes.end(),
                  each.values.begin() + std::ptrdiff_t(frame * membranes.size()));
  };
  bool isRecorded = index < task.recorded.size();
  SPINDLE_ASSIGN(SampleRun<float> run,
                 interpreter.run(values.data(), task.firstSample + index,
                                 static_cast<uint32_t>(task.options.steps),
                                 static_cast<uint64_t>(task.options.seed),
                                 task.mapping.events(task.samples, index),
                                 isRecorded ? Interpreter<float>::Watch(watch) : nullptr));
  for (size_t step = 0; step < run.answers.size(); ++step)
    tally.answer(step, task.samples.labels[index],
                 classOf(run.answers[step].data(), run.answers[step].size()));
  for (const Spike &spike : run.spikes)
    ++tally.counts[spike.neuron];
  if (isRecorded)
    task.recorded[index] = std::move(run.spikes);
  task.progress.add(run.answers.size());
  return llvm::Error::success();
}

llvm::Expected<EngineInstance> makeInterpreterEngine(const EmulationTask &task) {
  auto interpreter = std::make_shared<Interpreter<float>>(task.network);
  auto run = [&task, interpreter](size_t first, size_t count, Tally &tally) -> llvm::Error {
    for (size_t index = first; index < first + count; ++index)
      SPINDLE_RETURN_IF_ERROR(runOne(task, *interpreter, index, tally));
    return llvm::Error::success();
  };
  return EngineInstance{1, [run] { return SampleRunner{run}; }};
}

} // namespace spindle
