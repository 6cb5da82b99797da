#include "hw/hls/lower/kernel/BuildKernel.h"

#include "dialects/location/Location.h"
#include "hw/hls/lower/kernel/ChooseMemories.h"
#include "hw/hls/lower/kernel/KernelBuilder.h"
#include "hw/hls/lower/kernel/OpenLoops.h"

namespace spindle::hls {

llvm::Expected<KernelOp> KernelBuilder::build() {
  if (!function.getBody().hasOneBlock())
    return inputError(placeOf(function), "a function with jumps, expected structured loops");
  llvm::SmallVector<int64_t> indexArguments, indexResults; // of 64 bits, indices in the program
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    if (function.getArgAttr(i, HlsDialect::indexName))
      indexArguments.push_back(i);
  for (unsigned i = 0; i < function.getNumResults(); ++i)
    if (function.getResultAttr(i, HlsDialect::indexName))
      indexResults.push_back(i);
  function.removeResAttrsAttr();
  SPINDLE_RETURN_IF_ERROR(countLoops(function));
  crossings = keepCrossingsInRegisters(function);
  llvm::SmallVector<int64_t> scalars;
  for (mlir::BlockArgument argument : function.getArguments())
    if (!llvm::isa<mlir::MemRefType, StreamType>(argument.getType()) &&
        !isBound(argument.getArgNumber()))
      scalars.push_back(argument.getArgNumber());
  builder.setInsertionPointAfter(function);
  kernel = KernelOp::create(builder, function.getLoc(), function.getName(), target.name,
                            llvm::APFloat(target.clockPeriodNs), scalars, mlir::ArrayAttr());
  kernel.setSymName((function.getName() + "_hardware").str());
  if (!indexArguments.empty())
    kernel->setAttr(HlsDialect::indexArgumentsName, builder.getDenseI64ArrayAttr(indexArguments));
  if (!indexResults.empty())
    kernel->setAttr(HlsDialect::indexResultsName, builder.getDenseI64ArrayAttr(indexResults));
  mlir::Block &body = kernel.getBody().emplaceBlock();
  builder.setInsertionPointToStart(&body);
  declareArguments(body);
  SPINDLE_RETURN_IF_ERROR(declareLocals());
  auto tasks = TasksOp::create(builder, function.getLoc());
  SPINDLE_RETURN_IF_ERROR(buildTasks(function.getBody().front(), tasks.getBody().emplaceBlock()));
  SPINDLE_RETURN_IF_ERROR(chooseMemories(kernel, target));
  return kernel;
}

llvm::Expected<KernelOp> buildKernel(mlir::func::FuncOp function, const Target &target) {
  return KernelBuilder(function, target).build();
}

} // namespace spindle::hls
