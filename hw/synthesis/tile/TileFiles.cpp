#include "hw/synthesis/tile/TileFiles.h"

#include "core/support/files/File.h"
#include "dialects/rtl/SystemVerilog.h"
#include "hw/hls/tile/TileWrapper.h"
#include "hw/rtl/UnitSources.h"
#include "hw/synthesis/SimplifyDesign.h"

namespace spindle::hls {

llvm::Error writeTileFiles(const std::string &folder, mlir::ModuleOp design,
                           const KernelInterface &kernel, const HardwareNetwork &network) {
  SPINDLE_ASSIGN(rtl::CircuitModuleOp wrapper, addTileWrapper(design, kernel, network));
  std::string file = folder + "/" + wrapper.getSymName().str() + ".sv", verilog;
  SPINDLE_RETURN_IF_ERROR(simplifyDesign(design, file));
  llvm::raw_string_ostream stream(verilog);
  SPINDLE_RETURN_IF_ERROR(rtl::emitSystemVerilog(design, stream));
  SPINDLE_RETURN_IF_ERROR(writeFile(file, verilog));
  SPINDLE_ASSIGN(std::vector<UnitSource> units, unitSources({kNetworkInterface}));
  for (const UnitSource &unit : units)
    SPINDLE_RETURN_IF_ERROR(writeFile(folder + "/units/" + unit.file, unit.text));
  return llvm::Error::success();
}

} // namespace spindle::hls
