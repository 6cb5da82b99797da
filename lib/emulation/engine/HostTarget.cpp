#include "lib/emulation/engine/HostTarget.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"

namespace spindle::engine {

llvm::Expected<std::unique_ptr<llvm::TargetMachine>> hostTarget() {
  [[maybe_unused]] static const bool once = // ranks may be threads that compile at the same time
      !llvm::InitializeNativeTarget() && !llvm::InitializeNativeTargetAsmPrinter();
  llvm::Expected<llvm::orc::JITTargetMachineBuilder> builder =
      llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!builder)
    return builder.takeError();
  builder->setCodeGenOptLevel(llvm::CodeGenOptLevel::Aggressive);
  builder->getOptions().AllowFPOpFusion = llvm::FPOpFusion::Strict;
  return builder->createTargetMachine();
}

int64_t registerSums() {
  // AVX-512: one register each of 32; AVX2 and NEON: two or four each of 16 or 32.
  return llvm::sys::getHostCPUFeatures().lookup("avx512f") ? 16 : 4;
}

} // namespace spindle::engine
