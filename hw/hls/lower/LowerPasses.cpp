// From the loop form to the circuit, pass by pass.
#include "dialects/location/Location.h"
#include "dialects/rtl/Rtl.h"
#include "hw/hls/Passes.h"
#include "hw/hls/lower/ScheduleKernel.h"
#include "hw/hls/lower/kernel/BuildKernel.h"
#include "hw/hls/lower/rtl/KernelModule.h"
#include "hw/hls/lower/rtl/PackMemories.h"

#include "fmt/format.h"
#include "fmt/ranges.h"

namespace spindle::hls {

#define GEN_PASS_DEF_CONVERTAFFINETOHLS
#define GEN_PASS_DEF_HLSSCHEDULE
#define GEN_PASS_DEF_CONVERTHLSTORTL
#define GEN_PASS_DEF_HLSPACKMEMORIES
#include "hw/hls/Passes.h.inc"

namespace {

/// An error as a diagnostic.
mlir::LogicalResult told(mlir::ModuleOp module, llvm::Error error) {
  return error ? module.emitError(toText(std::move(error))) : mlir::success();
}

bool hasStarts(KernelOp kernel) {
  return kernel
      .walk([](mlir::Operation *op) {
        return op->hasAttr(HlsDialect::startName) ? mlir::WalkResult::interrupt()
                                                  : mlir::WalkResult::advance();
      })
      .wasInterrupted();
}

class ConvertAffineToHls : public impl::ConvertAffineToHlsBase<ConvertAffineToHls> {
public:
  using ConvertAffineToHlsBase::ConvertAffineToHlsBase;

  void runOnOperation() override {
    if (mlir::failed(told(getOperation(), convert())))
      signalPassFailure();
  }

private:
  llvm::Error convert() {
    SPINDLE_ASSIGN(Target hardware, readTarget(target));
    auto functions = llvm::to_vector(getOperation().getOps<mlir::func::FuncOp>());
    for (mlir::func::FuncOp function : functions) {
      if (function.isDeclaration())
        continue;
      SPINDLE_RETURN_IF_ERROR(buildKernel(function, hardware).takeError());
      function.erase();
    }
    return llvm::Error::success();
  }
};

class ScheduleKernels : public impl::HlsScheduleBase<ScheduleKernels> {
public:
  using HlsScheduleBase::HlsScheduleBase;

  void runOnOperation() override {
    if (mlir::failed(told(getOperation(), schedule())))
      signalPassFailure();
  }

private:
  llvm::Error schedule() {
    SPINDLE_ASSIGN(Target hardware, readTarget(target));
    ScheduleOptions options;
    std::vector<std::string> given(limits.begin(), limits.end());
    SPINDLE_ASSIGN(options.units,
                   parseUnitLimits(fmt::format("{}", fmt::join(given, ",")), hardware, "limits"));
    options.exact = exact;
    options.seconds = seconds;
    options.concurrent = !sequential;
    options.pairs = pairs;
    for (KernelOp kernel : getOperation().getOps<KernelOp>()) {
      if (hasStarts(kernel))
        return inputError(placeOf(kernel), "the kernel has a schedule already");
      SPINDLE_RETURN_IF_ERROR(scheduleKernel(kernel, hardware, options));
    }
    return llvm::Error::success();
  }
};

class PackMemories : public impl::HlsPackMemoriesBase<PackMemories> {
public:
  using HlsPackMemoriesBase::HlsPackMemoriesBase;
  void runOnOperation() override { packed += packMemories(getOperation()); }
};

class ConvertHlsToRtl : public impl::ConvertHlsToRtlBase<ConvertHlsToRtl> {
public:
  using ConvertHlsToRtlBase::ConvertHlsToRtlBase;

  void runOnOperation() override {
    if (mlir::failed(told(getOperation(), convert())))
      signalPassFailure();
  }

private:
  llvm::Error convert() {
    mlir::ModuleOp module = getOperation();
    auto kernels = llvm::to_vector(module.getOps<KernelOp>());
    if (kernels.size() != 1)
      return inputError(placeOf(module.getOperation()),
                        fmt::format("{} kernels, expected one hls.kernel", kernels.size()));
    llvm::StringRef function = kernels[0].getSymName();
    function.consume_back("_hardware");
    SPINDLE_ASSIGN(auto design,
                   buildKernelModule(kernels[0], top.empty() ? function.str() : top.getValue()));
    module.getBody()->clear();
    module.getBody()->getOperations().splice(module.getBody()->end(),
                                             design->getBody()->getOperations());
    return llvm::Error::success();
  }
};

} // namespace

} // namespace spindle::hls
