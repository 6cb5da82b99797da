#include "hw/synthesis/ModuleName.h"

#include "core/kernel/ModulePorts.h"
#include "dialects/rtl/systemverilog/Names.h"

namespace spindle::hls {

std::string moduleNameOf(const std::string &function, const KernelInterface &kernel,
                         const std::vector<std::string> &others) {
  rtl::Names names;
  for (const std::string &module : others)
    names.add(module);
  for (const char *word : {"ce", "std"})
    names.add(word);
  for (const auto &[port, form] : portsOf(kernel))
    names.add(port);
  for (const auto &[kind, count] : kernel.units)
    names.add(kind);
  bool mayBeUnit = llvm::StringRef(function).starts_with("spindle_");
  return names.add(mayBeUnit ? "kernel_" + function : function);
}

} // namespace spindle::hls
