// From spikes to the integers that tensor layers behind them take: how many each neuron made.
#include "lib/conversion/snn-to-loops/events/EventSource.h"
#include "lib/conversion/snn-to-loops/tensor/TensorStreams.h"

#include "dialects/hls/Hls.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

#include <bit>

using namespace mlir;

namespace spindle::snn_to_loops {

namespace {

/// Adds up a sample's spikes one by one, then sends word after word and is back at zero.
class SpikeCounts {
public:
  SpikeCounts(ProgramBuilder &builder, const EventSource &source, Value stream, int64_t most,
              const TensorStreams &to, std::string process)
      : program(builder), events(stream), end(source.numbers.end), maximum(most), out(to),
        name(std::move(process)), groups(to.layout.groups),
        laneBits(unsigned(std::bit_width(uint64_t(to.layout.perWord - 1)))),
        groupBits(std::max(1, int(std::bit_width(uint64_t(groups - 1))))) {
    makeSlots(source);
    counts = program.local(name + ".values", {out.layout.perWord, groups}, out.bits);
    program.separate(counts, 0);
  }

  void emit(Location location);

private:
  enum : unsigned { kSends = 2, kGroup }; // of what is carried, behind step and sample

  void makeSlots(const EventSource &source);
  void clear(Location location);
  Carried next(const NestPoint &point, ValueRange carried);
  Value countAt(const WordMath &math, int64_t lane, Value group, Value isHere, Value sends);
  void send(const WordMath &math, ArrayRef<Value> values) const;

  ProgramBuilder &program;
  Value events;
  int64_t end;     // number of the mark
  int64_t maximum; // of a count
  const TensorStreams &out;
  std::string name;
  int64_t groups;
  unsigned laneBits, groupBits;
  Value slots, counts;
  StepCounter steps{program};
};

/// Where the count of each number is: its group, and in the lowest bits its lane.
void SpikeCounts::makeSlots(const EventSource &source) {
  const SpikeWords &layout = out.layout;
  std::vector<int64_t> slotOf(size_t(layout.elements), 0), all;
  for (int64_t group = 0; group < groups; ++group)
    for (int64_t lane = 0; lane < layout.inWord(group); ++lane)
      slotOf[size_t(layout.first[size_t(group)] + lane * layout.stride)] = group << laneBits | lane;
  for (int64_t element : source.inputs)
    all.push_back(slotOf[size_t(element)]);
  all.push_back(0); // of the mark
  slots = program.constants(name + ".slots", {int64_t(all.size())}, groupBits + laneBits, all);
}

/// Before the first sample; each sample leaves zeros.
void SpikeCounts::clear(Location location) {
  OpBuilder::InsertionGuard guard(program.body);
  program.leaveSamples();
  auto loop = affine::AffineForOp::create(program.body, location, 0, groups);
  loop->setAttr(kLayerName, program.body.getStringAttr(name));
  program.body.setInsertionPointToStart(loop.getBody());
  NestPoint point{program.body, location, {loop.getInductionVar()}};
  Value zero = program.constant(program.integer(out.bits), 0);
  for (int64_t lane = 0; lane < out.layout.perWord; ++lane)
    point.store(zero, counts,
                {program.body.getAffineConstantExpr(lane), program.body.getAffineDimExpr(0)});
}

/// The count of a lane; it becomes zero where it is sent, one more where the spike is its own.
Value SpikeCounts::countAt(const WordMath &math, int64_t lane, Value group, Value isHere,
                           Value sends) {
  const NestPoint &point = math.point;
  IntegerAttr bank = point.builder.getI64IntegerAttr(lane);
  SmallVector<Value> at{program.position(lane), group};
  auto read = memref::LoadOp::create(point.builder, point.location, counts, at);
  read->setAttr(hls::HlsDialect::bankName, bank);
  Value count = read.getResult();
  if (program.options.steps > maximum) // than the network was made for
    isHere = math.both(isHere, math.differs(count, maximum));
  Value more = math.add(count, math.widen(isHere, out.bits));
  Value kept = math.select(sends, math.number(out.bits, 0), more);
  auto write = memref::StoreOp::create(point.builder, point.location, kept, counts, at);
  write->setAttr(hls::HlsDialect::bankName, bank);
  return count;
}

void SpikeCounts::send(const WordMath &math, ArrayRef<Value> values) const {
  for (auto [part, stream] : llvm::zip(out.words.parts, out.parts))
    math.write(math.joined(values.slice(size_t(part.firstLane), size_t(part.port.perWord))),
               stream);
}

Carried SpikeCounts::next(const NestPoint &point, ValueRange carried) {
  WordMath math(program, point);
  Value sends = carried[kSends], collects = math.exclusive(sends, math.number(1, 1));
  Value event = math.readIf(collects, events);
  Value isEnd = math.both(collects, math.equals(event, end));
  Value isSpike = math.both(collects, math.differs(event, end));
  Value isLastStep = steps.isLastStep(math, carried);

  Value slot = memref::LoadOp::create(point.builder, point.location, slots, math.index(event));
  Value group = math.resize(math.shiftRight(slot, laneBits), groupBits);
  Value at = math.index(math.select(sends, carried[kGroup], group));
  SmallVector<Value> values;
  for (int64_t lane = 0; lane < out.layout.perWord; ++lane) {
    Value isHere = isSpike;
    if (laneBits > 0)
      isHere = math.both(isSpike, math.equals(math.resize(slot, laneBits), lane));
    values.push_back(countAt(math, lane, at, isHere, sends));
  }
  math.only(sends, [&](const NestPoint &inside) { send(WordMath(program, inside), values); });

  Value isLast = math.both(sends, math.equals(carried[kGroup], groups - 1));
  Value begins = math.both(isEnd, isLastStep);
  Value other = math.both(isEnd, math.exclusive(isLastStep, math.number(1, 1)));
  Carried made = steps.next(math, carried, math.either(other, isLast));
  Value advanced = math.add(carried[kGroup], math.constant(carried[kGroup], 1));
  made.push_back(math.select(isLast, math.number(1, 0), math.either(sends, begins)));
  made.push_back(math.select(isLast, math.number(groupBits, 0),
                             math.select(sends, advanced, carried[kGroup])));
  return made;
}

void SpikeCounts::emit(Location location) {
  clear(location);
  Carried first = steps.first();
  for (unsigned bits : {1u, groupBits})
    first.push_back(program.constant(program.integer(bits), 0));
  emitWhile(
      program, location, name, first,
      [&](const NestPoint &point, ValueRange carried) { return steps.goes(point, carried); },
      [&](const NestPoint &point, ValueRange carried) { return next(point, carried); });
}

} // namespace

void emitSpikeCounts(ProgramBuilder &program, Location location, const SpikeStreams &spikes,
                     int64_t maximum, const TensorStreams &out, const std::string &name) {
  EventSource source = EventSource::of(spikes.layout, [](int64_t element) { return element; });
  Value events = emitEvents(program, location, name, spikes, source.numbers);
  SpikeCounts(program, source, events, maximum, out, name).emit(location);
}

} // namespace spindle::snn_to_loops
