#include "hw/cosim/Cosim.h"

#include "core/support/files/File.h"

#include "hw/cosim/Compare.h"
#include "hw/cosim/Findings.h"
#include "hw/program/FillLocals.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <numeric>

namespace spindle::hls {

namespace {

constexpr uint64_t kWaveformMargin = 50; // cycles before and after
constexpr double kShortSeconds = 2;      // less than building a test bench
constexpr char kReadsUnwritten[] = "; the program's own values depend on what local arrays hold "
                                   "before they are written: write elements before it reads them";

double secondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Of all runs together. Those without a prediction take as long as those with one, and longer by
/// the cycles in which they stand still; nothing, where none has one.
std::optional<SimulatedTime> timeOf(const Circuit &circuit, const Stimulus &stimulus,
                                    const CosimOptions &options) {
  if (circuit.cycles)
    return simulatedTime(*circuit.cycles * options.runs);
  const std::vector<uint64_t> &known = options.predicted;
  if (!options.netlist.empty()) // takes so long to build that it is not built twice
    return SimulatedTime::Long;
  if (known.empty())
    return std::nullopt;
  uint64_t sum = std::accumulate(known.begin(), known.end(), uint64_t(0)), all = 0;
  for (const BenchRun &run : stimulus.runs)
    all += sum / known.size() * 100 / (100 - std::min<uint64_t>(run.stallPercent, 99));
  return simulatedTime(all);
}

/// Everything that happened did so before a run could come to its limit.
bool isWithin(const Response &response, uint64_t mostCycles, uint32_t runs) {
  if (!response.violations.empty())
    return response.violations.back().cycle < mostCycles;
  return response.outcomes.size() == runs;
}

/// A test bench that is built and run.
struct BenchRuns {
  const BenchDesign &design;
  std::string waveform; // empty: none
  double buildSeconds = 0, simulationSeconds = 0;

  llvm::Expected<Response> run(const Stimulus &stimulus, SimulatedTime time) {
    auto start = std::chrono::steady_clock::now();
    SPINDLE_ASSIGN(std::string bench,
                   buildTestBench(design, waveform.empty() ? Tracing::Off : Tracing::On, time));
    buildSeconds += secondsSince(start);
    start = std::chrono::steady_clock::now();
    SPINDLE_ASSIGN(Response response, runTestBench(design, bench, stimulus, waveform));
    simulationSeconds += secondsSince(start);
    return response;
  }

  /// Runs of which nobody knows how long they take are tried for a short time first, which spares
  /// most of them an optimising compiler.
  llvm::Expected<Response> run(const Stimulus &stimulus, std::optional<SimulatedTime> time) {
    if (time || stimulus.runs.size() > kMostShortCycles)
      return run(stimulus, time.value_or(SimulatedTime::Long));
    Stimulus trial = stimulus;
    trial.mostCycles = std::min(stimulus.mostCycles, kMostShortCycles / stimulus.runs.size());
    SPINDLE_ASSIGN(Response response, run(trial, SimulatedTime::Short));
    if (trial.mostCycles == stimulus.mostCycles ||
        isWithin(response, trial.mostCycles, uint32_t(stimulus.runs.size())))
      return response;
    double whole = simulationSeconds * double(stimulus.mostCycles) / double(trial.mostCycles);
    return run(stimulus, whole < kShortSeconds ? SimulatedTime::Short : SimulatedTime::Long);
  }
};

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
  BenchRuns bench{design, ""};
  // A netlist takes long to build: it is traced at once.
  bool isTraced = options.hasWaveform && !options.netlist.empty();
  if (isTraced) {
    plan.stimulus.traceFrom = 0;
    plan.stimulus.traceTo = UINT64_MAX;
    bench.waveform = design.path("waveform.vcd");
  }
  SPINDLE_ASSIGN(Response response,
                 bench.run(plan.stimulus, timeOf(circuit, plan.stimulus, options)));
  result.buildSeconds = bench.buildSeconds;
  result.simulationSeconds = bench.simulationSeconds;
  std::vector<Finding> problems = compareRuns(circuit, plan, response, options, result);
  for (const Finding &problem : problems)
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
  if (isThere(folder + "/system.json")) {
    SPINDLE_ASSIGN(system, readTaskGraph(folder + "/system.json"));
  }
  SPINDLE_ASSIGN(CosimResult result,
                 simulate(plainCircuit(folder, kernel, system, options), program, options));
  result.inputs = options.in.empty() ? inputKindNames[size_t(*options.inputs)] : "file";
  result.isReassociated = kernel.isReassociated;
  if (options.netlist.empty() && isThere(folder + "/axi.json"))
    SPINDLE_RETURN_IF_ERROR(simulateBus(folder, kernel, program, options, result));
  return result;
}

} // namespace spindle::hls
