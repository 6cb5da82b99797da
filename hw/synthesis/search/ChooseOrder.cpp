#include "hw/synthesis/search/ChooseOrder.h"

#include "hw/hls/loops/analysis/EstimateNest.h"
#include "hw/synthesis/search/ChooseVariants.h"

#include "mlir/IR/Diagnostics.h"

namespace spindle::hls {

namespace {

constexpr const char *kOrderStep = "interchange", *kWindowStep = "windows";

/// Operations of a reshaped program up to which another order is looked at: some tenths of a
/// second.
constexpr uint64_t kMostOperations = 4'000;

/// What the loop passes make of a program, before it is scheduled.
struct ReshapedCost {
  uint64_t cycles, operations;
};

llvm::Expected<ReshapedCost> reshapedCost(mlir::ModuleOp program, const Target &target,
                                          const SynthesisOptions &options) {
  mlir::OwningOpRef<mlir::ModuleOp> copy = program.clone();
  SPINDLE_ASSIGN(mlir::func::FuncOp function, reshape(*copy, target, options));
  ReshapedCost cost{estimateFunction(function, {target, options.loops.units}), 0};
  function.walk([&](mlir::Operation *) { ++cost.operations; });
  return cost;
}

/// Whether the windows of a program in these options save cycles.
llvm::Expected<bool> windowsPay(mlir::ModuleOp program, const Target &target,
                                const SynthesisOptions &options) {
  SPINDLE_ASSIGN(ReshapedCost with, reshapedCost(program, target, options));
  if (with.operations > kMostOperations)
    return false;
  SynthesisOptions plain = options;
  plain.loops.without.insert(kWindowStep);
  SPINDLE_ASSIGN(ReshapedCost without, reshapedCost(program, target, plain));
  return with.cycles < without.cycles;
}

} // namespace

llvm::Expected<Synthesis> chooseOrder(Synthesis made, mlir::ModuleOp program, const Target &given) {
  const std::set<std::string> &without = made.options.loops.without;
  if (!made.interface.predictedCycles || without.count(kOrderStep) || without.count(kWindowStep))
    return made;
  // What another order cannot do is no error of the program's.
  mlir::ScopedDiagnosticHandler quiet(program.getContext(),
                                      [](mlir::Diagnostic &) { return mlir::success(); });
  SynthesisOptions written = made.options;
  written.loops.without.insert(kOrderStep);
  llvm::Expected<bool> pays =
      windowsPay(program, withVariants(given, made.options.variants), written);
  if (!pays)
    llvm::consumeError(pays.takeError());
  if (!pays || !*pays)
    return made;
  llvm::Expected<Synthesis> other = attempt(program, given, written);
  if (!other) {
    llvm::consumeError(other.takeError());
    return made;
  }
  SPINDLE_ASSIGN(bool isPreferred, isBetter(*other, made, given, Aim::Trade));
  return isPreferred ? std::move(*other) : std::move(made);
}

} // namespace spindle::hls
