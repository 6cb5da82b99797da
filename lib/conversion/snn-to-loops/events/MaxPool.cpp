#include "lib/conversion/snn-to-loops/events/MaxPool.h"

#include "lib/conversion/snn-to-loops/events/synapses/WindowAxis.h"

#include "dialects/hls/Hls.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

#include "fmt/format.h"

#include <array>
#include <bit>

using namespace mlir;

namespace spindle::snn_to_loops {

/// Events run ahead of the layer that takes them.
static constexpr int64_t kMaximaDepth = 16;

static unsigned bitsUpTo(int64_t most) {
  return unsigned(std::max(1, int(std::bit_width(uint64_t(most)))));
}

SpikeWords wordsOf(snn::MaxPool2dOp pool) {
  ArrayRef<int64_t> to = snn::shapeOf(pool.getOutput());
  return SpikeWords::ofPlaces(to[0], to[1] * to[2], to[0]);
}

EventSource sourceOf(snn::MaxPool2dOp pool, const SpikeWords &from) {
  ArrayRef<int64_t> image = snn::shapeOf(pool.getInput());
  auto same = [](int64_t element) { return element; };
  std::optional<EventSource> places =
      EventSource::ofImage(from, same, image[0], image[1] * image[2], laneBitsFor(image[0]));
  return places ? std::move(*places) : EventSource::of(from, same);
}

namespace {

/// The image is divided into blocks, which are cleared at once: two elements wide where windows are
/// apart by at least so many.
struct PoolShape {
  explicit PoolShape(snn::MaxPool2dOp pool)
      : from(snn::shapeOf(pool.getInput())), to(snn::shapeOf(pool.getOutput())) {
    for (size_t n = 0; n < 2; ++n) {
      axes[n] = WindowAxis::of({from[n + 1], to[n + 1], pool.getKernel()[n], pool.getStrides()[n],
                                1, pool.getPadding()[n]});
      block[n] = pool.getStrides()[n] > 1 && from[n + 1] > 1 ? 2 : 1;
    }
  }

  ArrayRef<int64_t> from, to; // channels, rows, columns
  std::array<WindowAxis, 2> axes;
  std::array<int64_t, 2> block{};

  int64_t channels() const { return from[0]; }
  int64_t windows() const { return to[1] * to[2]; }
  int64_t turns() const { return axes[0].banks * axes[1].banks; }
  int64_t positions() const { return block[0] * block[1]; }
  int64_t blocks() const { return roundedUp(from[1], block[0]) * roundedUp(from[2], block[1]); }
  int64_t words() const { return std::max(blocks(), windows()); }

  int64_t channelOf(int64_t input) const { return input / (from[1] * from[2]); }
  int64_t at(int64_t input, size_t axis) const {
    return axis == 1 ? input % from[2] : input / from[2] % from[1];
  }
  int64_t blockOf(int64_t input) const {
    return at(input, 0) / block[0] * roundedUp(from[2], block[1]) + at(input, 1) / block[1];
  }
  int64_t positionOf(int64_t input) const {
    return at(input, 0) % block[0] * block[1] + at(input, 1) % block[1];
  }
  /// The window of a turn, or −1.
  int64_t windowOf(int64_t input, int64_t turn) const {
    int64_t place[2], bank[] = {turn / axes[1].banks, turn % axes[1].banks};
    for (size_t axis = 0; axis < 2; ++axis) {
      int64_t number = axes[axis].elements[size_t(at(input, axis))].numbers[size_t(bank[axis])];
      if (number < 0)
        return -1;
      place[axis] = number * axes[axis].banks + bank[axis];
    }
    return place[0] * to[2] + place[1];
  }
};

/// Counts side by side, each of a bank in the same word.
class CountBanks {
public:
  CountBanks(ProgramBuilder &builder, const std::string &name, int64_t bankCount, int64_t words,
             unsigned countBits)
      : program(builder), banks(bankCount), depth(words), bits(countBits),
        array(builder.local(name, {bankCount, words}, countBits)) {
    program.separate(array, 0);
    if (depth == 1)
      program.separate(array, 1);
  }

  /// Of the bank whose condition holds; `conditions` may be one that always does. A tree, since the
  /// next count waits for it.
  Value load(const WordMath &math, Value word, ArrayRef<Value> conditions) const {
    SmallVector<Value> found;
    for (int64_t bank = 0; bank < banks; ++bank) {
      found.push_back(loadFrom(math, word, bank));
      if (Value condition = conditions[size_t(bank)])
        found.back() = math.select(condition, found.back(), math.number(bits, 0));
    }
    while (found.size() > 1) {
      SmallVector<Value> halves;
      for (size_t n = 0; n < found.size(); n += 2)
        halves.push_back(n + 1 < found.size() ? math.either(found[n], found[n + 1]) : found[n]);
      found = std::move(halves);
    }
    return found.front();
  }

  /// Where the condition holds, and of all banks in a sweep.
  void store(const WordMath &math, Value value, Value word, ArrayRef<Value> conditions,
             Value isWritten, Value isSweep) const {
    for (int64_t bank = 0; bank < banks; ++bank) {
      Value condition = conditions[size_t(bank)];
      Value here = condition ? math.both(condition, isWritten) : isWritten;
      math.only(math.either(here, isSweep), [&](const NestPoint &inside) {
        WordMath there(program, inside);
        storeIn(there, value, word, bank);
      });
    }
  }

private:
  Value loadFrom(const WordMath &math, Value word, int64_t bank) const {
    const NestPoint &point = math.point;
    if (depth == 1)
      return point.load(array, subscripts(point, bank));
    auto read = memref::LoadOp::create(point.builder, point.location, array,
                                       {program.position(bank), word});
    read->setAttr(hls::HlsDialect::bankName, point.builder.getI64IntegerAttr(bank));
    return read;
  }
  void storeIn(const WordMath &math, Value value, Value word, int64_t bank) const {
    const NestPoint &point = math.point;
    if (depth == 1)
      return point.store(value, array, subscripts(point, bank));
    auto write = memref::StoreOp::create(point.builder, point.location, value, array,
                                         {program.position(bank), word});
    write->setAttr(hls::HlsDialect::bankName, point.builder.getI64IntegerAttr(bank));
  }
  static SmallVector<AffineExpr> subscripts(const NestPoint &point, int64_t bank) {
    return {point.builder.getAffineConstantExpr(bank), point.builder.getAffineConstantExpr(0)};
  }

  ProgramBuilder &program;
  int64_t banks, depth;
  unsigned bits;
  Value array;
};

class MaxPool {
public:
  MaxPool(ProgramBuilder &builder, const PoolShape &pool, const std::string &layer,
          const EventSource &from, Value in, const EventNumbers &numbers)
      : program(builder), shape(pool), name(layer), source(from), events(in), out(numbers),
        eventBits(from.numbers.bits()), countBits(bitsUpTo(builder.options.steps)),
        wordBits(bitsUpTo(pool.words() - 1)), turnBits(bitsUpTo(pool.turns() - 1)), steps(builder),
        counts(builder, layer + ".counts", pool.channels() * pool.positions(), pool.words(),
               countBits),
        maxima(builder, layer + ".maxima", pool.channels(), pool.words(), countBits) {
    makeTables();
  }

  Value emit(Location location) {
    maximumNumbers = program.stream(name + ".spikes", kMaximaDepth, out.bits());
    auto zero = [&](unsigned bits) { return program.constant(program.integer(bits), 0); };
    Carried first = steps.first();
    first.append({program.constant(program.integer(1), 1), zero(wordBits)}); // a sweep is first
    if (shape.turns() > 1)
      first.append({zero(turnBits), zero(eventBits), zero(countBits)});
    emitWhile(
        program, location, name, first,
        [&](const NestPoint &point, ValueRange carried) { return steps.goes(point, carried); },
        [&](const NestPoint &point, ValueRange carried) { return next(point, carried); });
    return maximumNumbers;
  }

private:
  /// What is carried behind step and sample: whether counts are cleared, and in which word; where a
  /// spike has several turns, the turn, the spike and its element's count.
  enum : unsigned { kSweeps = 2, kSwept, kTurn, kEvent, kCount };

  void makeTables();
  Carried next(const NestPoint &point, ValueRange carried);
  Value lookUp(const WordMath &math, Value table, Value at) const {
    return memref::LoadOp::create(math.point.builder, math.point.location, table, math.index(at));
  }
  /// A condition for each of so many values; none where there is one.
  static SmallVector<Value> oneOf(const WordMath &math, Value number, int64_t values) {
    SmallVector<Value> conditions;
    for (int64_t value = 0; value < values; ++value)
      conditions.push_back(values > 1 ? math.equals(number, value) : Value());
    return conditions;
  }
  Value numberOf(const WordMath &math, Value window, Value channel) const;

  ProgramBuilder &program;
  const PoolShape &shape;
  std::string name;
  const EventSource &source;
  Value events;
  const EventNumbers &out;
  unsigned eventBits, countBits, wordBits, turnBits;
  StepCounter steps;
  CountBanks counts, maxima;
  /// By place, or by number where numbers are elements: block, position in it and channel; by turn,
  /// too, window and whether there is one. Of windows, their first number.
  Value blocks, positions, channels, windows, bases;
  Value maximumNumbers;
};

void MaxPool::makeTables() {
  int64_t places = (source.numbers.end >> source.laneBits) + 1;
  std::vector<int64_t> block(size_t(places), 0),
      position = block, channel = block,
      window(size_t(places << (shape.turns() > 1 ? turnBits : 0)), 0);
  for (int64_t place = 0; place + 1 < places; ++place) {
    int64_t input = source.inputs[size_t(place << source.laneBits)];
    if (input < 0)
      continue;
    block[size_t(place)] = shape.blockOf(input);
    position[size_t(place)] = shape.positionOf(input);
    channel[size_t(place)] = shape.channelOf(input);
    for (int64_t turn = 0; turn < shape.turns(); ++turn)
      if (int64_t in = shape.windowOf(input, turn); in >= 0)
        window[size_t(shape.turns() > 1 ? place << turnBits | turn : place)] = in << 1 | 1;
  }
  auto table = [&](const char *what, unsigned bits, const std::vector<int64_t> &values) {
    return program.constants(name + "." + what, {int64_t(values.size())}, bits, values);
  };
  blocks = table("blocks", wordBits, block);
  windows = table("windows", wordBits + 1, window);
  if (shape.positions() > 1)
    positions = table("positions", bitsUpTo(shape.positions() - 1), position);
  if (shape.channels() > 1 && source.laneBits == 0)
    channels = table("channels", bitsUpTo(shape.channels() - 1), channel);
  if (shape.windows() > 1)
    bases = table("numbers", out.bits(), out.base);
}

Value MaxPool::numberOf(const WordMath &math, Value window, Value channel) const {
  unsigned bits = out.bits();
  Value base = bases ? lookUp(math, bases, window) : math.number(bits, out.base[0]);
  return channel ? math.add(base, math.widen(channel, bits)) : base;
}

Carried MaxPool::next(const NestPoint &point, ValueRange carried) {
  WordMath math(program, point);
  bool hasTurns = shape.turns() > 1;
  Value isSweep = carried[kSweeps], one = math.number(1, 1);
  Value isWork = math.exclusive(isSweep, one), isNew = isWork;
  if (hasTurns)
    isNew = math.both(isWork, math.equals(carried[kTurn], 0));
  Value event = math.readIf(isNew, events);
  if (hasTurns)
    event = math.select(isNew, event, carried[kEvent]);
  Value isEnd = math.both(isNew, math.equals(event, source.numbers.end));
  Value isSpike = math.both(isWork, math.exclusive(isEnd, one));

  Value place = math.shiftRight(event, source.laneBits), channel;
  if (channels)
    channel = lookUp(math, channels, place);
  else if (shape.channels() > 1)
    channel = math.resize(event, source.laneBits);
  SmallVector<Value> ofChannel = oneOf(math, channel, shape.channels()), ofCount;
  Value position = positions ? lookUp(math, positions, place) : Value();
  for (Value inChannel : ofChannel)
    for (Value atPosition : oneOf(math, position, shape.positions()))
      ofCount.push_back(inChannel && atPosition ? math.both(inChannel, atPosition)
                        : inChannel             ? inChannel
                                                : atPosition);

  Value none = math.number(countBits, 0);
  auto wordAt = [&](Value found) {
    return math.index(math.select(isSweep, carried[kSwept], math.widen(found, wordBits)));
  };
  Value block = wordAt(lookUp(math, blocks, place));
  Value count = math.add(counts.load(math, block, ofCount), math.number(countBits, 1));
  Value isCounted = math.both(isSpike, isNew);
  counts.store(math, math.select(isSweep, none, count), block, ofCount, isCounted, isSweep);
  if (hasTurns)
    count = math.select(isNew, count, carried[kCount]);

  Value at = place;
  if (hasTurns) {
    unsigned bits = eventBits - source.laneBits + turnBits;
    at = math.either(math.shiftLeft(math.widen(place, bits), turnBits),
                     math.widen(carried[kTurn], bits));
  }
  Value window = lookUp(math, windows, at);
  Value isThere = math.both(isSpike, math.resize(window, 1));
  Value number = math.resize(math.shiftRight(window, 1), wordBits);
  Value most = wordAt(number);
  Value before = maxima.load(math, most, ofChannel);
  Value isMore = math.both(isThere, math.compare(arith::CmpIPredicate::ugt, count, before));
  // Whether it is written does not depend on what was read: then a memory needs no register behind
  // it, and the next iteration need not wait.
  Value largest = math.select(isMore, count, before);
  maxima.store(math, math.select(isSweep, none, largest), most, ofChannel, isThere, isSweep);

  // Looked up for every spike: an address must not wait for counts either.
  Value found = numberOf(math, number, channel);
  math.only(math.either(isMore, isEnd), [&](const NestPoint &inside) {
    WordMath there(program, inside);
    there.write(there.select(isEnd, there.number(out.bits(), out.end), found), maximumNumbers);
  });

  Value isLastWord = math.equals(carried[kSwept], shape.words() - 1);
  Value starts = math.both(isEnd, steps.isLastStep(math, carried));
  Value zero = math.number(wordBits, 0);
  Value following =
      math.select(isLastWord, zero, math.add(carried[kSwept], math.number(wordBits, 1)));
  Carried made = steps.next(math, carried, isEnd);
  made.append({math.select(isSweep, math.exclusive(isLastWord, one), starts),
               math.select(isSweep, following, zero)});
  if (hasTurns) {
    Value first = math.number(turnBits, 0);
    Value isLastTurn = math.equals(carried[kTurn], shape.turns() - 1);
    Value turn = math.select(isLastTurn, first, math.add(carried[kTurn], math.number(turnBits, 1)));
    made.append({math.select(isSpike, turn, first), event, count});
  }
  return made;
}

} // namespace

MaxPoolTurns turnsOf(snn::MaxPool2dOp pool) {
  PoolShape shape(pool);
  return {shape.turns(), shape.words()};
}

llvm::Expected<Value> emitMaxPool(ProgramBuilder &program, snn::MaxPool2dOp pool,
                                  const std::string &name, const EventSource &source, Value events,
                                  const EventNumbers &out) {
  PoolShape shape(pool);
  HardwareLayer layer;
  layer.name = name;
  layer.style = LayerStyle::Event;
  layer.neurons = shape.channels() * shape.windows();
  program.layers.push_back(std::move(layer));
  return MaxPool(program, shape, name, source, events, out).emit(pool.getLoc());
}

} // namespace spindle::snn_to_loops
