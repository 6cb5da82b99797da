// Samples that judge a network by what another one answers.
#pragma once

#include "lib/conversion/trials/NetworkTrials.h"
#include "lib/conversion/trials/PairedLoss.h"

namespace spindle {

/// The samples of the given numbers, without events.
Samples subset(const Samples &samples, llvm::ArrayRef<size_t> indices);

/// The first ones, with their events, wherever their values are.
Samples firstOf(Samples samples, size_t count);

/// Samples that judge networks, those that a reference answers right apart from the others: what an
/// emulation counts is then how many answers are lost, and how many gained.
struct HeldSamples {
  Samples right, wrong;

  uint64_t count() const { return right.count() + wrong.count(); }
};

/// Divides samples by the answers of the reference.
HeldSamples holdBack(const Samples &samples, llvm::ArrayRef<uint32_t> answers);

llvm::Expected<ConversionScore> score(mlir::ModuleOp snn, int64_t steps, const HeldSamples &held,
                                      NetworkTrials &trials);

} // namespace spindle
