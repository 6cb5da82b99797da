// What a block of the layerwise schedule did, read from its rows: answers, counts and spikes.
#pragma once

#include "lib/emulation/layers/LayersNetwork.h"
#include "lib/emulation/runtime/SampleRunner.h"

namespace spindle {

/// Belongs to the thread of a block.
class BlockBooks {
public:
  BlockBooks(const EmulationTask &task, const layers::Plan &plan, const layers::Block &block);

  /// The `steps` steps from `firstStep` on, of `count` samples from `first` on. Answers and counts
  /// go to the tally; spikes are listed here, for `record`.
  void read(size_t first, size_t count, size_t firstStep, size_t steps, Tally &tally);
  /// Appends the spikes to the recordings. Blocks of a sample come here in their order.
  void record();
  /// Counts that are not taken from the rows of a block but kept in the state of `count` samples.
  void addCounts(size_t count, Tally &tally) const;

private:
  void readAnswer(size_t sample, size_t slot, size_t step, uint32_t time, Tally &tally) const;
  void countEvents(size_t slot, size_t step, Tally &tally) const;
  void listSpikes(size_t slot, size_t step, uint32_t time);
  void listOnes(const layers::Signal &rows, const float *row, const Population &population,
                uint32_t time);
  template <typename Use>
  void forEvents(const layers::EventList &list, size_t slot, size_t step, Use use) const;
  /// Room for as many spikes after those that are listed.
  Spike *roomFor(size_t more);

  const EmulationTask &task;
  const layers::Plan &plan;
  const layers::Block &block;
  size_t firstSample = 0;
  std::vector<size_t> ends; // in `spikes`, of the samples from `firstSample` on
  std::vector<Spike> spikes;
  size_t listed = 0; // spikes; what is after them is room
};

} // namespace spindle
