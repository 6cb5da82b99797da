// Dense layers: sums of a panel of outputs stand in registers while the rows of weights of the
// events are added; a panel's weights stay in the cache for all rows of a block.
#include "lib/emulation/layers/kernels/synapses/DenseLayer.h"

#include <bit>
#include <cmath>

namespace spindle::layers {

std::vector<float> packBias(const DenseLayer &layer, const Panels &panels) {
  std::vector<float> packed(panels.count * panels.width);
  for (size_t k = 0; k < packed.size() && panels.first + k < layer.bias.size(); ++k)
    packed[k] = layer.bias[panels.first + k];
  return packed;
}

namespace {

/// Rows of `width` outputs for each input, panel by panel, filled up with zeros.
template <typename T> std::vector<T> pack(const DenseLayer &layer, const Panels &panels) {
  std::vector<T> packed(panels.count * layer.inputs * panels.width);
  for (size_t p = 0; p < panels.count; ++p)
    for (size_t i = 0; i < layer.inputs; ++i)
      for (size_t k = 0; k < panels.width; ++k)
        if (size_t o = panels.first + p * panels.width + k; o < layer.outputs)
          packed[(p * layer.inputs + i) * panels.width + k] = T(layer.weight(o, i));
  return packed;
}

/// Whether the sums of any inputs fit into 16 bits: then so does every sum on the way.
bool sumsFitShort(const DenseLayer &layer) {
  for (size_t o = 0; o < layer.outputs; ++o) {
    double positive = 0, negative = 0;
    for (size_t i = 0; i < layer.inputs; ++i) {
      float weight = layer.weight(o, i);
      if (weight != std::trunc(weight))
        return false;
      (weight > 0 ? positive : negative) += double(weight);
    }
    if (positive > INT16_MAX || negative < INT16_MIN)
      return false;
  }
  return true;
}

bool weightsFitByte(const DenseLayer &layer) {
  return llvm::all_of(layer.weights, [](float w) { return w >= INT8_MIN && w <= INT8_MAX; });
}

/// The panels of a layer as their kernel reads them: outputs of a panel for each input.
struct PanelArrays {
  EventRows lists;
  Array weights, biases;
  RowArray columns; // from the first output on
  int64_t width;
};

/// The sums of two rows, so that the additions of one need not wait for each other. `first` is the
/// number of the first output in the panels; after the last row there is none.
void addTwoRows(StageKernel &k, const PanelArrays &arrays, Array panel, Number first, Number row,
                llvm::function_ref<Number(Number)> finish) {
  Number after = row + 1, isLast = after == k.rowCount(), other = select(isLast, row, after);
  Events list = arrays.lists[row], otherList = arrays.lists[other];
  Number end = list.end(), otherEnd = select(isLast, k.number(0), otherList.end()),
         both = least(end, otherEnd);
  auto add = [&](const Events &events, Number e, Number sum) {
    Number weight = (panel + events.entry(e) * arrays.width).aligned(arrays.width);
    return sum + events.term(e, weight);
  };
  Number zeros(k, k.lanesOf(panel.elementType(), arrays.width), int64_t(0));
  Numbers joint = k.reduce(both, Numbers{zeros, zeros}, [&](Number e, Numbers sums) {
    return Numbers{add(list, e, sums[0]), add(otherList, e, sums[1])};
  });
  Number sum =
      k.reduce({both, end}, joint[0], [&](Number e, Number sofar) { return add(list, e, sofar); });
  Number otherSum = k.reduce({both, otherEnd}, joint[1],
                             [&](Number e, Number sofar) { return add(otherList, e, sofar); });
  RowArray rows = arrays.columns + first;
  rows[other].storeAligned(finish(otherSum));
  rows[row].storeAligned(finish(sum)); // after the other one, which may be the same row
}

/// Gives the parameters. Sums are made in shorts or in floats.
FloatPanels addPanels(PlanBuilder &b, const DenseLayer &layer, const EventList &events, size_t out,
                      const Panels &panels, bool inShorts) {
  size_t packed = inShorts ? b.addParameter(pack<int16_t>(layer, panels))
                           : b.addParameter(pack<float>(layer, panels));
  size_t biases = b.addParameter(packBias(layer, panels));
  auto width = int64_t(panels.width);
  StageKernel k(b, Work::Rows);
  EventRows lists = k.eventRows(events);
  Array weights = k.array(packed, inShorts ? k.integer(16) : k.f32()), biasOf = k.floats(biases);
  RowArray rows = k.floatRows(out);
  PanelArrays arrays{lists, weights, biasOf, rows + int64_t(panels.first), width};
  k.loop(int64_t(panels.count), [&](Number p) {
    Array panel = weights + p * (int64_t(layer.inputs) * width);
    Number first = p * width, bias = (biasOf + first).aligned(width);
    k.loop({k.rowCount(), 2}, [&](Number row) {
      addTwoRows(k, arrays, panel, first, row, [&](Number sum) {
        Number total = inShorts ? sum.toFloat() : sum;
        return layer.bias.empty() ? total : total + bias;
      });
    });
  });
  b.addStage(std::move(k));
  return {panels, packed, biases};
}

} // namespace

/// Weights of a layer for which another kernel may be compiled.
constexpr size_t kWorthwhileDense = 1 << 15;

Signal addDense(PlanBuilder &b, snn::DenseOp op, const Signal &input) {
  DenseLayer layer{size_t(snn::sizeOf(op.getInput())), size_t(snn::sizeOf(op.getOutput())),
                   constantOf(op.getWeight()), constantOf(op.getBias())};
  EventList events = addEventList(b, input, 1, naturalNumbers(layer.inputs));
  Signal output = b.addSignal(Unit::Row, layer.outputs, false);
  bool isShort = input.binary && sumsFitShort(layer);
  bool inBytes = isShort && weightsFitByte(layer);
  size_t widest = (isShort ? 4 : 2) * kVector; // outputs of a panel
  bool mayBeDense = !isShort && b.hasRows(input) && layer.weights.size() >= kWorthwhileDense;
  auto add = [&](const Panels &panels) {
    FloatPanels floats = addPanels(b, layer, events, output.buffer, panels, isShort);
    if (mayBeDense)
      addBlockedPanels(b, layer, input, events, floats, output.buffer);
  };
  size_t first = 0;
  if (inBytes && layer.outputs >= kByteWidth) {
    addBytePanels(b, layer, events, output.buffer, {0, layer.outputs / kByteWidth, kByteWidth});
    first = layer.outputs / kByteWidth * kByteWidth;
  }
  while (first < layer.outputs) {
    // Powers of two fill registers; the rows of busy inputs stay in the first cache.
    size_t left = roundUp(layer.outputs - first, kVector);
    size_t width = std::min(std::bit_floor(left), widest);
    add({first, left / width, width});
    first += left / width * width;
  }
  return output;
}

} // namespace spindle::layers
