#include "lib/emulation/network/FanOut.h"

#include "dialects/snn/synapses/DelayedSparseOp.h"
#include "lib/emulation/network/Drivers.h"

#include "llvm/ADT/STLExtras.h"

#include <utility>

using namespace mlir;

namespace spindle {

namespace {

/// A projection that one operation makes of the spikes of one population.
struct Projection {
  Operation *op; // snn.dense, snn.sparse, snn.delayed_sparse or snn.random
  size_t source; // population
};

class Counter {
public:
  explicit Counter(const Network &counted) : network(counted) {
    for (const NetworkOp &each : network.ops)
      if (each.population)
        populations[each.op->getResult(0)] = *each.population;
    fanOut.synapses.assign(neuronCount(network.populations), 0);
    lastTarget.assign(fanOut.synapses.size(), 0);
  }

  /// False where a projection is more than one operation.
  bool count(const NetworkOp &each) {
    if (!isa<snn::NeuronOp>(each.op))
      return isa<snn::EncodeOp>(each.op);
    SmallVector<Projection> projections;
    for (Value source : each.sources)
      if (!collect(source, projections))
        return false;
    erase_if(projections, [this, all = projections](const Projection &projection) {
      return countDrawn(projection, all);
    });
    const Population &targets = network.populations[*each.population];
    for (uint32_t row = 0; row < targets.size; ++row)
      for (const Projection &projection : projections)
        connectAll(projection, row, targets.first + row);
    return true;
  }

  FanOut fanOut;

private:
  /// The population after delays, if it is one.
  std::optional<size_t> populationBehind(Value signal) const {
    Operation *op = signal.getDefiningOp();
    while (isa_and_nonnull<snn::DelayOp, snn::ReshapeOp>(op)) {
      signal = op->getOperand(0);
      op = signal.getDefiningOp();
    }
    if (auto feedback = dyn_cast_or_null<snn::FeedbackOp>(op))
      signal = populationOf(feedback)->getResult(0);
    auto found = populations.find(signal);
    return found == populations.end() ? std::nullopt : std::optional(found->second);
  }

  bool collect(Value signal, SmallVector<Projection> &projections) const {
    Operation *op = signal.getDefiningOp();
    auto encode = dyn_cast_or_null<snn::EncodeOp>(op);
    if (encode && encode.getEncoding() == snn::Encoding::Direct)
      return true; // the host's current
    if (isa_and_nonnull<snn::AddOp>(op))
      return collect(op->getOperand(0), projections) && collect(op->getOperand(1), projections);
    if (isa_and_nonnull<snn::ReshapeOp>(op))
      return collect(op->getOperand(0), projections);
    if (!isa_and_nonnull<snn::DenseOp, snn::SparseOp, snn::DelayedSparseOp, snn::RandomOp>(op))
      return false;
    std::optional<size_t> source = populationBehind(op->getOperand(0));
    if (source)
      projections.push_back({op, *source});
    return source.has_value();
  }

  /// The neurons that may send spikes through a projection.
  IndexRange sourcesOf(const Projection &projection) const {
    const Population &source = network.populations[projection.source];
    IndexRange range{0, source.size};
    if (auto random = dyn_cast<snn::RandomOp>(projection.op))
      range = random.getRule().sources;
    return {source.first + range.begin, source.first + range.end};
  }

  /// A rule whose pairs no other projection joins: nothing but its synapses is to be counted.
  bool countDrawn(const Projection &projection, ArrayRef<Projection> all) {
    auto random = dyn_cast<snn::RandomOp>(projection.op);
    IndexRange sources = sourcesOf(projection);
    auto overlaps = [&](const Projection &other) {
      IndexRange others = sourcesOf(other);
      return others.begin < sources.end && sources.begin < others.end;
    };
    if (!random || count_if(all, overlaps) > 1) // itself
      return false;
    MutableArrayRef<uint64_t> counts = fanOut.synapses;
    counts = counts.drop_front(network.populations[projection.source].first);
    random.forEachRow([&](int64_t, ArrayRef<int32_t> row) {
      for (int32_t source : row)
        ++counts[static_cast<size_t>(source)];
      fanOut.total += row.size();
    });
    return true;
  }

  /// A pair that several projections join counts once: each source remembers its last target.
  void connect(NeuronId source, NeuronId target) {
    if (std::exchange(lastTarget[source], target + 1) == target + 1)
      return;
    ++fanOut.synapses[source];
    ++fanOut.total;
  }

  void connectAll(const Projection &projection, uint32_t row, NeuronId target) {
    NeuronId first = network.populations[projection.source].first;
    auto connectListed = [&](auto sparse) {
      llvm::ArrayRef<int64_t> offsets = sparse.getOffsets();
      for (int32_t source :
           sparse.getIndices().slice(size_t(offsets[row]), size_t(offsets[row + 1] - offsets[row])))
        connect(first + static_cast<NeuronId>(source), target);
    };
    if (auto sparse = dyn_cast<snn::SparseOp>(projection.op))
      return connectListed(sparse);
    if (auto delayed = dyn_cast<snn::DelayedSparseOp>(projection.op))
      return connectListed(delayed);
    if (auto random = dyn_cast<snn::RandomOp>(projection.op)) {
      drawn.clear();
      random.getRule().append(static_cast<int64_t>(random.getFirst()) + row, drawn);
      for (int32_t source : drawn)
        connect(first + static_cast<NeuronId>(source), target);
      return;
    }
    for (uint32_t source = 0; source < network.populations[projection.source].size; ++source)
      connect(first + source, target);
  }

  const Network &network;
  llvm::DenseMap<Value, size_t> populations;
  std::vector<NeuronId> lastTarget; // and one more; of each neuron
  std::vector<int32_t> drawn;       // a row
};

/// Each neuron of a list has a synapse onto every neuron that has the list.
void countDriven(const Drivers &drive, uint32_t targets, FanOut &fanOut) {
  if (!drive.lists) {
    for (uint32_t n = 0; n < targets; ++n)
      ++fanOut.synapses[drive.first + n];
    fanOut.total += targets;
    return;
  }
  std::vector<uint64_t> having(drive.lists->size());
  for (uint32_t list : drive.listOf)
    ++having[list];
  for (uint32_t list = 0; list < drive.lists->size(); ++list) {
    for (NeuronId source : (*drive.lists)[list])
      fanOut.synapses[source] += having[list];
    fanOut.total += having[list] * (*drive.lists)[list].size();
  }
}

} // namespace

FanOut countSynapses(const Network &network) {
  Counter counter(network);
  bool counts = llvm::all_of(
      network.ops, [&](const NetworkOp &each) { return !each.population || counter.count(each); });
  if (counts)
    return std::move(counter.fanOut);
  FanOut fanOut{std::vector<uint64_t>(neuronCount(network.populations)), 0};
  forEachDrive(network, [&](const NetworkOp &each, const Drivers &drive) {
    if (!drive.isNothing())
      countDriven(drive, network.populations[*each.population].size, fanOut);
  });
  return fanOut;
}

} // namespace spindle
