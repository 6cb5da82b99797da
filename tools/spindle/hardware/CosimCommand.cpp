// `cosim`: a kernel that `synth` made beside its original program.
#include "tools/spindle/hardware/HardwareCommands.h"

#include "core/network/HardwareNetwork.h"
#include "core/support/files/File.h"
#include "core/support/files/FolderLock.h"
#include "lib/report/KernelPage.h"
#include "tools/spindle/hardware/HardwareFiles.h"
#include "tools/spindle/hardware/OptionChecks.h"

#include "CLI/CLI.hpp"
#include "fmt/format.h"

#include <algorithm>
#include <memory>
#include <numeric>

namespace spindle {

static std::string cyclesText(const std::optional<uint64_t> &cycles) {
  return cycles ? fmt::format("{}", *cycles) : "-";
}

static void printTimes(const std::string &what, const hls::ImageTimes &times) {
  if (times.latencies.empty())
    return;
  auto [least, most] = std::minmax_element(times.latencies.begin(), times.latencies.end());
  uint64_t all = std::accumulate(times.latencies.begin(), times.latencies.end(), uint64_t(0));
  fmt::print("cosim     {}latency {:.1f} cycles from first word to answer in the mean, {} to {}",
             what, double(all) / double(times.latencies.size()), *least, *most);
  if (!times.intervals.empty())
    fmt::print("; {:.1f} cycles per sample in a stream", times.meanInterval());
  fmt::print("\n");
}

/// Layer by layer the task that is busy most, and how full streams were.
static llvm::Error printUse(const std::string &folder, const hls::StreamUse &use) {
  SPINDLE_ASSIGN(HardwareNetwork network, readHardwareNetwork(folder + "/hardware.json"));
  auto share = [&](uint64_t cycles) { return 100 * double(cycles) / double(use.cycles); };
  for (const HardwareLayer &layer : network.layers) {
    const hls::StreamUse::Task *most = nullptr;
    for (const hls::StreamUse::Task &task : use.tasks)
      if (llvm::is_contained(layer.tasks, task.name) &&
          (!most || task.iterations > most->iterations))
        most = &task;
    if (most)
      fmt::print("cosim     {}: {:.1f} % of the cycles busy, {:.1f} % without a token, {:.1f} % "
                 "without room\n",
                 layer.name, share(most->iterations), share(most->withoutToken),
                 share(most->withoutRoom));
  }
  for (const hls::StreamUse::Fifo &fifo : use.fifos)
    fmt::print("cosim     {}: {} tokens at most, {:.1f} in the mean; its writer waits at {}\n",
               fifo.name, fifo.most, fifo.mean, fifo.depth);
  return llvm::Error::success();
}

/// When the tasks of a system ran: a line for each, and the page with both times.
static llvm::Error reportTasks(const std::string &folder, const hls::CosimResult &result) {
  SPINDLE_ASSIGN(hls::TaskGraph system, hls::readTaskGraph(folder + "/system.json"));
  SPINDLE_ASSIGN(hls::KernelInterface kernel, hls::readKernelInterface(folder + "/kernel.json"));
  for (uint32_t task = 0; task < system.tasks.size(); ++task) {
    uint64_t busy = 0, end = 0;
    std::optional<uint64_t> start;
    for (const hls::TaskSpan &span : result.tasks)
      if (span.task == task) {
        start = start ? std::min(*start, span.start) : span.start;
        end = std::max(end, span.end);
        busy += span.end - span.start;
      }
    if (start)
      fmt::print("{:<9} {}: cycles {} to {}, {} of them at work{}\n", system.tasks[task].name,
                 system.circuits[system.tasks[task].circuit], *start, end, busy,
                 result.tasks == system.predicted ? ", as predicted" : "");
  }
  return writeFile(folder + "/report.html", renderSystemPage(kernel, system, result.tasks));
}

static llvm::Error report(const std::string &folder, const hls::CosimResult &result) {
  SPINDLE_RETURN_IF_ERROR(hls::writeCosimResult(folder + "/cosim.json", result));
  fmt::print("cosim     {}: {} cycles, predicted {}; {} runs, {} mismatches  (build {:.1f} s, "
             "simulation {:.1f} s)\n",
             result.top, cyclesText(result.cycles), cyclesText(result.predictedCycles), result.runs,
             result.mismatches, result.buildSeconds, result.simulationSeconds);
  if (const std::vector<uint64_t> &all = result.runCycles; !all.empty()) {
    auto [least, most] = std::minmax_element(all.begin(), all.end());
    fmt::print("cosim     {}: {:.1f} cycles in the mean, {} to {}\n", result.top,
               double(std::accumulate(all.begin(), all.end(), uint64_t(0))) / double(all.size()),
               *least, *most);
  }
  if (const std::optional<hls::BusResult> &bus = result.bus) {
    std::string memory;
    if (bus->memoryLatency)
      memory = fmt::format(" of a memory {} cycles away", *bus->memoryLatency);
    fmt::print("cosim     {}: {} cycles with arrays moved in and out{}; {} runs, {} mismatches  "
               "(build {:.1f} s, simulation {:.1f} s)\n",
               bus->top, cyclesText(bus->cycles), memory, bus->runs, bus->mismatches,
               bus->buildSeconds, bus->simulationSeconds);
    if (bus->images)
      printTimes(bus->top + ": ", *bus->images);
    if (bus->allSamples)
      fmt::print("cosim     {}: {} cycles for all samples in one run\n", bus->top,
                 *bus->allSamples);
  }
  if (!result.tasks.empty())
    SPINDLE_RETURN_IF_ERROR(reportTasks(folder, result));
  bool areSumsExact = result.inputs == hls::inputKindNames[size_t(hls::InputKind::Integers)];
  if (result.isReassociated)
    fmt::print("cosim     {}: reassociated; {}\n", result.top,
               areSumsExact ? "compared bit for bit on whole numbers, whose sums are exact"
                            : "rounded sums differ from the program's in their last bits, "
                              "--inputs integers compares exact ones");
  if (result.problems.empty())
    return llvm::Error::success();
  std::string text = result.problems[0];
  if (result.problems.size() > 1)
    text += fmt::format(" (and {} more, see cosim.json)", result.problems.size() - 1);
  return checkError(folder, text);
}

static llvm::Error runCosim(const std::string &folder, const hls::CosimOptions &options) {
  SPINDLE_ASSIGN(hls::CosimResult result, hls::cosim(folder, options));
  return report(folder, result);
}

static llvm::Error runSamples(const std::string &folder, uint32_t images,
                              const hls::CosimOptions &options) {
  SPINDLE_ASSIGN(SampleCosim made, cosimSamples(folder, images, options));
  if (made.result.problems.empty())
    fmt::print("cosim     {} samples of {} steps: all {} spikes{}{}{} as in the emulator\n", images,
               made.steps, made.spikes,
               made.membranes > 0 ? fmt::format(" and {} membranes that answer", made.membranes)
                                  : "",
               made.sums > 0 ? fmt::format(" and {} sums that answer", made.sums) : "",
               made.classes > 0 ? fmt::format(" and {} classes", made.classes) : "");
  if (made.result.images)
    printTimes("", *made.result.images);
  if (made.result.use)
    SPINDLE_RETURN_IF_ERROR(printUse(folder, *made.result.use));
  return report(folder, made.result);
}

void addCosimCommand(CLI::App &app, Command &command) {
  struct Arguments {
    std::string folder, inputs;
    hls::CosimOptions options;
    uint32_t images = 0;
  };
  auto arguments = std::make_shared<Arguments>();
  CLI::App *sub = app.add_subcommand(
      "cosim", "simulate a synthesised kernel and compare it bit for bit with its program");
  sub->add_option("folder", arguments->folder, "what synth made (kernel.json)")
      ->required()
      ->type_name("FOLDER");
  CLI::Option *runs =
      sub->add_option("--runs", arguments->options.runs, "runs to compare, back to back")
          ->check(CLI::Range(1, 1000));
  CLI::Option *images =
      sub->add_option("--images", arguments->images,
                      "of a network (90-hardware): run its first recorded samples, and compare "
                      "every spike with the emulator's")
          ->check(CLI::Range(1, 1000))
          ->excludes(runs);
  sub->add_option("--seed", arguments->options.seed, "of the random inputs")
      ->check(countFromZero());
  sub->add_option("--in", arguments->options.in,
                  "arrays arg0, arg1, … instead of random ones (.npz); given several times, a file "
                  "for each run in turn")
      ->allow_extra_args(false)
      ->excludes(images)
      ->type_name("FILE");
  sub->add_option("--dump", arguments->options.dump,
                  "file for the arrays after the first run (.npz)")
      ->type_name("FILE");
  sub->add_option(
         "--inputs", arguments->inputs,
         "random floats: uniform (-2 to 2), positive, spd (matrices positive definite), or "
         "integers (whole numbers -2 to 2: sums are exact in any order); uniform if not "
         "given, integers for kernels made with --reassociate")
      ->check(CLI::IsMember({"uniform", "positive", "spd", "integers"}));
  sub->add_flag("--special", arguments->options.withSpecial,
                "an eighth of the floats is infinite, NaN, subnormal, …");
  sub->add_flag("--waveform", arguments->options.hasWaveform,
                "leave the first run in cosim/waveform.vcd");
  sub->add_option("--memory-latency", arguments->options.memoryLatency,
                  "of the memory behind channels (synth --channels): cycles from an address to its "
                  "first word")
      ->check(CLI::Range(0, 100000))
      ->capture_default_str();
  sub->add_option("--max-cycles", arguments->options.mostCycles,
                  "of a run whose cycles are not predicted")
      ->check(countFromZero());
  sub->callback([=, &command] {
    for (size_t kind = 0; kind < std::size(hls::inputKindNames); ++kind)
      if (arguments->inputs == hls::inputKindNames[kind])
        arguments->options.inputs = static_cast<hls::InputKind>(kind);
    if (runs->count() == 0)
      arguments->options.runs =
          std::max(arguments->options.runs, static_cast<uint32_t>(arguments->options.in.size()));
    command = [=]() -> llvm::Error {
      SPINDLE_ASSIGN(FolderLock lock, FolderLock::take(arguments->folder));
      return arguments->images > 0
                 ? runSamples(arguments->folder, arguments->images, arguments->options)
                 : runCosim(arguments->folder, arguments->options);
    };
  });
}

} // namespace spindle
