// Spikes that are computed in every step from values of a sample: place after place, some of them
// side by side.
#pragma once

#include "lib/conversion/snn-to-loops/events/Processes.h"

namespace spindle::snn_to_loops {

/// Values that come in the first step of a sample, a word for each place, and are kept for the
/// others.
class KeptValues {
public:
  /// Of streams that hold the parts of `ports`, for the places of `words`.
  KeptValues(ProgramBuilder &program, const std::string &layer, const SpikeWords &words,
             const ValueWords &ports, llvm::ArrayRef<mlir::Value> streams);

  /// Those of a place, one for each lane.
  llvm::SmallVector<mlir::Value> take(const WordMath &math, mlir::Value isFirstStep,
                                      mlir::AffineExpr place) const;

private:
  ValueWords words;
  llvm::SmallVector<mlir::Value> from;
  mlir::Value kept;
};

/// Where one word of spikes is made.
struct PlaceWord {
  const WordMath &math;
  mlir::AffineExpr place;
  mlir::Value isFirst; // step of the sample
  mlir::Value step;    // as an index
};

/// The bits that stand for the number of a place.
unsigned placeBits(const SpikeWords &words);
/// Of a token, which is a word and its number: at most kTokenBits of a stream.
inline constexpr int64_t kTokenBits = 64;

/// For each sample, step and place the word that `wordOf` makes, of which each is recorded and the
/// empty ones are left out. Lanes beyond the last element are no spikes, whatever is said of them.
SpikeStreams emitPlaces(ProgramBuilder &program, mlir::Location location, const std::string &layer,
                        const SpikeWords &words,
                        llvm::function_ref<mlir::Value(const PlaceWord &)> wordOf);

} // namespace spindle::snn_to_loops
