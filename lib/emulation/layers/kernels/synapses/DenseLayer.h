// The weights of a dense layer as its kernels read them.
#pragma once

#include "lib/emulation/layers/PlanBuilder.h"

namespace spindle::layers {

struct DenseLayer {
  size_t inputs, outputs;
  std::vector<float> weights, bias; // outputs × inputs; none or one for each output

  float weight(size_t output, size_t input) const { return weights[output * inputs + input]; }
};

/// Neighbouring outputs whose sums stand in registers together.
struct Panels {
  size_t first, count, width;
};

/// The biases of the outputs of some panels, filled up with zeros.
std::vector<float> packBias(const DenseLayer &layer, const Panels &panels);

/// Parameters of panels in floats: outputs of a panel for each input, panel by panel.
struct FloatPanels {
  Panels panels;
  size_t weights, biases;
};

/// The same sums as the last stage, over all inputs: worked where many of them have events.
void addBlockedPanels(PlanBuilder &b, const DenseLayer &layer, const Signal &input,
                      const EventList &events, const FloatPanels &floats, size_t out);

/// Outputs of a panel of weights of 8 bits.
constexpr size_t kByteWidth = 8 * kVector;
/// Rows of sums of the listed inputs, in panels of kByteWidth. Weights are integers of 8 bits; sums
/// of any inputs fit into 16.
void addBytePanels(PlanBuilder &b, const DenseLayer &layer, const EventList &events, size_t out,
                   const Panels &panels);

} // namespace spindle::layers
