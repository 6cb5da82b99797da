#include "tools/spindle/hardware/SystemSynth.h"

#include "core/support/files/File.h"
#include "core/support/files/FolderLock.h"
#include "hw/program/ProgramFile.h"
#include "hw/system/SystemFiles.h"
#include "lib/report/KernelPage.h"
#include "tools/spindle/Notices.h"

#include "fmt/format.h"

#include <filesystem>

namespace spindle {

using namespace hls;

/// `task1     kernel_3mm_0 on circuit 1: cycles 1 to 4113`; of several inputs the last one, too.
static void printTasks(const SystemSynthesis &made) {
  const TaskGraph &graph = made.graph;
  for (uint32_t task = 0; task < graph.tasks.size(); ++task) {
    std::string when;
    if (made.times)
      for (const TaskSpan &span : made.times->spans)
        if (span.task == task && (span.input == 0 || span.input + 1 == graph.inputs))
          when += fmt::format("{} {} to {}", when.empty() ? ": cycles" : ", last", span.start,
                              span.end);
    fmt::print("{:<9} {} on circuit {}{}\n", graph.tasks[task].name,
               graph.circuits[graph.tasks[task].circuit], graph.tasks[task].circuit, when);
  }
}

static std::string countOf(uint64_t count, const char *what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

llvm::Error synthesizeSystemFolder(const std::string &path, const std::string &text,
                                   const SystemArguments &arguments,
                                   const SynthesisOptions &kernels, const Target &target,
                                   const std::optional<AxiOptions> &bus,
                                   const std::string &folder) {
  SystemOptions options;
  options.kind = arguments.kind == "dataflow" ? SystemKind::Dataflow : SystemKind::Centralised;
  options.share = arguments.share;
  options.groups = arguments.groups;
  options.hasInputs = arguments.hasInputs;
  options.startsEarly = !arguments.waitsForWhole;
  options.streamsInputs =
      arguments.hasInputs && bus && (bus->data == AxiData::Stream || bus->channels > 0);
  options.kernels = kernels;
  std::unique_ptr<mlir::MLIRContext> context = makeSystemContext();
  SPINDLE_ASSIGN(auto program, parseProgram(*context, text, path));
  SPINDLE_ASSIGN(SystemSynthesis made, synthesizeSystem(*program, target, options));

  SPINDLE_RETURN_IF_ERROR(makeFolder(folder));
  SPINDLE_ASSIGN(FolderLock lock, FolderLock::take(folder));
  SPINDLE_RETURN_IF_ERROR(writeSystemFiles(folder, made, target, text));
  const KernelInterface &interface = made.interface;
  SPINDLE_RETURN_IF_ERROR(
      writeFile(folder + "/report.html", renderSystemPage(interface, made.graph, {})));
  fmt::print("system    {}: {}, {} on {}{}; {}\n", interface.top, arguments.kind,
             countOf(made.graph.tasks.size(), "task"),
             countOf(made.graph.circuits.size(), "circuit"),
             made.graph.inputs > 1 ? ", " + countOf(made.graph.inputs, "input") : "",
             interface.predictedCycles ? fmt::format("{} cycles", *interface.predictedCycles)
                                       : "cycles depend on arguments or data");
  printTasks(made);
  for (const std::string &remark : made.remarks)
    printNotice(remark);
  fmt::print("estimate  {}: {}\n", interface.top, areaText(*interface.estimate));
  std::error_code status;
  std::filesystem::remove(folder + "/axi.json", status); // of an earlier kernel
  std::filesystem::remove_all(folder + "/driver", status);
  return bus ? writeSystemBus(folder, made, *bus) : llvm::Error::success();
}

} // namespace spindle
