// Dense layers over all inputs, for rows most of whose elements are not zero: the sums of a block
// of rows and of a panel of outputs stand in registers, and each weight is loaded once for the
// block.
#include "lib/emulation/lanes/HostTarget.h"
#include "lib/emulation/layers/kernels/synapses/DenseLayer.h"

namespace spindle::layers {

/// The share of inputs with events above which this is faster than adding events (measured,
/// docs/benchmarks/emulation-experiments.md).
constexpr double kBusyDense = 0.42;

void addBlockedPanels(PlanBuilder &b, const DenseLayer &layer, const Signal &input,
                      const EventList &events, const FloatPanels &floats, size_t out) {
  const Panels &panels = floats.panels;
  int64_t together = lanes::registerSums() / 2;
  auto width = int64_t(panels.width), inputs = int64_t(layer.inputs);
  StageKernel k(b, Work::Rows);
  RowArray in = k.floatRows(input.buffer);
  Array weights = k.floats(floats.weights), biases = k.floats(floats.biases);
  RowArray columns = k.floatRows(out) + int64_t(panels.first);
  Number zeros = k.vectorOf(0, width), lastRow = k.rowCount() - 1;
  k.loop(int64_t(panels.count), [&](Number p) {
    Array panel = weights + p * (inputs * width);
    Number first = p * width, bias = (biases + first).aligned(width);
    RowArray column = columns + first;
    k.loop({k.rowCount(), together}, [&](Number r) {
      Numbers numbers; // after the last row it is the last one again
      llvm::SmallVector<Array> signals;
      for (int64_t n = 0; n < together; ++n) {
        numbers.push_back(least(r + n, lastRow));
        signals.push_back(in[numbers.back()]);
      }
      Numbers sums(size_t(together), zeros);
      sums = k.reduce(inputs, sums, [&](Number i, Numbers sofar) {
        Number weight = (panel + i * width).aligned(width);
        for (auto [signal, sum] : llvm::zip(signals, sofar)) {
          Number x = signal[i];
          sum = sum + weight * x;
        }
        return sofar;
      });
      for (auto [number, sum] : llvm::zip(numbers, sums))
        column[number].storeAligned(layer.bias.empty() ? sum : sum + bias);
    });
  });
  b.addAlternative(std::move(k), {events.ends, 0, layer.inputs, kBusyDense});
}

} // namespace spindle::layers
