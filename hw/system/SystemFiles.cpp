#include "hw/system/SystemFiles.h"

#include "core/support/files/File.h"
#include "hw/synthesis/BusFiles.h"
#include "hw/synthesis/KernelFiles.h"

#include "fmt/format.h"
#include "fmt/ranges.h"

#include <filesystem>

namespace spindle::hls {

static std::string textOf(mlir::Operation *op) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  op->print(stream);
  return text + "\n";
}

llvm::Error writeSystemFiles(const std::string &folder, SystemSynthesis &made, const Target &target,
                             const std::string &program) {
  std::error_code status;
  for (const char *other : {"schedule.json", "scheduled.mlir", "report.html"})
    std::filesystem::remove(folder + "/" + other, status);
  std::filesystem::remove_all(folder + "/kernels", status);
  std::set<std::string> modules;
  for (Synthesis &kernel : made.kernels) {
    modules.merge(unitModules(kernel.kernel));
    std::string place = folder + "/kernels/" + kernel.interface.top;
    std::filesystem::create_directories(place, status);
    SPINDLE_RETURN_IF_ERROR(writeFile(place + "/scheduled.mlir", textOf(kernel.kernel)));
    SPINDLE_ASSIGN(KernelSchedule schedule, writeSchedule(place, kernel, target));
  }
  SPINDLE_RETURN_IF_ERROR(writeTaskGraph(folder + "/system.json", made.graph));
  SPINDLE_RETURN_IF_ERROR(writeFile(folder + "/system.dot", dotText(made.graph)));
  SPINDLE_RETURN_IF_ERROR(writeFile(folder + "/system.mlir", textOf(*made.program)));
  return writeCircuitFiles(folder, *made.design, modules, made.interface, program);
}

llvm::Error writeSystemBus(const std::string &folder, SystemSynthesis &made,
                           const AxiOptions &options) {
  AxiOptions wanted = options;
  ArgumentMeanings meanings;
  for (const KernelArgument &argument : made.interface.arguments) {
    if (!argument.isStream() || !argument.isArray())
      continue;
    uint64_t inputs = uint64_t(argument.shape[0]);
    wanted.packets[argument.index] = {argument.elements() / inputs, argument.type.bits};
    std::string &meaning = meanings[fmt::format("arg{}", argument.index)];
    meaning = fmt::format("a packet for each of {} inputs", inputs);
    if (argument.shape.size() > 1)
      meaning += fmt::format(", {} in row-major order",
                             fmt::join(argument.shape.begin() + 1, argument.shape.end(), " x "));
  }
  return writeBusFiles(folder, *made.design, made.interface, wanted, meanings);
}

} // namespace spindle::hls
