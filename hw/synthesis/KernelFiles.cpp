#include "hw/synthesis/KernelFiles.h"

#include "core/support/files/File.h"
#include "dialects/rtl/SystemVerilog.h"
#include "hw/hls/lower/DescribeSchedule.h"
#include "hw/hls/lower/rtl/FifoInstances.h"
#include "hw/rtl/UnitSources.h"

#include <filesystem>
#include <set>

namespace spindle::hls {

std::set<std::string> unitModules(KernelOp kernel) {
  std::set<std::string> modules;
  for (UnitOp unit : kernel.getOps<UnitOp>())
    modules.insert(unit.getModule().str());
  if (!kernel.getOps<FifoOp>().empty())
    modules.insert(kFifoModule);
  return modules;
}

llvm::Error writeCircuitFiles(const std::string &folder, mlir::ModuleOp design,
                              const std::set<std::string> &modules, KernelInterface &interface,
                              const std::string &program) {
  std::error_code status;
  std::filesystem::create_directories(folder + "/units", status);
  SPINDLE_ASSIGN(std::vector<UnitSource> units, unitSources({modules.begin(), modules.end()}));
  std::string verilog;
  llvm::raw_string_ostream verilogStream(verilog);
  rtl::MemoryContents contents;
  SPINDLE_RETURN_IF_ERROR(rtl::emitSystemVerilog(design, verilogStream, &contents));

  std::string circuit = interface.top + ".sv";
  interface.sources = {circuit};
  SPINDLE_RETURN_IF_ERROR(writeFile(folder + "/" + circuit, verilog));
  if (!contents.empty())
    std::filesystem::create_directories(folder + "/contents", status);
  interface.contents.clear();
  for (const auto &[file, text] : contents) {
    interface.contents.push_back("contents/" + file);
    SPINDLE_RETURN_IF_ERROR(writeFile(folder + "/contents/" + file, text));
  }
  for (const UnitSource &unit : units) {
    interface.sources.push_back("units/" + unit.file);
    SPINDLE_RETURN_IF_ERROR(writeFile(folder + "/units/" + unit.file, unit.text));
  }
  SPINDLE_RETURN_IF_ERROR(writeFile(folder + "/original.mlir", program));
  return writeKernelInterface(folder + "/kernel.json", interface);
}

llvm::Error writeKernelFiles(const std::string &folder, Synthesis &made,
                             const std::string &program) {
  SPINDLE_RETURN_IF_ERROR(
      writeCircuitFiles(folder, *made.design, unitModules(made.kernel), made.interface, program));
  std::string scheduled;
  llvm::raw_string_ostream stream(scheduled);
  made.kernel.print(stream);
  return writeFile(folder + "/scheduled.mlir", scheduled + "\n");
}

llvm::Expected<KernelSchedule> writeSchedule(const std::string &folder, const Synthesis &made,
                                             const Target &target) {
  SPINDLE_ASSIGN(KernelSchedule schedule,
                 describeSchedule(made.kernel, withVariants(target, made.options.variants),
                                  made.options.schedule.units));
  schedule.kernel = made.interface.top; // beside the function it has another name in the program
  SPINDLE_RETURN_IF_ERROR(writeKernelSchedule(folder + "/schedule.json", schedule));
  return schedule;
}

} // namespace spindle::hls
