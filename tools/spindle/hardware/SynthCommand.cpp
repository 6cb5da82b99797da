// `synth`: a program in MLIR to a circuit in SystemVerilog.
#include "tools/spindle/hardware/HardwareCommands.h"

#include "core/support/files/File.h"
#include "core/support/files/FolderLock.h"
#include "hw/program/ProgramFile.h"
#include "hw/synthesis/BusFiles.h"
#include "hw/synthesis/KernelFiles.h"
#include "lib/report/KernelPage.h"
#include "tools/spindle/Notices.h"
#include "tools/spindle/hardware/OptionChecks.h"
#include "tools/spindle/hardware/SystemSynth.h"

#include "CLI/CLI.hpp"
#include "fmt/format.h"
#include "fmt/ranges.h"

#include <filesystem>
#include <map>
#include <memory>

namespace spindle {

using namespace hls;

namespace {

struct SynthArguments {
  std::string program, top, target, out, bind, resources, variants, unroll, bus, scheduler, budget;
  double seconds = 10;
  unsigned channels = 0;
  std::vector<std::string> without;
  SystemArguments system;
  bool sequential = false, printsPasses = false, reassociates = false;
};

/// Whether something else than arguments decides how long a kernel runs.
bool endsOnData(KernelOp kernel) {
  return kernel
      .walk([](mlir::Operation *op) {
        auto pipeline = llvm::dyn_cast<PipelineOp>(op);
        auto repeat = llvm::dyn_cast<RepeatOp>(op);
        bool decides = llvm::isa<HeldOp>(op) || (pipeline && pipeline.getCondition()) ||
                       (repeat && repeat.getCondition());
        return decides ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
      })
      .wasInterrupted();
}

/// The options that make the same circuit without a choice: ` (--unroll 8,8 --without fuse)`,
/// ` (--variants divf_f64=pipelined)`; empty where nothing was chosen.
std::string choicesText(const Synthesis &made, const LoopOptions &given) {
  std::vector<std::string> options, variants;
  bool searches = given.unroll.empty();
  if (searches)
    options.push_back(fmt::format("--unroll {}", fmt::join(made.options.loops.unroll, ",")));
  if (made.options.loops.without != given.without || (searches && !given.without.empty()))
    options.push_back(fmt::format("--without {}", fmt::join(made.options.loops.without, ",")));
  for (const auto &[kind, variant] : made.options.variants)
    variants.push_back(kind + "=" + variant);
  if (!variants.empty())
    options.push_back(fmt::format("--variants {}", fmt::join(variants, ",")));
  return options.empty() ? "" : fmt::format(" ({})", fmt::join(options, " "));
}

/// `synth     kernel_gemm: 15520 cycles; 2 mulf_f64, 1 addf_f64`
void print(const Synthesis &made, const LoopOptions &given) {
  const KernelInterface &interface = made.interface;
  std::string units;
  for (const auto &[kind, count] : interface.units)
    units += fmt::format("{}{} {}", units.empty() ? "" : ", ", count, kind);
  std::string cycles = interface.predictedCycles
                           ? fmt::format("{} cycles", *interface.predictedCycles)
                       : endsOnData(made.kernel) ? "cycles depend on the data"
                                                 : "cycles depend on arguments";
  std::string found = choicesText(made, given);
  fmt::print("synth     {}: {}; {}{}{}\n", interface.top, cycles,
             units.empty() ? "no units" : units, found,
             interface.isReassociated ? "; floats reassociated" : "");
  if (interface.top != interface.function)
    fmt::print(
        "synth     {}: the module of '{}', which cannot be a module's name in SystemVerilog\n",
        interface.top, interface.function);
}

/// `estimate  kernel_gemm: 2370 LUT, 1640 FF, 11 DSP, 0 BRAM`; a warning where the part has less.
void printEstimate(const KernelInterface &interface, const Target &target) {
  fmt::print("estimate  {}: {}\n", interface.top, areaText(*interface.estimate));
  if (!target.capacity)
    return;
  std::string excess = excessText(*interface.estimate, *target.capacity);
  if (!excess.empty())
    printNotice(fmt::format("{}: warning: about {} in {}; fewer iterations side by side (--unroll) "
                            "or fewer units (--resources) make it smaller",
                            interface.top, excess, target.part));
}

/// Where iterations side by side have made the kernel slower: the nest that takes most of it, and
/// why.
void printCliff(const Synthesis &made, const KernelSchedule &schedule) {
  std::optional<uint64_t> cycles = made.interface.predictedCycles;
  const ScheduledPipeline *longest = longestPipeline(schedule);
  if (!cycles || !made.plainCycles || *cycles <= *made.plainCycles || !longest)
    return;
  printNotice(
      fmt::format("{}: remark: {} cycles, {} with --unroll 1 and these units: the nest at {} has "
                  "interval {}, limited by {}; --unroll auto looks for better factors",
                  made.interface.top, *cycles, *made.plainCycles,
                  schedule.tasks[longest->task].source, longest->interval, limitText(*longest)));
}

/// `scheduler 2 of 3 pipelines proven optimal`
void printProofs(KernelOp kernel) {
  size_t all = 0, proven = 0;
  kernel.walk([&](PipelineOp pipeline) {
    auto least = pipeline->getAttrOfType<mlir::IntegerAttr>(HlsDialect::leastIntervalName);
    bool isIntervalLeast = !pipeline.repeats() || (least && static_cast<uint64_t>(least.getInt()) ==
                                                                pipeline.getInterval());
    ++all;
    proven += isIntervalLeast && pipeline->hasAttr(HlsDialect::leastDepthName);
  });
  fmt::print("scheduler {} of {} pipelines proven optimal\n", proven, all);
}

} // namespace

/// Factors, or nothing for `auto`, the search.
static llvm::Expected<std::vector<uint64_t>> parseUnroll(const std::string &text) {
  std::vector<uint64_t> factors;
  if (text == "auto")
    return factors;
  llvm::SmallVector<llvm::StringRef> entries;
  llvm::StringRef(text).split(entries, ',');
  for (llvm::StringRef entry : entries) {
    uint64_t factor = 0;
    if (entry.getAsInteger(10, factor) || factor == 0 || factor > kMostUnroll)
      return inputError("--unroll", fmt::format("'{}', expected numbers from 1 to {}, or auto",
                                                text, kMostUnroll));
    factors.push_back(factor);
  }
  return factors;
}

/// Nothing for an empty text.
static llvm::Expected<std::optional<AxiOptions>> parseBus(const std::string &text,
                                                          unsigned channels) {
  if (!text.empty() && text != "stream" && text != "memory")
    return inputError("--bus", fmt::format("'{}', expected stream or memory", text));
  if (channels > 0 && text != "memory")
    return inputError("--channels", "channels are of a memory, expected --bus memory as well");
  if (text.empty())
    return std::nullopt;
  AxiOptions options{text == "stream" ? AxiData::Stream : AxiData::Memory};
  options.channels = channels;
  return options;
}

/// `part` is what the target's part has.
static llvm::Expected<std::optional<DeviceArea>> parseBudgetOption(const std::string &text,
                                                                   const Target &target) {
  if (text.empty())
    return std::nullopt;
  if (text != "part")
    return parseBudget(text, "--budget");
  if (!target.capacity)
    return inputError("--budget", fmt::format("the target {} has no capacity; give numbers such as "
                                              "lut=20000, or add `capacity` to its file",
                                              target.name));
  return target.capacity;
}

static llvm::Expected<SynthesisOptions> parseOptions(const SynthArguments &arguments,
                                                     const Target &target) {
  SynthesisOptions options;
  options.top = arguments.top;
  SPINDLE_ASSIGN(options.bind, parseBindings(arguments.bind));
  options.schedule.concurrent = !arguments.sequential;
  options.schedule.exact = arguments.scheduler == "exact";
  options.schedule.seconds = arguments.seconds;
  options.loops.without = {arguments.without.begin(), arguments.without.end()};
  SPINDLE_ASSIGN(options.schedule.units,
                 parseUnitLimits(arguments.resources, target, "--resources"));
  SPINDLE_ASSIGN(options.variants, parseUnitVariants(arguments.variants, target, "--variants"));
  SPINDLE_ASSIGN(options.loops.unroll, parseUnroll(arguments.unroll));
  options.loops.units = options.schedule.units;
  options.loops.reassociates = arguments.reassociates;
  SPINDLE_ASSIGN(options.budget, parseBudgetOption(arguments.budget, target));
  return options;
}

static llvm::Error printPasses(const SynthArguments &arguments) {
  SPINDLE_ASSIGN(Target target, readTarget(arguments.target));
  SPINDLE_ASSIGN(SynthesisOptions options, parseOptions(arguments, target));
  SPINDLE_ASSIGN(std::string text, loopPassesText(target, options.loops));
  fmt::print("{}", text);
  if (options.loops.unroll.empty())
    fmt::print("the search tries unroll with factors of up to three loops, the best also without "
               "fuse and interchange\n");
  return llvm::Error::success();
}

/// report.html beside the files of the kernel.
static llvm::Error writePage(const std::string &folder, const Synthesis &made,
                             const KernelSchedule &schedule) {
  return writeFile(folder + "/report.html", renderKernelPage(made.interface, schedule));
}

static llvm::Error synthesizeProgram(const SynthArguments &arguments) {
  SPINDLE_ASSIGN(Target target, readTarget(arguments.target));
  SPINDLE_ASSIGN(SynthesisOptions options, parseOptions(arguments, target));
  SPINDLE_ASSIGN(std::optional<AxiOptions> bus, parseBus(arguments.bus, arguments.channels));
  SPINDLE_ASSIGN(std::string text, readFile(arguments.program));
  if (arguments.system.isGiven())
    return synthesizeSystemFolder(arguments.program, text, arguments.system, options, target, bus,
                                  arguments.out);
  std::unique_ptr<mlir::MLIRContext> context = makeSynthesisContext();
  SPINDLE_ASSIGN(auto program, parseProgram(*context, text, arguments.program));
  SPINDLE_ASSIGN(Synthesis made, synthesize(*program, target, options));

  SPINDLE_RETURN_IF_ERROR(makeFolder(arguments.out));
  SPINDLE_ASSIGN(FolderLock lock, FolderLock::take(arguments.out));
  SPINDLE_RETURN_IF_ERROR(writeKernelFiles(arguments.out, made, text));
  SPINDLE_ASSIGN(KernelSchedule schedule, writeSchedule(arguments.out, made, target));
  SPINDLE_RETURN_IF_ERROR(writePage(arguments.out, made, schedule));
  print(made, options.loops);
  printEstimate(made.interface, target);
  printCliff(made, schedule);
  if (options.schedule.exact)
    printProofs(made.kernel);
  std::error_code status;
  for (const char *other : {"axi.json", "system.json", "system.dot", "system.mlir"})
    std::filesystem::remove(arguments.out + "/" + other, status); // of an earlier kernel
  std::filesystem::remove_all(arguments.out + "/driver", status);
  return bus ? writeBusFiles(arguments.out, *made.design, made.interface, *bus)
             : llvm::Error::success();
}

void addSynthCommand(CLI::App &app, Command &command) {
  auto arguments = std::make_shared<SynthArguments>();
  CLI::App *sub = app.add_subcommand("synth", "make a circuit from a program");
  CLI::Option *program = sub->add_option("program", arguments->program, "program in MLIR")
                             ->type_name("FILE")
                             ->required();
  sub->add_option("--top", arguments->top,
                  "function to synthesise; the only public one if not given");
  sub->add_option("--target", arguments->target,
                  "what it is made for: a name of configs/targets or a file (YAML)")
      ->type_name("FILE")
      ->default_val(kDefaultTarget);
  CLI::Option *out =
      sub->add_option("--out", arguments->out, "folder to write")->type_name("FOLDER")->required();
  sub->add_option("--bind", arguments->bind, "values of arguments, e.g. 0=20,1=25");
  sub->add_option("--resources", arguments->resources,
                  "units that may be used, e.g. fadd=1,fmul=2; as many as the initiation interval "
                  "needs if not given");
  sub->add_option(
      "--variants", arguments->variants,
      "which units of several of a kind, e.g. fdiv=pipelined; by cycles and area if not "
      "given");
  sub->add_option("--budget", arguments->budget,
                  "refuse a circuit whose estimate is larger: lut=20000,ff=40000,dsp=100,bram=50, "
                  "any of these, or part, for what the part of the target has");
  sub->add_flag("--sequential", arguments->sequential,
                "never run independent nests at the same time");
  sub->add_option(
         "--scheduler", arguments->scheduler,
         "heuristic, or exact: the smallest interval and depth of each pipeline, with proof")
      ->check(CLI::IsMember({"heuristic", "exact"}))
      ->default_val("heuristic");
  sub->add_option("--time-limit", arguments->seconds,
                  "seconds of the exact scheduler for a pipeline; what it has by then is taken")
      ->check(secondsFromZero())
      ->capture_default_str();
  sub->add_option(
      "--bus", arguments->bus,
      "also put it behind AXI4-Lite, its arrays behind AXI4-Stream (stream) or AXI4 (memory); with "
      "--inputs, stream has a packet for each input, which come and go while others are at work");
  sub->add_option("--channels", arguments->channels,
                  "with --bus memory, AXI4 masters of 64 bits that all arrays share, by bursts in "
                  "turn, and with --inputs the packets of all inputs; 0: each array has its own, "
                  "and is moved before the first input and after the last one")
      ->check(CLI::Range(0u, hls::kMostMemoryChannels))
      ->capture_default_str();
  sub->add_option(
         "--unroll", arguments->unroll,
         "iterations side by side, arrays divided into banks: N of innermost loops, N,M of "
         "two loops of a nest; auto searches the fewest cycles")
      ->default_val("1");
  sub->add_flag("--reassociate", arguments->reassociates,
                "add and multiply floats in any order: results differ in their last bits, which "
                "kernel.json and cosim say");
  sub->add_option("--without", arguments->without, "loop passes to leave out, e.g. interchange")
      ->delimiter(',');
  CLI::Option *kind =
      sub->add_option("--system", arguments->system.kind,
                      "make a kernel of each operation of the program, and of all of them one "
                      "circuit: centralised, one after the other, or dataflow, as soon as what "
                      "they need is there")
          ->check(CLI::IsMember({"centralised", "dataflow"}));
  sub->add_option("--share", arguments->system.share,
                  "with --system dataflow, equal kernels that share a circuit: auto (where that "
                  "costs no time), all, none")
      ->check(CLI::IsMember({"auto", "all", "none"}))
      ->default_val("auto")
      ->needs(kind);
  sub->add_option("--groups", arguments->system.groups,
                  "with --system, kernels at most, neighbours joined to balance their iterations; "
                  "0: one for each operation")
      ->check(countFromZero())
      ->default_val(0)
      ->needs(kind);
  sub->add_flag(
         "--whole-arrays", arguments->system.waitsForWhole,
         "with --system dataflow, a kernel waits for the end of those whose arrays it needs, "
         "even where it could begin before")
      ->needs(kind);
  sub->add_flag("--inputs", arguments->system.hasInputs,
                "with --system, the program's outermost loop goes through successive inputs, "
                "which overlap in a dataflow system")
      ->needs(kind);
  sub->add_flag_callback(
      "--print-passes,--print-pipeline", // the second is its former name
      [=] {
        arguments->printsPasses = true;
        program->required(false);
        out->required(false);
      },
      "only print the loop passes in their order, with their options, and which are on");
  sub->callback([=, &command] {
    command = [=] {
      return arguments->printsPasses ? printPasses(*arguments) : synthesizeProgram(*arguments);
    };
  });
}

} // namespace spindle
