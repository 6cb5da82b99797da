// What all bindings of an application have in common.
#pragma once

#include "lib/sdf/bound/AnalyzeBinding.h"

namespace spindle {

/// A binding with everything that follows from it, but for the proof of its period.
struct BoundCandidate {
  TileBinding binding;
  BoundGraph bound;
  std::vector<uint64_t> repetitions; // of the bound graph
  CycleRatio period;                 // of an iteration of the application, by self-timed execution
};

class BindingProblem {
public:
  /// Buffers and bandwidth follow from the throughput that is asked for.
  static llvm::Expected<BindingProblem> make(const std::string &place,
                                             const SdfApplication &application,
                                             const SdfArchitecture &architecture,
                                             const SdfOptions &analysis,
                                             const BindingOptions &options);

  /// Why actors cannot be on these tiles; nothing where they can.
  std::optional<std::string> faultOf(const std::vector<SdfTileId> &tiles) const;

  /// `faultOf` has found nothing. Errors: slices, orders, a throughput that is not reached, a
  /// period that does not return.
  llvm::Expected<BoundCandidate> complete(TileBinding binding) const;

  /// Iterations of the application in one of the bound graph.
  uint64_t iterationsIn(const BoundCandidate &candidate) const {
    return candidate.repetitions[0] / repetitions[0];
  }
  bool isFastEnough(const CycleRatio &period) const {
    return double(period.iterations) >= application.throughput * double(period.time);
  }

  const std::string place;
  const SdfApplication &application;
  const SdfArchitecture &architecture;
  const SdfOptions analysis;
  const BindingOptions options;
  std::vector<uint64_t> repetitions; // of the application
  ChannelResources resources;
  CycleRatio storagePeriod; // of the buffers

private:
  BindingProblem(std::string at, const SdfApplication &of, const SdfArchitecture &on,
                 const SdfOptions &by, const BindingOptions &with)
      : place(std::move(at)), application(of), architecture(on), analysis(by), options(with) {}

  llvm::Error sizeBuffers();
  llvm::Error schedule(TileBinding &binding) const;
  llvm::Expected<BoundCandidate> execute(TileBinding binding) const;
  llvm::Expected<BoundCandidate> withLeastSlices(TileBinding binding) const;
};

} // namespace spindle
