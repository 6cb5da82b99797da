#include "tools/spindle/hardware/ModuleName.h"

#include "dialects/rtl/systemverilog/Names.h"

namespace spindle {

std::string moduleNameOf(const std::string &function) {
  rtl::Names names;
  for (const char *port : {"clk", "rst", "ce", "start", "idle", "done", "std"})
    names.add(port);
  bool mayBeUnit = llvm::StringRef(function).starts_with("spindle_");
  return names.add(mayBeUnit ? "kernel_" + function : function);
}

} // namespace spindle
