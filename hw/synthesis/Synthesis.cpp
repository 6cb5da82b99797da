#include "hw/synthesis/Synthesis.h"

#include "dialects/location/Location.h"
#include "dialects/rtl/Rtl.h"
#include "hw/hls/prepare/Prepare.h"
#include "hw/program/ProgramFile.h"
#include "hw/synthesis/search/ChooseOrder.h"
#include "hw/synthesis/search/ChooseVariants.h"
#include "hw/synthesis/search/ReduceUnrolling.h"
#include "hw/synthesis/search/SearchUnrolling.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace spindle::hls {

std::unique_ptr<mlir::MLIRContext> makeSynthesisContext() {
  std::unique_ptr<mlir::MLIRContext> context = makeProgramContext();
  mlir::DialectRegistry registry;
  registerKernelDialects(registry);
  context->appendDialectRegistry(registry);
  context->loadDialect<HlsDialect, rtl::RtlDialect>();
  return context;
}

uint64_t mostSearched(const UnitLimits &limits) {
  unsigned most = 0;
  for (const auto &[unit, count] : limits)
    most = std::max(most, count);
  return most ? std::min<uint64_t>(most, kMostUnroll) : 8;
}

/// The search with the fastest variants, which hide least of what unrolling does; then smaller ones
/// where they cost no cycles. Never slower than without unrolling, whatever variants that takes.
static llvm::Expected<Synthesis> search(mlir::ModuleOp program, const Target &target,
                                        const SynthesisOptions &options) {
  SynthesisOptions alone = options, fast = options;
  alone.loops.unroll = {1};
  SPINDLE_ASSIGN(Synthesis best, attempt(program, target, alone));
  SPINDLE_ASSIGN(best, chooseOrder(std::move(best), program, target));
  fast.variants.merge(fastestVariants(kindsIn(best.kernel), target));
  SPINDLE_ASSIGN(best,
                 chooseVariants(std::move(best), program, target, options.variants, Aim::Cycles));
  SPINDLE_ASSIGN(Synthesis found, searchUnrolling(program, target, fast));
  SPINDLE_ASSIGN(found, reduceUnrolling(std::move(found), program, target));
  SPINDLE_ASSIGN(found,
                 chooseVariants(std::move(found), program, target, options.variants, Aim::Cycles));
  SPINDLE_ASSIGN(bool isFaster, isBetter(found, best, target, Aim::Cycles));
  return isFaster ? std::move(found) : std::move(best);
}

/// Two products on a DSP block where they share a factor, if that is better.
static llvm::Expected<Synthesis> choosePairs(Synthesis made, mlir::ModuleOp program,
                                             const Target &target) {
  size_t products = 0;
  made.kernel.walk([&](mlir::arith::MulIOp op) { products += bool(unitOf(op)); });
  if (products < 2 || made.options.schedule.pairs)
    return made;
  SynthesisOptions options = made.options;
  options.schedule.pairs = true;
  llvm::Expected<Synthesis> paired = attempt(program, target, options);
  if (!paired) { // alone they have a schedule
    llvm::consumeError(paired.takeError());
    return made;
  }
  bool hasPairs = paired->kernel.walk([](MultiplyPairOp) { return mlir::WalkResult::interrupt(); })
                      .wasInterrupted();
  if (!hasPairs)
    return made;
  SPINDLE_ASSIGN(bool isPreferred, isBetter(*paired, made, target, Aim::Trade));
  return isPreferred ? std::move(*paired) : std::move(made);
}

/// Cycles of the same choices without iterations side by side.
static llvm::Expected<std::optional<uint64_t>>
plainCycles(mlir::ModuleOp program, const Target &target, SynthesisOptions options) {
  options.loops.unroll = {1};
  SPINDLE_ASSIGN(Synthesis plain, attempt(program, target, options));
  return plain.interface.predictedCycles;
}

llvm::Expected<Synthesis> synthesize(mlir::ModuleOp given, const Target &target,
                                     const SynthesisOptions &options) {
  mlir::OwningOpRef<mlir::ModuleOp> prepared = given.clone();
  SPINDLE_RETURN_IF_ERROR(prepare(*prepared, {options.top, options.bind}).takeError());
  mlir::ModuleOp program = *prepared;
  SynthesisOptions quick = options;
  quick.schedule.exact = false; // choices are made by the heuristic
  auto choose = [&]() -> llvm::Expected<Synthesis> {
    if (options.loops.unroll.empty())
      return search(program, target, quick);
    SPINDLE_ASSIGN(Synthesis plain, attempt(program, target, quick));
    SPINDLE_ASSIGN(plain, chooseOrder(std::move(plain), program, target));
    return chooseVariants(std::move(plain), program, target, options.variants, Aim::Trade);
  };
  SPINDLE_ASSIGN(Synthesis made, choose());
  SPINDLE_ASSIGN(made, choosePairs(std::move(made), program, target));
  if (llvm::any_of(options.loops.unroll, [](uint64_t factor) { return factor > 1; })) {
    SPINDLE_ASSIGN(made.plainCycles, plainCycles(program, target, made.options));
  }
  if (options.schedule.exact) {
    SynthesisOptions exact = made.options;
    exact.schedule.exact = true;
    std::optional<uint64_t> plain = made.plainCycles;
    SPINDLE_ASSIGN(made, attempt(program, target, exact));
    made.plainCycles = plain;
  }
  SPINDLE_RETURN_IF_ERROR(addCircuit(made, target));
  if (options.budget)
    SPINDLE_RETURN_IF_ERROR(
        checkBudget(*made.interface.estimate, *options.budget, placeOf(made.kernel)));
  return made;
}

} // namespace spindle::hls
