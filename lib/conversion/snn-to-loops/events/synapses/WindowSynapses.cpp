// Windows of an image by events: an event finds its neuron of each bank, all in one cycle.
#include "lib/conversion/snn-to-loops/Signal.h"
#include "lib/conversion/snn-to-loops/events/synapses/Synapses.h"
#include "lib/conversion/snn-to-loops/events/synapses/WindowAxis.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

#include "fmt/format.h"

#include <array>
#include <bit>

using namespace mlir;

namespace spindle::snn_to_loops {

namespace {

unsigned bitsUpTo(int64_t most) {
  return unsigned(std::max(1, int(std::bit_width(uint64_t(most)))));
}

/// The largest divisor of so many filters that has room in a word, beside the mark.
int64_t filtersInWord(int64_t filters) {
  int64_t count = std::min<int64_t>(filters, 63);
  while (filters % count != 0)
    --count;
  return count;
}

/// The windows that the events of one source are in, and where its rows and places begin.
struct WindowPart {
  WindowFilters filters;
  std::array<WindowAxis, 2> axes;
  EventSource events;
  int64_t firstRow = 0, rows = 0, firstPlace = 0;

  int64_t wayOf(int64_t input) const {
    return axes[0].elements[size_t(filters.at(input, 0))].way * int64_t(axes[1].ways.size()) +
           axes[1].elements[size_t(filters.at(input, 1))].way;
  }
};

class WindowSynapses : public Synapses {
public:
  WindowSynapses(ProgramBuilder &builder, ArrayRef<WindowSource> sources);

  /// Bits of the numbers of all windows of an element along an axis.
  unsigned windowBits(size_t axis) const {
    return unsigned(axes()[axis].banks) * (bitsUpTo(axes()[axis].perBank - 1) + 1);
  }
  void make(ArrayRef<WindowSource> sources, HardwareLayer &layer);
  void take(const WordMath &math, Value event, Value group, Value isEnd) override;
  Value weight(const WordMath &math, int64_t lane) override { return rows->weight(math, lane); }
  Value group(int64_t lane) override { return groupOf[size_t(lane / lanesPerBank())]; }
  Value isReached(int64_t lane) override { return reached[size_t(lane / lanesPerBank())]; }

private:
  ArrayRef<int64_t> to() const { return parts.front().filters.to; }
  const std::array<WindowAxis, 2> &axes() const { return parts.front().axes; } // banks are equal
  int64_t lanesPerBank() const { return to()[0]; }
  int64_t banks() const { return axes()[0].banks * axes()[1].banks; }
  void makeGrid();
  void makeWords();
  void numberEvents(ArrayRef<WindowSource> sources);
  void makeTables(const HardwareLayer &layer);
  /// Number of the row that the event of an input reads; where places have lanes, without these.
  int64_t rowOf(const WindowPart &part, int64_t input) const;
  int64_t weightOf(int64_t row, int64_t lane) const;

  struct Bank {
    Value number, isThere; // of the window along an axis
  };
  Bank bankOf(const WordMath &math, Value word, size_t axis, int64_t bank) const;

  ProgramBuilder &program;
  std::vector<WindowPart> parts;
  bool byPlace = true; // the lowest bits of an event are its channel
  unsigned laneBits = 0;
  std::unique_ptr<WeightRows> rows;
  Value ways;                   // of each place
  std::array<Value, 2> windows; // windows of all banks of an axis, of each place
  std::array<unsigned, 2> numberBits{};
  SmallVector<Value> groupOf, reached; // per bank
};

/// All sources share the banks.
WindowSynapses::WindowSynapses(ProgramBuilder &builder, ArrayRef<WindowSource> sources)
    : program(builder) {
  isForEachGroup = false;
  for (const WindowSource &source : sources)
    parts.push_back({source.filters, {}, {}});
  for (size_t n = 0; n < 2; ++n) {
    std::vector<WindowsAlong> along;
    for (const WindowPart &part : parts) {
      const WindowFilters &f = part.filters;
      along.push_back(
          {f.from[n + 1], f.to[n + 1], f.kernel[n], f.strides[n], f.dilations[n], f.padding[n]});
    }
    int64_t banks = WindowAxis::banksFor(along);
    for (auto [part, axis] : llvm::zip(parts, along))
      part.axes[n] = WindowAxis::of(axis, banks);
  }
}

/// Lane after lane the filters of a bank, bank after bank.
void WindowSynapses::makeGrid() {
  grid = {banks() * lanesPerBank(), axes()[0].perBank * axes()[1].perBank, {}};
  for (int64_t lane = 0; lane < grid.lanes; ++lane) {
    int64_t bank = lane / lanesPerBank(), filter = lane % lanesPerBank();
    for (int64_t group = 0; group < grid.groups; ++group) {
      int64_t row = group / axes()[1].perBank * axes()[0].banks + bank / axes()[1].banks,
              column = group % axes()[1].perBank * axes()[1].banks + bank % axes()[1].banks;
      bool isThere = row < to()[1] && column < to()[2];
      grid.neurons.push_back(isThere ? (filter * to()[1] + row) * to()[2] + column : -1);
    }
  }
}

/// The filters of a window are a word, or several of as many filters each: each bank has a stream
/// for each of them.
void WindowSynapses::makeWords() {
  words = {};
  words.elements = to()[0] * to()[1] * to()[2];
  words.groups = grid.groups;
  words.perWord = filtersInWord(lanesPerBank());
  words.streams = grid.lanes / words.perWord;
  words.stride = to()[1] * to()[2];
  words.bits = unsigned(words.perWord) + 1;
  for (int64_t group = 0; group < grid.groups; ++group)
    for (int64_t lane = 0; lane < grid.lanes; lane += words.perWord) {
      int64_t neuron = grid.at(lane, group);
      words.first.push_back(neuron < 0 ? words.elements : neuron);
    }
}

/// By place, where the words of all sources have spikes of one place each.
void WindowSynapses::numberEvents(ArrayRef<WindowSource> sources) {
  for (const WindowPart &part : parts)
    laneBits = std::max(laneBits, laneBitsFor(part.filters.from[0]));
  for (auto [part, source] : llvm::zip(parts, sources)) {
    ArrayRef<int64_t> image = part.filters.from;
    std::optional<EventSource> events =
        EventSource::ofImage(source.from, source.inputOf, image[0], image[1] * image[2], laneBits);
    byPlace &= events.has_value();
    if (byPlace)
      part.events = std::move(*events);
  }
  if (!byPlace) {
    laneBits = 0;
    for (auto [part, source] : llvm::zip(parts, sources))
      part.events = EventSource::of(source.from, source.inputOf);
  }
  std::vector<EventSource> events;
  int64_t row = 0, place = 0;
  for (WindowPart &part : parts) {
    auto wayCount = int64_t(part.axes[0].ways.size() * part.axes[1].ways.size());
    part.firstRow = row;
    part.rows = byPlace ? wayCount : wayCount * part.filters.from[0];
    part.firstPlace = place;
    row += part.rows;
    place += part.events.numbers.end >> laneBits;
    events.push_back(part.events);
  }
  numbers = oneAfterTheOther(events);
}

int64_t WindowSynapses::rowOf(const WindowPart &part, int64_t input) const {
  int64_t way = part.wayOf(input);
  return part.firstRow +
         (byPlace ? way : way * part.filters.from[0] + part.filters.channelOf(input));
}

int64_t WindowSynapses::weightOf(int64_t number, int64_t lane) const {
  int64_t row = number >> laneBits;
  auto part = llvm::find_if(parts, [&](const WindowPart &each) {
    return row >= each.firstRow && row < each.firstRow + each.rows;
  });
  const WindowFilters &filters = part->filters;
  row -= part->firstRow;
  int64_t way = byPlace ? row : row / filters.from[0];
  int64_t channel = byPlace ? number & ((int64_t(1) << laneBits) - 1) : row % filters.from[0];
  auto columns = int64_t(part->axes[1].ways.size());
  int64_t bank = lane / lanesPerBank();
  int64_t in[] = {part->axes[0].ways[size_t(way / columns)][size_t(bank / axes()[1].banks)],
                  part->axes[1].ways[size_t(way % columns)][size_t(bank % axes()[1].banks)]};
  if (channel >= filters.from[0] || in[0] < 0 || in[1] < 0)
    return 0;
  return filters.weight(lane % lanesPerBank(), channel, in[0], in[1]);
}

/// Of each place of each source, and of the end of a step, which reaches no window.
void WindowSynapses::makeTables(const HardwareLayer &layer) {
  int64_t places = (end() >> laneBits) + 1, mostRow = 0;
  std::vector<int64_t> rowNumbers(size_t(places), 0);
  std::array<std::vector<int64_t>, 2> windowWords{rowNumbers, rowNumbers};
  for (size_t axis = 0; axis < 2; ++axis)
    numberBits[axis] = bitsUpTo(axes()[axis].perBank - 1);
  for (const WindowPart &part : parts)
    for (int64_t n = 0; n < part.events.numbers.end >> laneBits; ++n) {
      int64_t input = part.events.inputs[size_t(n << laneBits)];
      if (input < 0)
        continue;
      auto place = size_t(part.firstPlace + n);
      rowNumbers[place] = rowOf(part, input);
      mostRow = std::max(mostRow, rowNumbers[place]);
      for (size_t axis = 0; axis < 2; ++axis) {
        const WindowAxis::Element &element =
            part.axes[axis].elements[size_t(part.filters.at(input, axis))];
        uint64_t word = 0;
        for (int64_t bank = axes()[axis].banks - 1; bank >= 0; --bank) {
          int64_t number = element.numbers[size_t(bank)];
          word = word << (numberBits[axis] + 1) | (number < 0 ? 0 : uint64_t(number) << 1 | 1);
        }
        windowWords[axis][place] = int64_t(word);
      }
    }
  ways = program.constants(layer.name + ".ways", {places}, bitsUpTo(mostRow), rowNumbers);
  for (size_t axis = 0; axis < 2; ++axis)
    windows[axis] = program.constants(
        fmt::format("{}.{}", layer.name, axis == 0 ? "windows_down" : "windows_across"), {places},
        windowBits(axis), windowWords[axis]);
}

void WindowSynapses::make(ArrayRef<WindowSource> sources, HardwareLayer &layer) {
  numberEvents(sources);
  makeGrid();
  makeWords();
  makeTables(layer);
  int64_t count = (parts.back().firstRow + parts.back().rows) << laneBits;
  rows =
      std::make_unique<WeightRows>(program, layer, count, grid.lanes,
                                   [&](int64_t row, int64_t lane) { return weightOf(row, lane); });
}

WindowSynapses::Bank WindowSynapses::bankOf(const WordMath &math, Value word, size_t axis,
                                            int64_t bank) const {
  Value part = math.shiftRight(word, bank * int64_t(numberBits[axis] + 1));
  return {
      math.resize(math.shiftRight(math.resize(part, numberBits[axis] + 1), 1), numberBits[axis]),
      math.resize(part, 1)};
}

void WindowSynapses::take(const WordMath &math, Value event, Value group, Value isEnd) {
  const NestPoint &point = math.point;
  unsigned bits = laneBits;
  Value place = math.index(math.shiftRight(event, bits));
  auto look = [&](Value table) -> Value {
    return memref::LoadOp::create(point.builder, point.location, table, place);
  };
  Value row = look(ways);
  if (bits > 0) {
    unsigned wide = row.getType().getIntOrFloatBitWidth() + bits;
    Value lane = math.widen(math.resize(event, bits), wide);
    row = math.either(math.shiftLeft(math.widen(row, wide), bits), lane);
  }
  rows->read(math, math.index(row));
  Value down = look(windows[0]), across = look(windows[1]);
  unsigned groupBits = bitsUpTo(grid.groups - 1) + 1;
  groupOf.assign(size_t(banks()), Value());
  reached.clear();
  for (int64_t bank = 0; bank < banks(); ++bank) {
    Bank r = bankOf(math, down, 0, bank / axes()[1].banks);
    Bank c = bankOf(math, across, 1, bank % axes()[1].banks);
    reached.push_back(math.both(r.isThere, c.isThere));
    if (!group)
      continue;
    Value number = math.add(math.scale(math.widen(r.number, groupBits), axes()[1].perBank),
                            math.widen(c.number, groupBits));
    groupOf[size_t(bank)] = math.index(
        math.resize(math.select(isEnd, math.widen(group, groupBits), number), groupBits - 1));
  }
}

} // namespace

llvm::Expected<std::unique_ptr<Synapses>> makeWindows(ProgramBuilder &program, Operation *place,
                                                      ArrayRef<WindowSource> sources,
                                                      HardwareLayer &layer) {
  constexpr int64_t kMostWords = 16; // of a window
  int64_t count = sources.front().filters.to[0];
  if (count > kMostWords * filtersInWord(count))
    return layerError(place,
                      fmt::format("has {} filters, which are no more than {} equal words of at "
                                  "most 63, expected some with a larger divisor (style event)",
                                  count, kMostWords));
  if (layer.lanes != count)
    return inputError("", fmt::format("layer '{}' has {} lanes, expected {}, one for each of its "
                                      "filters (style event)",
                                      layer.name, layer.lanes, count));
  auto made = std::make_unique<WindowSynapses>(program, sources);
  if (unsigned bits = std::max(made->windowBits(0), made->windowBits(1)); bits > 64)
    return layerError(place,
                      fmt::format("has elements in windows whose numbers take {} bits along an "
                                  "axis, expected at most 64 (style event)",
                                  bits));
  made->make(sources, layer);
  return made;
}

} // namespace spindle::snn_to_loops
