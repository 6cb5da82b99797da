#include "hw/system/SystemFiles.h"

#include "core/support/files/File.h"
#include "hw/synthesis/KernelFiles.h"

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

} // namespace spindle::hls
