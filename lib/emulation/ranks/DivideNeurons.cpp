#include "lib/emulation/ranks/DivideNeurons.h"

#include "lib/emulation/network/Synapses.h"
#include "lib/emulation/ranks/DivideSamples.h"
#include "lib/emulation/ranks/RestrictNetwork.h"
#include "lib/emulation/ranks/ShareMessages.h"

#include <algorithm>

namespace spindle {

namespace {

constexpr NeuronId kNotOurs = UINT32_MAX; // counted by rank 0

/// The numbers in the whole network of the neurons of a part.
std::vector<NeuronId> wholeNumbers(const Network &part, const std::vector<Population> &whole,
                                   size_t rank) {
  std::vector<NeuronId> numbers;
  for (const NetworkOp &each : part.ops) {
    if (!each.population)
      continue;
    snn::GatherOp gather = gatherOf(each.op);
    NeuronId first = whole[*each.population].first;
    for (uint32_t n = 0; n < part.populations[*each.population].size; ++n)
      numbers.push_back(gather      ? first + static_cast<uint32_t>(gather.getFirst()) + n
                        : rank == 0 ? first + n
                                    : kNotOurs);
  }
  return numbers;
}

void renumber(Share &share, const std::vector<NeuronId> &numbers, uint32_t neurons, size_t rank) {
  Tally tally(share.tally.correctByStep.size(), share.tally.confusion.size(), neurons);
  if (rank == 0) {
    tally.correctByStep = share.tally.correctByStep;
    tally.confusion = share.tally.confusion;
  }
  for (size_t n = 0; n < numbers.size(); ++n)
    if (numbers[n] != kNotOurs)
      tally.counts[numbers[n]] = share.tally.counts[n];
  share.tally = std::move(tally);
  for (std::vector<Spike> &spikes : share.recorded) {
    for (Spike &spike : spikes)
      spike.neuron = numbers[spike.neuron];
    std::erase_if(spikes, [](const Spike &spike) { return spike.neuron == kNotOurs; });
  }
}

/// The spikes of all neurons: those of divided populations from the ranks that have them, the
/// others as every rank found them.
std::vector<uint64_t> exchangeCounts(Ranks &ranks, const Network &part,
                                     const std::vector<Population> &whole,
                                     const std::vector<uint64_t> &mine) {
  std::vector<uint64_t> counts(neuronCount(whole));
  std::vector<uint32_t> sent, received;
  std::vector<size_t> places;
  for (size_t p = 0; p < whole.size(); ++p) {
    auto first = mine.begin() + part.populations[p].first;
    uint32_t size = part.populations[p].size;
    std::copy_n(first, size, counts.begin() + whole[p].first);
    for (uint32_t n = 0; size < whole[p].size && n < size; ++n)
      sent.insert(sent.end(), {uint32_t(first[n]), uint32_t(first[n] >> 32)});
  }
  ranks.exchange(sent, received, places);
  places.insert(places.begin(), 0);
  for (size_t p = 0; p < whole.size(); ++p)
    for (size_t rank = 0; part.populations[p].size < whole[p].size && rank < ranks.size(); ++rank) {
      NeuronRange range = neuronRange(whole[p].size, rank, ranks.size());
      for (int64_t n = 0; n < range.count; ++n, places[rank] += 2)
        counts[size_t(whole[p].first + range.first + n)] =
            received[places[rank]] | uint64_t(received[places[rank] + 1]) << 32;
    }
  return counts;
}

} // namespace

llvm::Expected<Share> emulatePart(Ranks &ranks, const Network &part, const Samples &samples,
                                  const EmulationOptions &options, const Progress &progress) {
  size_t recorded = std::min<size_t>(samples.count(), static_cast<size_t>(options.recordSamples));
  SPINDLE_ASSIGN(Share share, emulateShare(part, samples, options, {0, samples.count(), recorded},
                                           progress, &ranks));
  if (!share.refusal.empty())
    return share;
  std::vector<Population> whole = wholePopulations(part);
  SynapseCount count =
      synapsesOnto(part, exchangeCounts(ranks, part, whole, share.tally.counts),
                   [&](const NetworkOp &each) { return ranks.rank() == 0 || gatherOf(each.op); });
  share.synapses = count.synapses;
  share.synapticEvents = count.events;
  renumber(share, wholeNumbers(part, whole, ranks.rank()), neuronCount(whole), ranks.rank());
  return share;
}

static void add(Share &to, Share &&more) {
  to.tally += more.tally;
  for (size_t sample = 0; sample < to.recorded.size(); ++sample) {
    const std::vector<Spike> &ours = to.recorded[sample], &others = more.recorded[sample];
    std::vector<Spike> all(ours.size() + others.size());
    std::merge(ours.begin(), ours.end(), others.begin(), others.end(), all.begin());
    to.recorded[sample] = std::move(all);
  }
  to.threads += more.threads;
  to.compileSeconds = std::max(to.compileSeconds, more.compileSeconds);
  to.seconds = std::max(to.seconds, more.seconds);
  to.synapses += more.synapses;
  to.synapticEvents += more.synapticEvents;
}

llvm::Expected<Share> joinShares(Ranks &ranks, llvm::Expected<Share> own) {
  for (size_t rank = 1; rank < ranks.size(); ++rank) {
    llvm::Expected<Share> more = ranks::unpackAnswer(ranks.receive(rank));
    if (!more && own)
      own = more.takeError();
    else if (!more)
      llvm::consumeError(more.takeError());
    else if (own && own->refusal.empty())
      add(*own, std::move(*more));
  }
  return own;
}

llvm::Expected<Share> divideNeurons(Ranks &ranks, const Network &network, const Samples &samples,
                                    const EmulationOptions &options, const Progress &progress) {
  SPINDLE_ASSIGN(Samples read, sampleRange(samples, 0, samples.count()));
  for (size_t rank = 1; rank < ranks.size(); ++rank) {
    ranks.send(rank, ranks::packJob({ranks::JobKind::Neurons, options, {}, read}));
    ranks.send(rank, ranks::packNetwork(*restrictNetwork(network, rank, ranks.size())));
  }
  mlir::OwningOpRef<mlir::ModuleOp> module = restrictNetwork(network, 0, ranks.size());
  llvm::Expected<Network> part = readNetwork(*module, NetworkExtent::Part);
  if (!part) // the others wait for this rank
    llvm::report_fatal_error("a part of a checked network is not valid");
  return joinShares(ranks, emulatePart(ranks, *part, samples, options, progress));
}

} // namespace spindle
