#include "hw/synthesis/BusFiles.h"

#include "core/kernel/BusInterface.h"
#include "core/support/files/File.h"
#include "dialects/rtl/SystemVerilog.h"
#include "hw/rtl/UnitSources.h"
#include "hw/synthesis/SimplifyDesign.h"

namespace spindle::hls {

llvm::Error writeBusFiles(const std::string &folder, mlir::ModuleOp design,
                          const KernelInterface &kernel, const AxiOptions &options,
                          const ArgumentMeanings &meanings) {
  SPINDLE_ASSIGN(rtl::CircuitModuleOp wrapper, addAxiWrapper(design, kernel, options));
  std::string top = wrapper.getSymName().str(), verilog;
  SPINDLE_RETURN_IF_ERROR(simplifyDesign(design, folder + "/" + top + ".sv"));
  llvm::raw_string_ostream stream(verilog);
  SPINDLE_RETURN_IF_ERROR(rtl::emitSystemVerilog(design, stream));
  SPINDLE_RETURN_IF_ERROR(writeFile(folder + "/" + top + ".sv", verilog));

  BusInterface bus{top,
                   options.data,
                   {top + ".sv"},
                   axiRegisters(kernel, options),
                   axiStreams(kernel, options),
                   axiChannels(kernel, options)};
  for (const std::string &source : kernel.sources)
    if (source.rfind("units/", 0) == 0)
      bus.sources.push_back(source);
  SPINDLE_ASSIGN(std::vector<UnitSource> units, unitSources(axiModules(kernel, options)));
  for (const UnitSource &unit : units) {
    std::string source = "units/" + unit.file;
    if (!llvm::is_contained(bus.sources, source)) // of the kernel, too
      bus.sources.push_back(source);
    SPINDLE_RETURN_IF_ERROR(writeFile(folder + "/units/" + unit.file, unit.text));
  }
  SPINDLE_RETURN_IF_ERROR(writeDriverFiles(folder, kernel, bus, meanings));
  return writeBusInterface(folder + "/axi.json", bus);
}

} // namespace spindle::hls
