// Neurons divided among ranks, for networks that one sample is long enough or too large for.
#pragma once

#include "lib/emulation/ranks/Ranks.h"
#include "lib/emulation/ranks/Share.h"

namespace spindle {

/// Every rank holds a part of the network (`restrictNetwork`) and emulates all samples; spikes are
/// exchanged once in each block of steps, which is as long as the smallest delay allows. Called by
/// rank 0 while the others serve. The result is that of one rank, or says why there is none.
llvm::Expected<Share> divideNeurons(Ranks &ranks, const Network &network, const Samples &samples,
                                    const EmulationOptions &options, const Progress &progress);

/// The share of the part of one rank, which every rank calls at the same time; neurons are numbered
/// as in the whole network, of populations that are not divided only rank 0 counts the spikes.
llvm::Expected<Share> emulatePart(Ranks &ranks, const Network &part, const Samples &samples,
                                  const EmulationOptions &options, const Progress &progress);

/// At rank 0 the sum of its own share and those that the others send.
llvm::Expected<Share> joinShares(Ranks &ranks, llvm::Expected<Share> own);

} // namespace spindle
