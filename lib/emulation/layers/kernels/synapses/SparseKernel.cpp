// Sparse layers: each event adds the synapses of its column.
#include "lib/emulation/layers/PlanBuilder.h"
#include "lib/emulation/layers/kernels/synapses/SynapseColumns.h"

namespace spindle::layers {

/// Whether numbers of the one weight stand for the sums, which neurons alone read. Neurons need
/// more instructions for them; that pays where sums leave the first cache.
static std::optional<Counts> countsOf(const SynapseColumns &columns, const EventList &events,
                                      size_t elements, bool taken) {
  constexpr size_t kFewest = 8192;
  if (!taken || events.values || columns.weights.size() != 1 || columns.most > UINT16_MAX ||
      elements < kFewest)
    return std::nullopt;
  return Counts{columns.weights.front(), columns.most};
}

/// Rows of sums, or of counts.
static Signal addRows(PlanBuilder &b, size_t elements, bool taken, std::optional<Counts> counts) {
  Signal output =
      counts
          ? Signal{b.addBuffer(Unit::Row, roundUp(elements, kVector) * (counts->areWide() ? 2 : 1)),
                   elements,
                   {elements, {}},
                   false}
          : b.addSignal(Unit::Row, elements, false);
  output.taken = taken;
  output.counts = counts;
  return output;
}

namespace {

/// What the kernel of a sparse layer reads and writes.
struct SparseArrays {
  Array begins, targets, weights, spare; // of the columns; a place of no target
  bool isOne;                            // weight
  bool areGaps;
};

/// The entries of the column of a source.
std::pair<Number, Number> columnOf(const SparseArrays &arrays, Number source) {
  Array column = arrays.begins + source;
  Number begin = column.load();
  return {begin, column[1]};
}

/// Fetches the column of the event after `e` while that one is added; the processor goes on after
/// the first lines by itself.
void fetchNext(StageKernel &k, const SparseArrays &arrays, const Events &events, Number e,
               Number end) {
  constexpr int64_t kLine = 64, kFetched = 8 * kLine; // bytes
  int64_t bytes = arrays.targets.elementType().getIntOrFloatBitWidth() / 8;
  Number behind = e + 1, next = select(behind == end, e, behind);
  auto [begin, last] = columnOf(arrays, events.entry(next));
  Array column = arrays.targets + begin;
  k.loop({least(last - begin, k.number(kFetched / bytes)), kLine / bytes},
         [&](Number s) { (column + s).prefetch(); });
}

void addTo(Array sum, Number term) { sum.store(sum.load() + term); }

/// Adds to the sums, or counts, of targets that stand as numbers.
void addNumbers(StageKernel &k, const SparseArrays &arrays, Range column, Array sums,
                llvm::function_ref<Number(Number)> termOf) {
  k.loop(column, [&](Number s) {
    Number target = arrays.targets[s].resized(64);
    Number weight = arrays.isOne ? arrays.weights.load() : arrays.weights[s];
    addTo(sums + target, termOf(weight));
  });
}

/// Adds to the sums, or counts, of targets that stand as gaps. Where a gap goes on, a place of no
/// target takes the term.
void addGaps(StageKernel &k, const SparseArrays &arrays, Range column, Array sums,
             llvm::function_ref<Number(Number)> termOf) {
  Number term = termOf(arrays.weights.load());
  column.step = kAtOnce;
  k.reduce(column, Number(k, sums.address()), [&](Number s, Number place) {
    Array at(k, place.value(), sums.elementType()), block = arrays.targets + s;
    for (int64_t n = 0; n < kAtOnce; ++n) {
      Number gap = block[n];
      at = at + gap.resized(64);
      addTo(select(gap == kSkip, arrays.spare, at), term);
    }
    return Number(k, at.address());
  });
}

} // namespace

/// Columns that stay in the second cache need no fetching ahead.
constexpr size_t kCacheOfColumns = size_t(512) << 10;

template <typename Op>
static Signal addColumns(PlanBuilder &b, Op op, const Signal &input, bool taken) {
  auto shared = std::make_shared<SynapseColumns>(measureColumns(op));
  const SynapseColumns &columns = *shared;
  mlir::Value bias = op.getBias(), target = op.getOutput();
  EventList events = addEventList(b, input, 1, naturalNumbers(input.elements));
  Signal output = addRows(b, size_t(snn::sizeOf(target)), taken,
                          countsOf(columns, events, size_t(snn::sizeOf(target)), taken));
  size_t offsets = b.addParameter(columns.offsets);
  size_t targets = b.addParameter(bytesOfTargets(columns), [=] {
    writeColumns(op, *shared);
    return std::move(shared->targets);
  });
  size_t weights = b.addParameter(columns.weights.size() * sizeof(float) + 64,
                                  [=] { return PlanBuilder::bytesOf(shared->weights); });

  StageKernel k(b, Work::Rows);
  const std::optional<Counts> &counts = output.counts;
  mlir::Type sumType = !counts ? k.f32() : k.integer(counts->areWide() ? 16 : 8);
  EventRows lists = k.eventRows(events);
  Array begins = k.array(offsets, k.integer(64)),
        entries = k.array(targets, k.integer(8 * bytesOfTarget(columns.form))),
        weightOf = k.floats(weights), biases = k.floats(b.addParameter(constantOf(bias)));
  RowArray rows = k.rows(output.buffer, sumType);
  Array spare = k.array(b.addBuffer(Unit::Thread, sizeof(float)), sumType);
  SparseArrays arrays{begins,
                      entries,
                      weightOf,
                      spare,
                      columns.weights.size() <= 1,
                      columns.form == TargetForm::Gaps8};
  bool leavesCache = bytesOfTargets(columns) > kCacheOfColumns;
  Range elements(int64_t(output.elements), lanes::kLanes);
  k.forRows([&](Number r) {
    Events list = lists[r];
    Number end = list.end();
    Array sums = rows[r];
    if (!taken)
      k.loop(elements, [&](Number i) { (sums + i).storeAligned(k.vectorOf(0)); });
    k.loop(end, [&](Number e) {
      auto [begin, last] = columnOf(arrays, list.entry(e));
      std::optional<Number> value;
      if (list.values)
        value = (*list.values)[e];
      auto termOf = [&](Number weight) {
        return value ? weight * *value : counts ? Number(k, sumType, int64_t(1)) : weight;
      };
      if (leavesCache)
        fetchNext(k, arrays, list, e, end);
      auto *add = arrays.areGaps ? addGaps : addNumbers;
      add(k, arrays, {begin, last}, sums, termOf);
    });
    if (bias)
      k.loop(elements, [&](Number i) {
        Array sum = sums + i;
        sum.storeAligned(sum.aligned() + (biases + i).vector());
      });
  });
  b.addStage(std::move(k));
  return output;
}

Signal addSparse(PlanBuilder &b, snn::SparseOp op, const Signal &input, bool taken) {
  return addColumns(b, op, input, taken);
}

Signal addRandom(PlanBuilder &b, snn::RandomOp op, const Signal &input, bool taken) {
  return addColumns(b, op, input, taken);
}

} // namespace spindle::layers
