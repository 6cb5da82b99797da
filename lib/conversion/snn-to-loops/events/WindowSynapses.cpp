// Windows of an image by events: an event finds its neuron of each bank, all in one cycle.
#include "lib/conversion/snn-to-loops/events/Synapses.h"
#include "lib/conversion/snn-to-loops/events/WindowAxis.h"
#include "lib/conversion/snn-to-loops/layers/Layers.h"

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

/// Filters over an image; sums of windows are filters, too, each with ones for its own channel.
struct Filters {
  ArrayRef<int64_t> from, to; // channels, rows, columns
  std::array<int64_t, 2> kernel{}, strides{}, dilations{1, 1}, padding{};
  std::vector<int64_t> weights; // filters × channels × kernel

  int64_t weight(int64_t filter, int64_t channel, int64_t row, int64_t column) const {
    return weights[size_t(((filter * from[0] + channel) * kernel[0] + row) * kernel[1] + column)];
  }
};

llvm::Expected<Filters> filtersOf(snn::Conv2dOp op) {
  SPINDLE_ASSIGN(std::vector<int64_t> values, integersOf(op, op.getWeight(), "weight"));
  ArrayRef<int64_t> shape = snn::shapeOf(op.getWeight());
  Filters made{snn::shapeOf(op.getInput()),
               snn::shapeOf(op.getOutput()),
               {shape[2], shape[3]},
               {op.getStrides()[0], op.getStrides()[1]},
               {op.getDilations()[0], op.getDilations()[1]},
               {op.getPadding()[0], op.getPadding()[1]},
               {}};
  int64_t window = shape[2] * shape[3], perGroup = shape[0] / int64_t(op.getGroups());
  made.weights.assign(size_t(shape[0] * made.from[0] * window), 0);
  for (int64_t filter = 0; filter < shape[0]; ++filter)
    for (int64_t channel = 0; channel < shape[1]; ++channel) {
      int64_t source = filter / perGroup * shape[1] + channel;
      std::copy_n(values.begin() + (filter * shape[1] + channel) * window, window,
                  made.weights.begin() + (filter * made.from[0] + source) * window);
    }
  return made;
}

Filters filtersOf(snn::SumPool2dOp op) {
  Filters made{snn::shapeOf(op.getInput()),
               snn::shapeOf(op.getOutput()),
               {op.getKernel()[0], op.getKernel()[1]},
               {op.getStrides()[0], op.getStrides()[1]},
               {1, 1},
               {op.getPadding()[0], op.getPadding()[1]},
               {}};
  int64_t window = made.kernel[0] * made.kernel[1], channels = made.from[0];
  made.weights.assign(size_t(channels * channels * window), 0);
  for (int64_t channel = 0; channel < channels; ++channel)
    std::fill_n(made.weights.begin() + channel * (channels + 1) * window, window, 1);
  return made;
}

class WindowSynapses : public Synapses {
public:
  WindowSynapses(ProgramBuilder &builder, Filters image)
      : program(builder), filters(std::move(image)) {
    for (size_t n = 0; n < 2; ++n)
      axes[n] = WindowAxis::of(filters.from[n + 1], filters.to[n + 1], filters.kernel[n],
                               filters.strides[n], filters.dilations[n], filters.padding[n]);
    isForEachGroup = false;
  }

  /// Bits of the numbers of all windows of an element along an axis.
  unsigned windowBits(size_t axis) const {
    return unsigned(axes[axis].banks) * (bitsUpTo(axes[axis].perBank - 1) + 1);
  }
  void make(const SpikeWords &from, const std::function<int64_t(int64_t)> &inputOf,
            HardwareLayer &layer);
  void take(const WordMath &math, Value event, Value group, Value isEnd) override;
  Value weight(const WordMath &math, int64_t lane) override { return rows->weight(math, lane); }
  Value group(int64_t lane) override { return groupOf[size_t(lane / lanesPerBank())]; }
  Value isReached(int64_t lane) override { return reached[size_t(lane / lanesPerBank())]; }

private:
  int64_t lanesPerBank() const { return filters.to[0]; }
  int64_t banks() const { return axes[0].banks * axes[1].banks; }
  int64_t channelOf(int64_t input) const { return input / (filters.from[1] * filters.from[2]); }
  int64_t at(int64_t input, size_t axis) const {
    return axis == 1 ? input % filters.from[2] : input / filters.from[2] % filters.from[1];
  }
  void makeGrid();
  void makeWords();
  void makeTables(const HardwareLayer &layer);
  /// Number of the row that the event of an input reads; its channel counts where lanes are not
  /// the channels.
  int64_t rowOf(int64_t input, int64_t lane) const;
  int64_t weightOf(int64_t row, int64_t lane) const;

  struct Bank {
    Value number, isThere; // of the window along an axis
  };
  Bank bankOf(const WordMath &math, Value word, size_t axis, int64_t bank) const;

  ProgramBuilder &program;
  Filters filters;
  std::array<WindowAxis, 2> axes;
  std::unique_ptr<WeightRows> rows;
  Value ways;                   // of each place
  std::array<Value, 2> windows; // windows of all banks of an axis, of each place
  std::array<unsigned, 2> numberBits{};
  SmallVector<Value> groupOf, reached; // per bank
};

/// Lane after lane the filters of a bank, bank after bank.
void WindowSynapses::makeGrid() {
  grid = {banks() * lanesPerBank(), axes[0].perBank * axes[1].perBank, {}};
  for (int64_t lane = 0; lane < grid.lanes; ++lane) {
    int64_t bank = lane / lanesPerBank(), filter = lane % lanesPerBank();
    for (int64_t group = 0; group < grid.groups; ++group) {
      int64_t row = group / axes[1].perBank * axes[0].banks + bank / axes[1].banks,
              column = group % axes[1].perBank * axes[1].banks + bank % axes[1].banks;
      bool isThere = row < filters.to[1] && column < filters.to[2];
      grid.neurons.push_back(isThere ? (filter * filters.to[1] + row) * filters.to[2] + column
                                     : -1);
    }
  }
}

/// The filters of a window are a word: each bank has a stream.
void WindowSynapses::makeWords() {
  words = {};
  words.elements = filters.to[0] * filters.to[1] * filters.to[2];
  words.groups = grid.groups;
  words.streams = banks();
  words.perWord = lanesPerBank();
  words.stride = filters.to[1] * filters.to[2];
  words.bits = unsigned(words.perWord) + 1;
  for (int64_t group = 0; group < grid.groups; ++group)
    for (int64_t bank = 0; bank < banks(); ++bank) {
      int64_t neuron = grid.at(bank * lanesPerBank(), group);
      words.first.push_back(neuron < 0 ? words.elements : neuron);
    }
}

/// Way of the rows, way of the columns and channel.
int64_t WindowSynapses::rowOf(int64_t input, int64_t lane) const {
  int64_t way = axes[0].elements[size_t(at(input, 0))].way * int64_t(axes[1].ways.size()) +
                axes[1].elements[size_t(at(input, 1))].way;
  return source.laneBits > 0 || filters.from[0] == 1 ? (way << source.laneBits) + lane
                                                     : way * filters.from[0] + channelOf(input);
}

int64_t WindowSynapses::weightOf(int64_t row, int64_t lane) const {
  bool isAligned = source.laneBits > 0 || filters.from[0] == 1;
  int64_t way = isAligned ? row >> source.laneBits : row / filters.from[0];
  int64_t channel = isAligned ? row - (way << source.laneBits) : row % filters.from[0];
  auto columns = int64_t(axes[1].ways.size());
  int64_t bank = lane / lanesPerBank();
  int64_t in[] = {axes[0].ways[size_t(way / columns)][size_t(bank / axes[1].banks)],
                  axes[1].ways[size_t(way % columns)][size_t(bank % axes[1].banks)]};
  if (channel >= filters.from[0] || in[0] < 0 || in[1] < 0)
    return 0;
  return filters.weight(lane % lanesPerBank(), channel, in[0], in[1]);
}

/// Of each place, and of the end of a step, which reaches no window.
void WindowSynapses::makeTables(const HardwareLayer &layer) {
  int64_t places = (source.numbers.end >> source.laneBits) + 1, mostRow = 0;
  std::vector<int64_t> rowNumbers(size_t(places), 0);
  std::array<std::vector<int64_t>, 2> windowWords{rowNumbers, rowNumbers};
  for (size_t axis = 0; axis < 2; ++axis)
    numberBits[axis] = bitsUpTo(axes[axis].perBank - 1);
  for (int64_t place = 0; place + 1 < places; ++place) {
    int64_t input = source.inputs[size_t(place << source.laneBits)];
    if (input < 0)
      continue;
    rowNumbers[size_t(place)] = rowOf(input, 0) >> source.laneBits;
    mostRow = std::max(mostRow, rowNumbers[size_t(place)]);
    for (size_t axis = 0; axis < 2; ++axis) {
      const WindowAxis::Element &element = axes[axis].elements[size_t(at(input, axis))];
      uint64_t word = 0;
      for (int64_t bank = axes[axis].banks - 1; bank >= 0; --bank) {
        int64_t number = element.numbers[size_t(bank)];
        word = word << (numberBits[axis] + 1) | (number < 0 ? 0 : uint64_t(number) << 1 | 1);
      }
      windowWords[axis][size_t(place)] = int64_t(word);
    }
  }
  ways = program.constants(layer.name + ".ways", {places}, bitsUpTo(mostRow), rowNumbers);
  for (size_t axis = 0; axis < 2; ++axis)
    windows[axis] = program.constants(
        fmt::format("{}.{}", layer.name, axis == 0 ? "windows_down" : "windows_across"), {places},
        windowBits(axis), windowWords[axis]);
}

void WindowSynapses::make(const SpikeWords &from, const std::function<int64_t(int64_t)> &inputOf,
                          HardwareLayer &layer) {
  source = EventSource::ofImage(from, inputOf, filters.from[0], filters.from[1] * filters.from[2]);
  makeGrid();
  makeWords();
  makeTables(layer);
  auto wayCount = int64_t(axes[0].ways.size() * axes[1].ways.size());
  bool isShifted = source.laneBits > 0 || filters.from[0] == 1;
  int64_t count = isShifted ? wayCount << source.laneBits : wayCount * filters.from[0];
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
  unsigned bits = source.laneBits;
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
    Bank r = bankOf(math, down, 0, bank / axes[1].banks);
    Bank c = bankOf(math, across, 1, bank % axes[1].banks);
    reached.push_back(math.both(r.isThere, c.isThere));
    if (!group)
      continue;
    Value number = math.add(math.scale(math.widen(r.number, groupBits), axes[1].perBank),
                            math.widen(c.number, groupBits));
    groupOf[size_t(bank)] = math.index(
        math.resize(math.select(isEnd, math.widen(group, groupBits), number), groupBits - 1));
  }
}

} // namespace

llvm::Expected<std::unique_ptr<Synapses>>
makeWindows(ProgramBuilder &program, Operation *op, const SpikeWords &from,
            const std::function<int64_t(int64_t)> &inputOf, HardwareLayer &layer) {
  Filters filters;
  if (auto pool = dyn_cast<snn::SumPool2dOp>(op)) {
    filters = filtersOf(pool);
  } else {
    SPINDLE_ASSIGN(filters, filtersOf(cast<snn::Conv2dOp>(op)));
  }
  constexpr int64_t kMostFilters = 63; // of a word, beside the mark
  int64_t count = filters.to[0];
  if (count > kMostFilters)
    return layerError(
        op, fmt::format("has {} filters, expected at most {} (style event)", count, kMostFilters));
  if (layer.lanes != count)
    return inputError("", fmt::format("layer '{}' has {} lanes, expected {}, one for each of its "
                                      "filters (style event)",
                                      layer.name, layer.lanes, count));
  layer.weightBits = bitsOf(filters.weights);
  auto made = std::make_unique<WindowSynapses>(program, std::move(filters));
  if (unsigned bits = std::max(made->windowBits(0), made->windowBits(1)); bits > 64)
    return layerError(op, fmt::format("has elements in windows whose numbers take {} bits along an "
                                      "axis, expected at most 64 (style event)",
                                      bits));
  made->make(from, inputOf, layer);
  return made;
}

} // namespace spindle::snn_to_loops
