#include "tools/spindle/hardware/BusFiles.h"

#include "core/kernel/BusInterface.h"
#include "core/support/files/File.h"
#include "dialects/rtl/SystemVerilog.h"
#include "hw/rtl/UnitSources.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

#include "fmt/format.h"

namespace spindle {

using namespace hls;

llvm::Expected<std::optional<AxiOptions>> parseBus(const std::string &text) {
  if (text.empty())
    return std::nullopt;
  if (text == "stream")
    return AxiOptions{AxiData::Stream};
  if (text == "memory")
    return AxiOptions{AxiData::Memory};
  return inputError("--bus", fmt::format("'{}', expected stream or memory", text));
}

static llvm::Error simplifyWrapper(mlir::ModuleOp design, const std::string &place) {
  mlir::PassManager passes(design.getContext());
  passes.addPass(mlir::createCanonicalizerPass());
  passes.addPass(mlir::createCSEPass());
  if (mlir::failed(passes.run(design)))
    return checkError(place, "simplifying the wrapper failed");
  return llvm::Error::success();
}

llvm::Error writeBusFiles(const std::string &folder, mlir::ModuleOp design,
                          const KernelInterface &kernel, const AxiOptions &options) {
  SPINDLE_ASSIGN(rtl::CircuitModuleOp wrapper, addAxiWrapper(design, kernel, options));
  std::string top = wrapper.getSymName().str(), verilog;
  SPINDLE_RETURN_IF_ERROR(simplifyWrapper(design, folder + "/" + top + ".sv"));
  llvm::raw_string_ostream stream(verilog);
  SPINDLE_RETURN_IF_ERROR(rtl::emitSystemVerilog(design, stream));
  SPINDLE_RETURN_IF_ERROR(writeFile(folder + "/" + top + ".sv", verilog));

  BusInterface bus{top, options.data, {top + ".sv"}, axiRegisters(kernel, options)};
  for (const std::string &source : kernel.sources)
    if (source.rfind("units/", 0) == 0)
      bus.sources.push_back(source);
  SPINDLE_ASSIGN(std::vector<UnitSource> units, unitSources(axiModules(options)));
  for (const UnitSource &unit : units) {
    bus.sources.push_back("units/" + unit.file);
    SPINDLE_RETURN_IF_ERROR(writeFile(folder + "/units/" + unit.file, unit.text));
  }
  return writeBusInterface(folder + "/axi.json", bus);
}

} // namespace spindle
