#include "lib/emulation/lanes/HostTarget.h"

#include "fmt/format.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"

#include <cstdlib>
#include <mutex>

namespace spindle::engine {

static std::string chosenProcessor() {
  const char *name = std::getenv("SPINDLE_CPU");
  return name ? name : "";
}

std::string processor() {
  std::string chosen = chosenProcessor();
  return chosen.empty() ? llvm::sys::getHostCPUName().str() : chosen;
}

/// Once: LLVM's list of targets is not made for several threads at a time.
static void registerTargets() {
  static std::once_flag registered;
  std::call_once(registered, [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
  });
}

llvm::Expected<std::unique_ptr<llvm::TargetMachine>> hostTarget() {
  registerTargets();
  llvm::Expected<llvm::orc::JITTargetMachineBuilder> builder =
      llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!builder)
    return builder.takeError();
  std::string chosen = chosenProcessor();
  if (!chosen.empty()) {
    SPINDLE_ASSIGN(std::unique_ptr<llvm::TargetMachine> host, builder->createTargetMachine());
    if (!host->getMCSubtargetInfo()->isCPUStringValid(chosen))
      return inputError("SPINDLE_CPU", fmt::format("'{}' is no processor of this kind, expected "
                                                   "one that LLVM knows, such as x86-64-v3",
                                                   chosen));
    builder->setCPU(chosen);
    builder->getFeatures() = llvm::SubtargetFeatures();
  }
  builder->setCodeGenOptLevel(llvm::CodeGenOptLevel::Aggressive);
  builder->getOptions().AllowFPOpFusion = llvm::FPOpFusion::Strict;
  return builder->createTargetMachine();
}

bool isWide() {
  return llvm::sys::getHostCPUFeatures().lookup("avx512f") && chosenProcessor().empty();
}

bool hasByteProducts() { return isWide() && llvm::sys::getHostCPUFeatures().lookup("avx512vnni"); }

int64_t registerSums() {
  // AVX-512: one register each of 32; AVX2 and NEON: two or four each of 16 or 32.
  return isWide() ? 16 : 4;
}

} // namespace spindle::engine
