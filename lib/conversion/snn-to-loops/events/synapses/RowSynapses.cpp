// Rows of weights: of each event those of each group of neurons.
#include "lib/conversion/snn-to-loops/events/synapses/Synapses.h"

#include "dialects/hls/Hls.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

#include "fmt/format.h"

#include <bit>

using namespace mlir;

namespace spindle::snn_to_loops {

WeightRows::WeightRows(ProgramBuilder &program, const HardwareLayer &layer, int64_t rows,
                       int64_t lanes,
                       const std::function<int64_t(int64_t row, int64_t lane)> &weightOf)
    : weightBits(layer.weightBits), perWord(std::min<int64_t>(64 / layer.weightBits, lanes)),
      words((lanes + perWord - 1) / perWord) {
  std::vector<int64_t> packed(size_t(rows * words), 0);
  uint64_t mask = (uint64_t(1) << weightBits) - 1;
  for (int64_t number = 0; number < rows; ++number)
    for (int64_t lane = 0; lane < lanes; ++lane) {
      int64_t &into = packed[size_t(number * words + lane / perWord)];
      auto at = unsigned(lane % perWord) * weightBits;
      into = int64_t(uint64_t(into) | (uint64_t(weightOf(number, lane)) & mask) << at);
    }
  array = program.table(layer.name, "rows", {rows, words}, unsigned(perWord) * weightBits,
                        std::move(packed));
  program.separate(array, 1);
}

void WeightRows::read(const WordMath &math, Value number) {
  row.clear();
  for (int64_t word = 0; word < words; ++word) {
    auto load = memref::LoadOp::create(math.point.builder, math.point.location, array,
                                       {number, math.program.position(word)});
    load->setAttr(hls::HlsDialect::bankName, math.point.builder.getI64IntegerAttr(word));
    row.push_back(load);
  }
}

Value WeightRows::weight(const WordMath &math, int64_t lane) const {
  Value word = row[size_t(lane / perWord)];
  return math.resize(math.shiftRight(word, lane % perWord * int64_t(weightBits)), weightBits);
}

namespace {

class RowSynapses : public Synapses {
public:
  unsigned groupBits = 0;
  std::unique_ptr<WeightRows> rows;
  Value groupIndex;

  void take(const WordMath &math, Value event, Value group, Value) override {
    unsigned bits = eventBits() + groupBits;
    Value row = math.shiftLeft(math.widen(event, bits), groupBits);
    if (group) {
      row = math.either(row, math.widen(group, bits));
      groupIndex = math.index(group);
    }
    rows->read(math, math.index(row));
  }
  Value weight(const WordMath &math, int64_t lane) override { return rows->weight(math, lane); }
  Value group(int64_t) override { return groupIndex; }
};

} // namespace

llvm::Expected<std::unique_ptr<Synapses>>
makeRows(ProgramBuilder &program, ArrayRef<RowSource> sources, HardwareLayer &layer) {
  if (layer.lanes < 1 || layer.lanes > layer.neurons)
    return inputError("", fmt::format("layer '{}' has {} lanes, expected 1 to {}, one for each of "
                                      "its neurons (style event)",
                                      layer.name, layer.lanes, layer.neurons));
  auto made = std::make_unique<RowSynapses>();
  made->words = SpikeWords::ofNeurons(layer.neurons, layer.lanes);
  NeuronGrid &grid = made->grid;
  grid = {layer.lanes, made->words.groups, {}};
  for (int64_t lane = 0; lane < grid.lanes; ++lane)
    for (int64_t group = 0; group < grid.groups; ++group) {
      int64_t neuron = group * grid.lanes + lane;
      grid.neurons.push_back(neuron < layer.neurons ? neuron : -1);
    }
  std::vector<EventSource> events;
  for (const RowSource &source : sources)
    events.push_back(EventSource::of(source.from, source.inputOf));
  made->numbers = oneAfterTheOther(events);
  unsigned bits = made->groupBits = unsigned(std::bit_width(uint64_t(grid.groups - 1)));
  made->rows = std::make_unique<WeightRows>(
      program, layer, (made->end() + 1) << bits, grid.lanes,
      [&](int64_t row, int64_t lane) -> int64_t {
        int64_t number = row >> bits, group = row & ((int64_t(1) << bits) - 1);
        if (number >= made->end() || group >= grid.groups || grid.at(lane, group) < 0)
          return 0;
        size_t of = 0;
        for (; number >= events[of].numbers.end; ++of)
          number -= events[of].numbers.end;
        int64_t input = events[of].inputs[size_t(number)];
        return input < 0 ? 0 : sources[of].weightOf(grid.at(lane, group), input);
      });
  return made;
}

} // namespace spindle::snn_to_loops
