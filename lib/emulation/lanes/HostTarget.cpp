#include "lib/emulation/lanes/HostTarget.h"

#include "dialects/jit/Jit.h"

#include "fmt/format.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/TargetParser/Host.h"

#include <cstdlib>

namespace spindle::lanes {

static std::string chosenProcessor() {
  const char *name = std::getenv("SPINDLE_CPU");
  return name ? name : "";
}

std::string processor() {
  std::string chosen = chosenProcessor();
  return chosen.empty() ? llvm::sys::getHostCPUName().str() : chosen;
}

llvm::Expected<std::unique_ptr<llvm::TargetMachine>> hostTarget() {
  SPINDLE_ASSIGN(llvm::orc::JITTargetMachineBuilder builder,
                 jit::hostBuilder(llvm::CodeGenOptLevel::Aggressive));
  std::string chosen = chosenProcessor();
  if (!chosen.empty()) {
    SPINDLE_ASSIGN(std::unique_ptr<llvm::TargetMachine> host, builder.createTargetMachine());
    if (!host->getMCSubtargetInfo()->isCPUStringValid(chosen))
      return inputError("SPINDLE_CPU", fmt::format("'{}' is no processor of this kind, expected "
                                                   "one that LLVM knows, such as x86-64-v3",
                                                   chosen));
    builder.setCPU(chosen);
    builder.getFeatures() = llvm::SubtargetFeatures();
  }
  return builder.createTargetMachine();
}

bool isWide() {
  return llvm::sys::getHostCPUFeatures().lookup("avx512f") && chosenProcessor().empty();
}

bool hasByteProducts() { return isWide() && llvm::sys::getHostCPUFeatures().lookup("avx512vnni"); }

int64_t registerSums() {
  // AVX-512: one register each of 32; AVX2 and NEON: two or four each of 16 or 32.
  return isWide() ? 16 : 4;
}

} // namespace spindle::lanes
