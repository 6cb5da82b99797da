#include "lib/emulation/layerwise/KernelCache.h"

#include "lib/emulation/engine/HostTarget.h"
#include "lib/emulation/engine/LowerKernels.h"

#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"

#include <list>
#include <mutex>

namespace spindle::layerwise {

static llvm::Expected<std::shared_ptr<CompiledKernels>> compile(mlir::ModuleOp module) {
  mlir::registerBuiltinDialectTranslation(*module.getContext());
  mlir::registerLLVMDialectTranslation(*module.getContext());
  SPINDLE_RETURN_IF_ERROR(engine::lowerKernels(module));
  SPINDLE_ASSIGN(std::unique_ptr<llvm::TargetMachine> target, engine::hostTarget());
  auto optimise = mlir::makeOptimizingTransformer(/*optLevel=*/3, /*sizeLevel=*/0, target.get());
  mlir::ExecutionEngineOptions options;
  options.transformer = optimise;
  options.jitCodeGenOptLevel = llvm::CodeGenOptLevel::Aggressive;
  options.enableGDBNotificationListener = false;
  options.enablePerfNotificationListener = false;
  SPINDLE_ASSIGN(auto engine, mlir::ExecutionEngine::create(module, options, std::move(target)));
  return std::make_shared<CompiledKernels>(std::move(engine));
}

namespace {

/// The kernels used last, by the text of their module.
class KernelCache {
public:
  std::shared_ptr<CompiledKernels> find(const std::string &text) {
    std::scoped_lock lock(mutex);
    for (auto entry = entries.begin(); entry != entries.end(); ++entry)
      if (entry->first == text) {
        entries.splice(entries.begin(), entries, entry);
        return entry->second;
      }
    return nullptr;
  }
  void keep(std::string text, std::shared_ptr<CompiledKernels> kernels) {
    std::scoped_lock lock(mutex);
    entries.emplace_front(std::move(text), std::move(kernels));
    if (entries.size() > kMost)
      entries.pop_back();
  }

private:
  static constexpr size_t kMost = 16; // some hundred kilobytes each
  std::mutex mutex;
  std::list<std::pair<std::string, std::shared_ptr<CompiledKernels>>> entries;
};

} // namespace

llvm::Expected<std::shared_ptr<CompiledKernels>> compileKernels(mlir::ModuleOp module) {
  static KernelCache &cache = *new KernelCache; // what LLVM needs to free kernels ends before
  std::string text = engine::processor() + "\n";
  llvm::raw_string_ostream stream(text);
  module.print(stream);
  if (std::shared_ptr<CompiledKernels> known = cache.find(text))
    return known;
  SPINDLE_ASSIGN(std::shared_ptr<CompiledKernels> made, compile(module));
  cache.keep(std::move(text), made);
  return made;
}

} // namespace spindle::layerwise
