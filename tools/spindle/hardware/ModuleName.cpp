#include "tools/spindle/hardware/ModuleName.h"

#include "dialects/rtl/systemverilog/Names.h"
#include "hw/cosim/Ports.h"

namespace spindle {

std::string moduleNameOf(const std::string &function, const hls::KernelInterface &kernel) {
  rtl::Names names;
  for (const char *word : {"ce", "std"})
    names.add(word);
  for (const auto &[port, form] : hls::portsOf(kernel))
    names.add(port);
  for (const auto &[kind, count] : kernel.units)
    names.add(kind);
  bool mayBeUnit = llvm::StringRef(function).starts_with("spindle_");
  return names.add(mayBeUnit ? "kernel_" + function : function);
}

} // namespace spindle
