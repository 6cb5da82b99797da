#include "lib/conversion/snn-to-loops/events/SpikeReaders.h"

#include "dialects/snn/Answers.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace spindle::snn_to_loops {

SpikeReaders::SpikeReaders(Block &network, int64_t steps) {
  llvm::DenseMap<Value, int64_t> layers; // in front of spikes, on the longest way
  for (Operation &op : network) {
    if (auto decode = dyn_cast<snn::DecodeOp>(op))
      readers[behindViews(decode.getInput())].push_back({1, 0, snn::isAnswer(decode)});
    auto population = dyn_cast<snn::NeuronOp>(op);
    if (!population)
      continue;
    llvm::Expected<SmallVector<Feed>> feeds = feedsOf(population);
    if (!feeds) {
      llvm::consumeError(feeds.takeError()); // it is said where the layer is made
      continue;
    }
    int64_t own = 0;
    for (const Feed &feed : *feeds)
      own = std::max(own, layers.lookup(feed.spikes) + 1);
    layers[population.getTarget()] = own;
    for (const Feed &feed : *feeds)
      readers[feed.spikes].push_back(
          {own - layers.lookup(feed.spikes), std::min(feed.delay, steps), false});
  }
}

bool SpikeReaders::needFork(Value spikes) const {
  auto all = readers.lookup(spikes);
  return all.size() > 1 || llvm::any_of(all, [](const Reader &reader) { return reader.delay > 0; });
}

SmallVector<int64_t> SpikeReaders::stepsAhead(Value spikes) const {
  SmallVector<int64_t> ahead;
  for (const Reader &reader : readers.lookup(spikes))
    ahead.push_back(reader.layers + reader.delay);
  return ahead;
}

size_t SpikeReaders::recorder(Value spikes) const {
  auto all = readers.lookup(spikes);
  return size_t(llvm::find_if(all, [](const Reader &reader) { return !reader.answers; }) -
                all.begin());
}

} // namespace spindle::snn_to_loops
