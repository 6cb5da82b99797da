// Machine code, kept for the next module of the same text.
#pragma once

#include "lib/emulation/lanes/MachineCode.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <list>
#include <mutex>

namespace spindle::lanes {

/// The code used last; it stays as long as somebody holds it. Weights are arguments of kernels, so
/// that networks whose layers differ in weights alone have equal modules. Any thread may ask.
class CodeCache {
public:
  using Code = std::shared_ptr<MachineCode>;

  /// What `compile` made of an equal module for this processor, or makes now. It may change the
  /// module.
  llvm::Expected<Code> get(mlir::ModuleOp module,
                           llvm::function_ref<llvm::Expected<Code>()> compile);

private:
  Code find(const std::string &text);
  void keep(std::string text, Code code);

  static constexpr size_t kMost = 16; // some hundred kilobytes each
  std::mutex mutex;
  std::list<std::pair<std::string, Code>> entries; // the one used last comes first
};

} // namespace spindle::lanes
