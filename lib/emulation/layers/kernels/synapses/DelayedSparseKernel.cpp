// Sparse layers with a delay for each synapse: an event adds to the sums of the steps in which it
// arrives.
#include "lib/emulation/layers/kernels/synapses/DelayedSparseKernel.h"

#include "lib/emulation/network/Network.h"

#include <numeric>
#include <utility>

namespace spindle::layers {

namespace {

/// The synapses of each source, soonest first, so that an event goes through the ring once.
struct DelayedColumns {
  std::vector<int64_t> offsets;
  std::vector<uint32_t> places;
  std::vector<float> weights; // one for all, or one each
};

} // namespace

/// All but places, and weights where they differ.
static DelayedColumns measureColumns(snn::DelayedSparseOp op) {
  DelayedColumns columns;
  columns.offsets.assign(size_t(snn::sizeOf(op.getInput())) + 1, 0);
  for (int32_t source : op.getIndices())
    ++columns.offsets[size_t(source) + 1];
  std::partial_sum(columns.offsets.begin(), columns.offsets.end(), columns.offsets.begin());
  std::vector<float> weights = constantOf(op.getWeight());
  if (llvm::all_equal(weights))
    columns.weights.assign(1, weights.empty() ? 0 : weights.front());
  return columns;
}

/// Places ascend as delays do.
static void sortColumns(DelayedColumns &columns) {
  std::vector<std::pair<uint32_t, float>> column;
  for (size_t source = 0; source + 1 < columns.offsets.size(); ++source) {
    auto first = size_t(columns.offsets[source]), end = size_t(columns.offsets[source + 1]);
    if (columns.weights.size() <= 1) {
      std::sort(columns.places.begin() + first, columns.places.begin() + end);
      continue;
    }
    column.clear();
    for (size_t k = first; k < end; ++k)
      column.push_back({columns.places[k], columns.weights[k]});
    llvm::sort(column, llvm::less_first());
    for (size_t k = first; k < end; ++k)
      std::tie(columns.places[k], columns.weights[k]) = column[k - first];
  }
}

/// The rest; `row` is the length of a row of the ring.
static void writeColumns(snn::DelayedSparseOp op, size_t row, DelayedColumns &columns) {
  llvm::ArrayRef<int64_t> rows = op.getOffsets();
  llvm::ArrayRef<int32_t> sources = op.getIndices();
  llvm::ArrayRef<int16_t> delays = op.getDelays();
  bool isOne = !columns.weights.empty();
  std::vector<float> weights;
  if (!isOne) {
    weights = constantOf(op.getWeight());
    columns.weights.resize(weights.size());
  }
  columns.places.resize(sources.size());
  std::vector<int64_t> next(columns.offsets);
  for (size_t o = 0; o + 1 < rows.size(); ++o)
    for (auto k = size_t(rows[o]); k < size_t(rows[o + 1]); ++k) {
      auto at = size_t(next[size_t(sources[k])]++);
      columns.places[at] = uint32_t(size_t(delays[k]) * row + o);
      if (!isOne)
        columns.weights[at] = weights[k];
    }
  sortColumns(columns);
}

static size_t slotsOf(snn::DelayedSparseOp op) { return size_t(op.longestDelay()) + 1; }
static size_t rowOf(snn::DelayedSparseOp op) {
  return roundUp(size_t(snn::sizeOf(op.getOutput())), kVector);
}

bool fitsRing(snn::DelayedSparseOp op) { return slotsOf(op) * rowOf(op) <= UINT32_MAX; }

/// The sums of the steps to come stand in a ring of rows, that of this step at `time` mod slots. A
/// place is that of a target so many rows further on; it wraps at the end of the ring. The row of
/// this step is output and left zero, for the step after the longest delay.
Signal addDelayedSparse(PlanBuilder &b, snn::DelayedSparseOp op, const Signal &input) {
  size_t outputs = size_t(snn::sizeOf(op.getOutput())), slots = slotsOf(op), row = rowOf(op);
  EventList events = addEventList(b, input, 1, naturalNumbers(input.elements));
  auto columns = std::make_shared<DelayedColumns>(measureColumns(op));
  bool isOne = !columns->weights.empty();
  size_t synapses = op.getIndices().size();
  Signal output = b.addSignal(Unit::Row, outputs, false);
  size_t ring = b.addFloats(Unit::Slot, slots * row);
  b.plan.cleared.push_back(ring);
  size_t offsets = b.addParameter(columns->offsets);
  size_t places = b.addParameter(synapses * sizeof(uint32_t) + 64, [=] {
    writeColumns(op, row, *columns);
    return PlanBuilder::bytesOf(std::exchange(columns->places, {}));
  });
  size_t weights = b.addParameter((isOne ? 1 : synapses) * sizeof(float) + 64,
                                  [=] { return PlanBuilder::bytesOf(columns->weights); });

  StageKernel k(b, Work::Steps);
  Array sums = k.floats(ring);
  Events list = k.events(events);
  Array begins = k.array(offsets, k.integer(64)), placeOf = k.array(places, k.integer(32)),
        weightOf = k.floats(weights), biases = k.floats(b.addParameter(constantOf(op.getBias()))),
        out = k.floats(output.buffer);
  Number now = k.time() % slots * row;
  k.loop(list.end(), [&](Number e) {
    Array column = begins + list.entry(e);
    Number begin = column.load(), end = column[1];
    std::optional<Number> value;
    if (list.values)
      value = (*list.values)[e];
    k.loop({begin, end}, [&](Number s) {
      Number straight = now + placeOf[s].resized(64), all = straight.like(slots * row);
      Number place = select(straight < all, straight, straight - all);
      Number weight = isOne ? weightOf.load() : weightOf[s];
      Array sum = sums + place;
      sum.store(sum.load() + (value ? weight * *value : weight));
    });
  });
  Array arrived = sums + now;
  k.loop({int64_t(outputs), lanes::kLanes}, [&](Number i) {
    Array from = arrived + i;
    Number sum = from.aligned();
    from.storeAligned(sum.like(0));
    (out + i).storeAligned(op.getBias() ? sum + (biases + i).vector() : sum);
  });
  b.addStage(std::move(k));
  return output;
}

} // namespace spindle::layers
