#include "hw/synthesis/search/ReduceUnrolling.h"

#include "hw/synthesis/search/ChooseVariants.h"

#include "mlir/IR/Diagnostics.h"

namespace spindle::hls {

namespace {

using Factors = std::vector<uint64_t>;

/// Cycles more than the fastest that are no reason for a larger circuit.
constexpr double kNearlyEqual = 1.01;

/// Without one of the factors, or with half of it.
std::vector<Factors> reduced(const Factors &factors) {
  std::vector<Factors> all;
  for (size_t position = factors.size(); position-- > 0;) {
    Factors fewer = factors;
    fewer.erase(fewer.begin() + ptrdiff_t(position));
    if (!fewer.empty())
      all.push_back(fewer);
    fewer = factors;
    fewer[position] /= 2;
    if (fewer[position] > 1)
      all.push_back(std::move(fewer));
  }
  return all;
}

} // namespace

llvm::Expected<Synthesis> reduceUnrolling(Synthesis made, mlir::ModuleOp program,
                                          const Target &target) {
  if (!made.interface.predictedCycles)
    return made;
  double most = kNearlyEqual * double(*made.interface.predictedCycles);
  // What fewer iterations cannot do is no error of the program's.
  mlir::ScopedDiagnosticHandler quiet(program.getContext(),
                                      [](mlir::Diagnostic &) { return mlir::success(); });
  for (bool isSmaller = true; isSmaller;) {
    isSmaller = false;
    for (Factors &factors : reduced(made.options.loops.unroll)) {
      SynthesisOptions options = made.options;
      options.loops.unroll = std::move(factors);
      llvm::Expected<Synthesis> fewer = attempt(program, target, options);
      if (!fewer) {
        llvm::consumeError(fewer.takeError());
        continue;
      }
      if (double(fewer->interface.predictedCycles.value_or(UINT64_MAX)) > most)
        continue;
      SPINDLE_ASSIGN(isSmaller, isBetter(*fewer, made, target, Aim::Area));
      if (!isSmaller)
        continue;
      made = std::move(*fewer);
      break;
    }
  }
  return made;
}

} // namespace spindle::hls
