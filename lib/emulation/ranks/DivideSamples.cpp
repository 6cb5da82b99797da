#include "lib/emulation/ranks/DivideSamples.h"

#include "lib/emulation/ranks/ShareMessages.h"

#include <algorithm>
#include <chrono>

namespace spindle {

using ranks::Bytes;
using ranks::JobKind;

llvm::Expected<Samples> sampleRange(const Samples &all, size_t first, size_t count) {
  Samples result{all.shape, {}, {}, {}, all.labelled};
  auto from = static_cast<ptrdiff_t>(first), to = static_cast<ptrdiff_t>(first + count);
  result.labels.assign(all.labels.begin() + from, all.labels.begin() + to);
  if (!all.events) {
    std::vector<float> room;
    SPINDLE_ASSIGN(const float *values, all.block(first, count, room));
    result.values.assign(values, values + count * all.size());
    return result;
  }
  const std::vector<uint64_t> &offsets = all.events->offsets;
  result.events.emplace();
  result.events->steps = all.events->steps;
  for (size_t index = first; index <= first + count; ++index)
    result.events->offsets.push_back(offsets[index] - offsets[first]);
  result.events->events.assign(all.events->events.begin() + static_cast<ptrdiff_t>(offsets[first]),
                               all.events->events.begin() +
                                   static_cast<ptrdiff_t>(offsets[first + count]));
  return result;
}

static ShareRange rangeOf(size_t rank, size_t ranks, size_t samples, size_t recorded) {
  size_t first = samples * rank / ranks, end = samples * (rank + 1) / ranks;
  return {first, end - first, std::clamp(recorded, first, end) - first};
}

/// After what is there already: later samples.
static void append(Share &to, Share &&more) {
  to.tally += more.tally;
  std::move(more.recorded.begin(), more.recorded.end(), std::back_inserter(to.recorded));
  to.membranes.samples += more.membranes.samples;
  for (size_t k = 0; k < to.membranes.recordings.size(); ++k) {
    const std::vector<float> &values = more.membranes.recordings[k].values;
    std::vector<float> &all = to.membranes.recordings[k].values;
    all.insert(all.end(), values.begin(), values.end());
  }
  to.threads += more.threads;
  to.compileSeconds = std::max(to.compileSeconds, more.compileSeconds);
}

llvm::Expected<Share> divideSamples(Ranks &ranks, mlir::ModuleOp snn, const Network &network,
                                    const Samples &samples, const EmulationOptions &options,
                                    const Progress &progress) {
  auto start = std::chrono::steady_clock::now();
  size_t working = std::clamp<size_t>(samples.count(), 1, ranks.size());
  size_t recorded = std::min<size_t>(samples.count(), static_cast<size_t>(options.recordSamples));
  Bytes module = working > 1 ? ranks::packNetwork(snn) : Bytes();
  auto ask = [&](size_t rank) -> llvm::Error {
    ShareRange range = rangeOf(rank, working, samples.count(), recorded);
    SPINDLE_ASSIGN(Samples its, sampleRange(samples, range.firstSample, range.count));
    ranks.send(rank, ranks::packJob({JobKind::Samples, options, range, std::move(its)}));
    ranks.send(rank, module);
    return llvm::Error::success();
  };
  size_t asked = 1; // ranks before this one have a job
  llvm::Error unread = llvm::Error::success();
  while (!unread && asked < working)
    if (unread = ask(asked); !unread)
      ++asked;
  Progress scaled = progress;
  if (progress && working > 1) // all ranks are taken to be as far as this one
    scaled = [&](uint64_t done, uint64_t all) {
      progress(done * samples.count() / all, samples.count());
    };
  llvm::Expected<Share> total =
      unread ? llvm::Expected<Share>(std::move(unread))
             : emulateShare(network, samples, options,
                            rangeOf(0, working, samples.count(), recorded), scaled);
  for (size_t rank = 1; rank < asked; ++rank) {
    llvm::Expected<Share> more = ranks::unpackAnswer(ranks.receive(rank));
    if (total && more)
      append(*total, std::move(*more));
    else if (total)
      total = more.takeError();
    else
      llvm::consumeError(more.takeError());
  }
  if (total)
    total->seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() -
        total->compileSeconds;
  return total;
}

} // namespace spindle
