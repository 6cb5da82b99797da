#include "lib/emulation/layers/KernelCache.h"

#include "lib/emulation/lanes/CodeCache.h"
#include "lib/emulation/lanes/LowerKernels.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <future>

namespace spindle::layers {

static std::vector<std::string> functionsOf(mlir::ModuleOp module) {
  std::vector<std::string> names;
  for (auto function : module.getOps<mlir::func::FuncOp>())
    names.push_back(function.getName().str());
  return names;
}

/// Of a lowered module.
static llvm::Expected<CompiledKernels> compile(mlir::ModuleOp module,
                                               const std::vector<std::string> &names) {
  return lanes::MachineCode::compile(module, names, lanes::MachineCode::Optimisation::Full);
}

/// Moves functions to another module, about half of their operations.
static mlir::OwningOpRef<mlir::ModuleOp> takeHalf(mlir::ModuleOp module) {
  mlir::OwningOpRef<mlir::ModuleOp> half(mlir::ModuleOp::create(module.getLoc()));
  size_t here = 0, there = 0;
  for (mlir::Operation &function : llvm::make_early_inc_range(*module.getBody())) {
    size_t &side = there < here ? there : here;
    if (&side == &there) {
      function.remove();
      half->push_back(&function);
    }
    function.walk([&](mlir::Operation *) { ++side; });
  }
  return half;
}

/// In two threads: nearly all of the time goes into optimising and generating code.
static llvm::Expected<std::shared_ptr<CompiledKernels>> compileHalves(mlir::ModuleOp module) {
  mlir::OwningOpRef<mlir::ModuleOp> half = takeHalf(module);
  std::vector<std::string> names = functionsOf(module), others = functionsOf(*half);
  SPINDLE_RETURN_IF_ERROR(lanes::lowerKernels(module));
  SPINDLE_RETURN_IF_ERROR(lanes::lowerKernels(*half));
  auto other = std::async(std::launch::async, [&] { return compile(*half, others); });
  llvm::Expected<CompiledKernels> first = compile(module, names), second = other.get();
  if (!first || !second)
    return llvm::joinErrors(first.takeError(), second.takeError());
  auto result = std::make_shared<CompiledKernels>(std::move(*first));
  result->add(std::move(*second));
  return result;
}

llvm::Expected<std::shared_ptr<CompiledKernels>> compileKernels(mlir::ModuleOp module) {
  // Never freed: what LLVM needs for that ends before.
  static lanes::CodeCache &cache = *new lanes::CodeCache;
  return cache.get(module, [&] { return compileHalves(module); });
}

} // namespace spindle::layers
