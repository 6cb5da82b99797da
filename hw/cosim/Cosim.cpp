#include "hw/cosim/Cosim.h"

#include "core/support/CounterRandom.h"
#include "hw/cosim/Compare.h"
#include "hw/cosim/TestBench.h"
#include "hw/program/FillLocals.h"
#include "hw/program/IndexUse.h"
#include "hw/program/ProgramFile.h"

#include "fmt/format.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <numeric>
#include <set>
#include <tuple>

namespace spindle::hls {

namespace {

constexpr uint64_t kWaveformMargin = 50; // cycles before and after
constexpr char kReadsUnwritten[] = "; the program's own values depend on what local arrays hold "
                                   "before they are written: write elements before it reads them";

double secondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// The runs, what they start with and what they have to come to.
struct Plan {
  Stimulus stimulus;
  std::vector<size_t> compared;                 // indices of the runs that come to their end
  std::vector<std::vector<KernelArray>> inputs; // of the compared runs
  std::vector<Values> expected;
};

struct Program {
  std::unique_ptr<mlir::MLIRContext> context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::optional<Golden> golden;
  std::vector<ProgramArgument> arguments;
};

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

/// What is simulated: the kernel, or the kernel behind its bus.
struct Circuit {
  KernelInterface kernel; // as the test bench sees it
  BenchDesign design;
  std::optional<TaskGraph> system;     // whose managers are watched
  std::optional<uint64_t> cycles;      // of a run, about
  uint64_t mostCycles = 0;             // of a run
  std::vector<uint64_t> stallPercents; // of the first run, then of the others, again and again
  std::set<uint32_t> inMemory = {};    // arguments that are streams, and lie behind channels
};

bool hasStreams(const KernelInterface &kernel) {
  return llvm::any_of(kernel.arguments,
                      [](const KernelArgument &argument) { return argument.isStream(); });
}

Circuit plainCircuit(const std::string &folder, const KernelInterface &kernel,
                     const std::optional<TaskGraph> &system, const CosimOptions &options) {
  Circuit circuit{kernel,
                  designOf(folder, kernel, system, options.fifos),
                  system,
                  kernel.predictedCycles,
                  options.mostCycles,
                  {0}};
  if (!options.netlist.empty()) {
    circuit.design.sources = options.netlist;
    circuit.design.work = options.netlistWork;
  }
  if (kernel.predictedCycles) // a stream may decide how long it takes
    circuit.mostCycles = (hasStreams(kernel) ? 32 : 4) * *kernel.predictedCycles + 1000;
  if (kernel.hasClockEnable)
    circuit.stallPercents = {0, 30};
  if (hasStreams(kernel))
    circuit.stallPercents = {0, 50, 87};
  return circuit;
}

llvm::Error checkStream(const std::string &folder, const KernelArgument &argument,
                        const BusInterface &bus) {
  std::string name = fmt::format("arg{}", argument.index);
  const AxiStream *stream = bus.streamOf(name);
  if (stream && stream->bytes == argument.type.bytes())
    return llvm::Error::success();
  return inputError(folder + "/axi.json",
                    fmt::format("found no stream '{}' of {} bytes, which the kernel needs", name,
                                argument.type.bytes()));
}

/// What channels move is what the kernel needs: arrays are read and, if it writes them, written.
llvm::Error checkChannels(const std::string &folder, const KernelInterface &kernel,
                          const BusInterface &bus) {
  auto refuse = [&](const std::string &name, const char *way, bool isThere) {
    return inputError(folder + "/axi.json",
                      fmt::format("found {} '{}' among what channels {}, expected {}",
                                  isThere ? "the argument" : "no", name, way,
                                  isThere ? "it not to be there, as the kernel has it otherwise"
                                          : "it there, as the kernel needs it"));
  };
  std::set<std::string> known;
  for (const KernelArgument &argument : kernel.arguments) {
    std::string name = fmt::format("arg{}", argument.index);
    known.insert(name);
    bool isMoved = argument.isMemory() || (argument.isStream() && bus.isInChannel(name));
    bool isRead = isMoved && (argument.isMemory() || argument.isRead);
    bool isWritten = isMoved && argument.isWritten;
    bool reads = false, writes = false;
    for (const AxiChannel &channel : bus.channels) {
      reads |= llvm::is_contained(channel.reads, name);
      writes |= llvm::is_contained(channel.writes, name);
    }
    if (reads != isRead)
      return refuse(name, "read", reads);
    if (writes != isWritten)
      return refuse(name, "write", writes);
  }
  for (const AxiChannel &channel : bus.channels)
    for (const auto *names : {&channel.reads, &channel.writes})
      for (const std::string &name : *names)
        if (!known.contains(name))
          return refuse(name, names == &channel.reads ? "read" : "write", true);
  return llvm::Error::success();
}

/// Elements cross the bus in row-major order, whatever banks they lie in, and moving them takes
/// cycles that nobody predicts.
llvm::Expected<Circuit> busCircuit(const std::string &folder, KernelInterface kernel,
                                   const BusInterface &bus, const CosimOptions &options) {
  Circuit circuit;
  circuit.stallPercents = {0, 50, 87};
  uint64_t elements = 0;
  auto checkRegister = [&](const std::string &name) {
    return bus.offsetOf(name) ? llvm::Error::success()
                              : inputError(folder + "/axi.json",
                                           fmt::format("found no register '{}', which the kernel "
                                                       "needs",
                                                       name));
  };
  if (!bus.channels.empty())
    SPINDLE_RETURN_IF_ERROR(checkChannels(folder, kernel, bus));
  for (KernelArgument &argument : kernel.arguments) {
    if (argument.isStream()) {
      std::string name = fmt::format("arg{}", argument.index);
      if (bus.isInChannel(name)) {
        SPINDLE_RETURN_IF_ERROR(checkRegister(name));
        circuit.inMemory.insert(argument.index);
      } else {
        SPINDLE_RETURN_IF_ERROR(checkStream(folder, argument, bus));
      }
      elements += argument.isArray() ? argument.elements() : 0;
      continue;
    }
    if (!argument.isMemory() || bus.data == AxiData::Memory)
      SPINDLE_RETURN_IF_ERROR(checkRegister(fmt::format("arg{}", argument.index)));
    if (!argument.isMemory())
      continue;
    argument.partition.assign(argument.shape.size(), DimensionPartition());
    elements += argument.elements();
  }
  for (size_t i = 0; i < kernel.results.size(); ++i)
    SPINDLE_RETURN_IF_ERROR(checkRegister(fmt::format("result{}", i)));
  circuit.mostCycles = options.mostCycles;
  if (kernel.predictedCycles) {
    circuit.cycles = *kernel.predictedCycles + 50 * elements + 2500;
    if (!bus.channels.empty()) // a burst at a time, at worst
      *circuit.cycles += options.memoryLatency * (elements + 2 * kernel.arguments.size());
    circuit.mostCycles = 4 * *circuit.cycles;
  }
  kernel.predictedCycles.reset();
  circuit.design = designOf(folder, kernel, bus);
  circuit.kernel = std::move(kernel);
  return circuit;
}

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

/// A problem, and the cycle of the clock where it shows.
struct Found {
  std::string text;
  uint64_t cycle = 0;
};

std::string runName(const Plan &plan, size_t index) {
  auto compared = std::find(plan.compared.begin(), plan.compared.end(), index);
  if (compared == plan.compared.end())
    return "run broken off by a reset";
  bool isAfterReset = index > 0 && plan.stimulus.runs[index - 1].resetPercent > 0;
  return fmt::format("run {}{}", compared - plan.compared.begin(),
                     isAfterReset ? " (after a reset)" : "");
}

Found foundViolation(const Plan &plan, const Response &response, const Violation &violation) {
  if (violation.run >= plan.stimulus.runs.size())
    return {"after the last run: " + violation.text, violation.cycle};
  std::string when;
  if (violation.run < response.outcomes.size())
    when = fmt::format(", cycle {}", violation.cycle - response.outcomes[violation.run].startCycle);
  else
    when = ", before its start";
  return {runName(plan, violation.run) + when + ": " + violation.text, violation.cycle};
}

std::string countText(uint64_t mismatches) {
  return fmt::format("{} mismatch{}", mismatches, mismatches == 1 ? "" : "es");
}

/// When tokens moved, by argument; those that moved before the start did so in cycle 0.
std::vector<std::vector<uint64_t>> streamCycles(const KernelInterface &kernel,
                                                const BenchOutcome &outcome) {
  std::vector<std::vector<uint64_t>> cycles;
  size_t stream = 0;
  for (const KernelArgument &argument : kernel.arguments) {
    cycles.resize(std::max(cycles.size(), size_t(argument.index) + 1));
    if (!argument.isStream() || stream >= outcome.moments.size())
      continue;
    for (uint64_t moment : outcome.moments[stream++])
      cycles[argument.index].push_back(moment - std::min(moment, outcome.startCycle));
  }
  return cycles;
}

/// When the tasks of a system ran. A manager is at work from the cycle after its start on.
std::vector<TaskSpan> spansOf(const BenchOutcome &outcome) {
  std::vector<TaskSpan> spans;
  for (uint32_t task = 0; task < outcome.spans.size(); ++task) {
    const Words &moments = outcome.spans[task];
    for (uint64_t input = 0; 2 * input + 1 < moments.size(); ++input)
      spans.push_back({task, input, moments[2 * input] - outcome.startCycle - 1,
                       moments[2 * input + 1] - outcome.startCycle});
  }
  std::sort(spans.begin(), spans.end(), [](const TaskSpan &a, const TaskSpan &b) {
    return std::tie(a.start, a.task) < std::tie(b.start, b.task);
  });
  return spans;
}

/// The first task that ran at another time than predicted.
std::optional<std::string> foundLate(const TaskGraph &system, const std::vector<TaskSpan> &spans) {
  for (const TaskSpan &expected : system.predicted) {
    auto found = std::find_if(spans.begin(), spans.end(), [&](const TaskSpan &span) {
      return span.task == expected.task && span.input == expected.input;
    });
    std::string name =
        fmt::format("{}, input {},", system.tasks[expected.task].name, expected.input);
    if (found == spans.end())
      return fmt::format("{} never runs, predicted were cycles {} to {}", name, expected.start,
                         expected.end);
    if (*found != expected)
      return fmt::format("{} runs in cycles {} to {}, predicted were {} to {}", name, found->start,
                         found->end, expected.start, expected.end);
  }
  return std::nullopt;
}

/// Compares every run that came to its end.
std::vector<Found> compareRuns(const Circuit &circuit, const Plan &plan, const Response &response,
                               const CosimOptions &options, CosimResult &result) {
  const KernelInterface &kernel = circuit.kernel;
  std::vector<Found> problems;
  for (size_t r = 0; r < plan.compared.size(); ++r) {
    size_t index = plan.compared[r];
    if (index >= response.outcomes.size() || !response.outcomes[index].isFinished)
      break;
    const BenchOutcome &outcome = response.outcomes[index];
    ++result.runs;
    result.runCycles.push_back(outcome.cycles);
    result.streamCycles.push_back(streamCycles(kernel, outcome));
    result.fills.push_back(outcome.fills);
    if (r == 0 && circuit.system) {
      result.tasks = spansOf(outcome);
      if (std::optional<std::string> late = foundLate(*circuit.system, result.tasks))
        problems.push_back({runName(plan, index) + ": " + *late, outcome.endCycle});
    }
    Values found = fromOutcome(kernel, outcome, plan.inputs[r]);
    ElementName name;
    if (options.names)
      name = [&](size_t argument, size_t element, uint64_t bits) {
        return options.names(r, argument, element, bits);
      };
    Comparison comparison =
        compare(kernel, plan.stimulus.runs[index], outcome, found, plan.expected[r], name);
    result.mismatches += comparison.mismatches;
    if (comparison.first)
      problems.push_back({fmt::format("{}: {}; {} in this run", runName(plan, index),
                                      comparison.first->text, countText(comparison.mismatches)),
                          comparison.first->cycle});
    std::optional<uint64_t> predicted = kernel.predictedCycles;
    if (hasStreams(kernel) && plan.stimulus.runs[index].stallPercent > 0)
      predicted.reset(); // a stream may make it wait
    if (r < options.predicted.size())
      predicted = options.predicted[r];
    if (predicted && outcome.cycles != *predicted)
      problems.push_back({fmt::format("{} takes {} cycles, predicted were {}", runName(plan, index),
                                      outcome.cycles, *predicted),
                          outcome.endCycle});
  }
  if (!result.runCycles.empty())
    result.cycles = result.runCycles.front();
  if (llvm::all_equal(result.runCycles))
    result.runCycles.clear();
  for (const Violation &violation : response.violations)
    problems.push_back(foundViolation(plan, response, violation));
  return problems;
}

/// Unknown cycles are taken to be many.
SimulatedTime timeOf(const Circuit &circuit, const CosimOptions &options) {
  if (circuit.cycles)
    return simulatedTime(*circuit.cycles * options.runs);
  if (options.predicted.size() < options.runs)
    return SimulatedTime::Long;
  return simulatedTime(
      std::accumulate(options.predicted.begin(), options.predicted.end(), uint64_t(0)));
}

llvm::Error drawWaveform(const BenchDesign &design, Stimulus stimulus, uint64_t from, uint64_t to,
                         const std::string &path) {
  SPINDLE_ASSIGN(std::string program, buildTestBench(design, Tracing::On, simulatedTime(to)));
  stimulus.traceFrom = from;
  stimulus.traceTo = to;
  return runTestBench(design, program, stimulus, path).takeError();
}

llvm::Expected<CosimResult> simulate(const Circuit &circuit, const Program &program,
                                     const CosimOptions &options) {
  const KernelInterface &kernel = circuit.kernel;
  const BenchDesign &design = circuit.design;
  SPINDLE_ASSIGN(Plan plan, makePlan(circuit, program, options));
  CosimResult result;
  result.top = design.top;
  result.predictedCycles = kernel.predictedCycles;
  if (!options.predicted.empty())
    result.predictedCycles = options.predicted.front();
  result.seed = options.seed;
  auto start = std::chrono::steady_clock::now();
  // A netlist takes long to build: it is traced at once.
  bool isTraced = options.hasWaveform && !options.netlist.empty();
  SPINDLE_ASSIGN(std::string bench, buildTestBench(design, isTraced ? Tracing::On : Tracing::Off,
                                                   timeOf(circuit, options)));
  result.buildSeconds = secondsSince(start);
  start = std::chrono::steady_clock::now();
  if (isTraced) {
    plan.stimulus.traceFrom = 0;
    plan.stimulus.traceTo = UINT64_MAX;
  }
  std::string waveform = isTraced ? design.path("waveform.vcd") : "";
  SPINDLE_ASSIGN(Response response, runTestBench(design, bench, plan.stimulus, waveform));
  result.simulationSeconds = secondsSince(start);
  std::vector<Found> problems = compareRuns(circuit, plan, response, options, result);
  for (const Found &problem : problems)
    result.problems.push_back(problem.text);
  if (!options.dump.empty() && result.runs > 0)
    SPINDLE_RETURN_IF_ERROR(
        writeValues(options.dump, fromOutcome(kernel, response.outcomes[0], plan.inputs[0])));
  std::string mismatch = design.path("mismatch.vcd");
  std::error_code status;
  std::filesystem::remove(mismatch, status); // of an earlier co-simulation
  if (result.mismatches > 0) {
    SPINDLE_ASSIGN(bool depends,
                   dependsOnLocals(*program.module, kernel.function, plan.inputs, plan.expected));
    if (depends)
      result.problems[0] += kReadsUnwritten;
  }
  if (!problems.empty()) {
    uint64_t at = problems[0].cycle;
    SPINDLE_RETURN_IF_ERROR(drawWaveform(design, plan.stimulus, at - std::min(at, kWaveformMargin),
                                         at + kWaveformMargin, mismatch));
    result.problems[0] += "; waveform: " + mismatch;
  }
  if (options.hasWaveform && !isTraced && !response.outcomes.empty())
    SPINDLE_RETURN_IF_ERROR(drawWaveform(design, plan.stimulus, 0, response.outcomes[0].endCycle,
                                         design.path("waveform.vcd")));
  return result;
}

/// The same runs through the bus.
llvm::Error simulateBus(const std::string &folder, const KernelInterface &kernel,
                        const Program &program, CosimOptions options, CosimResult &result) {
  SPINDLE_ASSIGN(BusInterface bus, readBusInterface(folder + "/axi.json"));
  SPINDLE_ASSIGN(Circuit circuit, busCircuit(folder, kernel, bus, options));
  if (!options.predicted.empty()) // by streams, whose cycles are those of the kernel
    circuit.cycles = *llvm::max_element(options.predicted);
  options.dump.clear();
  options.predicted.clear();
  options.fifos.clear();
  SPINDLE_ASSIGN(CosimResult behind, simulate(circuit, program, options));
  BusResult &through = result.bus.emplace();
  through.top = behind.top;
  through.cycles = behind.cycles;
  through.runs = behind.runs;
  through.mismatches = behind.mismatches;
  if (!bus.channels.empty())
    through.memoryLatency = options.memoryLatency;
  through.streamCycles = std::move(behind.streamCycles);
  through.runCycles = std::move(behind.runCycles);
  through.buildSeconds = behind.buildSeconds;
  through.simulationSeconds = behind.simulationSeconds;
  for (const std::string &problem : behind.problems)
    result.problems.push_back(behind.top + ": " + problem);
  return llvm::Error::success();
}

} // namespace

llvm::Expected<CosimResult> cosim(const std::string &folder, const CosimOptions &asked) {
  SPINDLE_ASSIGN(KernelInterface kernel, readKernelInterface(folder + "/kernel.json"));
  SPINDLE_ASSIGN(Program program, readOriginal(folder, kernel));
  CosimOptions options = asked;
  if (!options.inputs)
    options.inputs = kernel.isReassociated ? InputKind::Integers : InputKind::Uniform;
  std::optional<TaskGraph> system;
  if (std::filesystem::exists(folder + "/system.json")) {
    SPINDLE_ASSIGN(system, readTaskGraph(folder + "/system.json"));
  }
  SPINDLE_ASSIGN(CosimResult result,
                 simulate(plainCircuit(folder, kernel, system, options), program, options));
  result.inputs = options.in.empty() ? inputKindNames[size_t(*options.inputs)] : "file";
  result.isReassociated = kernel.isReassociated;
  if (options.netlist.empty() && std::filesystem::exists(folder + "/axi.json"))
    SPINDLE_RETURN_IF_ERROR(simulateBus(folder, kernel, program, options, result));
  return result;
}

} // namespace spindle::hls
