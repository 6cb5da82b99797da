#include "hw/cosim/Plan.h"

#include "core/support/CounterRandom.h"
#include "hw/cosim/Compare.h"
#include "hw/program/IndexUse.h"
#include "hw/program/ProgramFile.h"

namespace spindle::hls {

llvm::Expected<Program> readOriginal(const std::string &folder, const KernelInterface &kernel) {
  Program program;
  program.context = makeProgramContext();
  SPINDLE_ASSIGN(program.module, readProgram(*program.context, folder + "/" + kernel.original));
  SPINDLE_ASSIGN(program.golden, Golden::compile(*program.module, kernel.function));
  SPINDLE_ASSIGN(program.arguments, programArguments(*program.golden, kernel,
                                                     usedAsIndex(*program.module, kernel.function),
                                                     folder + "/kernel.json"));
  return program;
}

namespace {

/// A memory has as many words as the kernel is to write there, of any value before that.
void addRoom(BenchRun &run, const Circuit &circuit, const Values &expected) {
  size_t stream = 0;
  for (const KernelArgument &argument : circuit.kernel.arguments) {
    if (!argument.isStream())
      continue;
    if (argument.isWritten && circuit.inMemory.contains(argument.index))
      run.streams[stream].assign(expected.arguments[argument.index].count(),
                                 0xa5a5a5a5a5a5a5a5 & argument.type.mask());
    ++stream;
  }
}

/// The run that is broken off stalls as the one before it, whose length says where to break it.
void addRuns(Plan &plan, const Circuit &circuit, const CosimOptions &options) {
  CounterRandom random(options.seed, /*substream=*/0x72756e73);
  auto stallsOf = [&](uint32_t run) {
    if (run < options.stalls.size())
      return options.stalls[run];
    size_t others = circuit.stallPercents.size() - 1;
    return circuit.stallPercents[run == 0 || others == 0 ? 0 : 1 + (run - 1) % others];
  };
  for (uint32_t r = 0; r < options.runs; ++r) {
    BenchRun run = toRun(circuit.kernel, plan.inputs[r]);
    addRoom(run, circuit, plan.expected[r]);
    run.gap = r < 2 ? 0 : random.below(20);
    run.stallPercent = stallsOf(r);
    if (r >= 2 && r + 1 == options.runs) {
      BenchRun broken = run;
      broken.resetPercent = 10 + random.below(80);
      broken.stallPercent = stallsOf(r - 1);
      plan.stimulus.runs.push_back(std::move(broken));
    }
    plan.compared.push_back(plan.stimulus.runs.size());
    plan.stimulus.runs.push_back(std::move(run));
  }
}

} // namespace

llvm::Expected<Plan> makePlan(const Circuit &circuit, const Program &program,
                              const CosimOptions &options) {
  Plan plan;
  plan.stimulus.seed = options.seed;
  plan.stimulus.mostCycles = circuit.mostCycles;
  plan.stimulus.memoryLatency = options.memoryLatency;
  std::vector<std::vector<KernelArray>> given;
  for (const std::string &file : options.in) {
    SPINDLE_ASSIGN(std::vector<KernelArray> inputs, readInputs(file, program.arguments));
    given.push_back(std::move(inputs));
  }
  for (uint32_t r = 0; r < options.runs; ++r) {
    plan.inputs.push_back(!given.empty() ? given[r % given.size()]
                                         : randomInputs(program.arguments, *options.inputs,
                                                        options.withSpecial, options.seed, r));
    SPINDLE_ASSIGN(Values expected, program.golden->run(plan.inputs[r]));
    for (const KernelArgument &argument : circuit.kernel.arguments)
      if (argument.isStream()) // no more than it reads: the rest would be the next run's
        plan.inputs[r][argument.index] = expected.arguments[argument.index];
    plan.expected.push_back(std::move(expected));
  }
  addRuns(plan, circuit, options);
  return plan;
}

} // namespace spindle::hls
