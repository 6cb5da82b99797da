#include "lib/conversion/snn-to-loops/tensor/Int8Ann.h"

#include "dialects/snn/Names.h"
#include "dialects/snn/Snn.h"

#include "fmt/format.h"
#include "fmt/ranges.h"

#include <algorithm>
#include <numeric>

using namespace mlir;

namespace spindle {

namespace {

/// Sums side by side, and what each of them takes at a time.
struct Form {
  int64_t lanes, inputs;
  int64_t products; // in a cycle
  int64_t cycles;   // per sample
};

struct Layer {
  std::string name;
  bool isWindowed = false;
  std::vector<Form> forms = {}; // each faster than the one before
  size_t chosen = 0;
  const Form &form() const { return forms[chosen]; }
};

int64_t roundedUp(int64_t a, int64_t b) { return (a + b - 1) / b; }

/// A divisor of the neurons side by side; the last layer has a lane for each, since its sums go to
/// the readout in words.
Layer denseLayer(snn::DenseOp dense, bool isLast) {
  ArrayRef<int64_t> weights = snn::shapeOf(dense.getWeight());
  Layer layer{snn::nameOf(dense)};
  for (int64_t lanes = isLast ? weights[0] : 1; lanes <= weights[0]; ++lanes)
    if (weights[0] % lanes == 0)
      layer.forms.push_back({lanes, 1, lanes, weights[0] / lanes * weights[1]});
  return layer;
}

/// All filters side by side, so many neighbours in a row of a window at a time; each place of the
/// padded image takes its turn.
Layer windowLayer(snn::Conv2dOp convolution) {
  ArrayRef<int64_t> weights = snn::shapeOf(convolution.getWeight());
  ArrayRef<int64_t> image = snn::shapeOf(convolution.getInput()),
                    padding = convolution.getPadding();
  int64_t places = (image[1] + padding[0] + padding[2]) * (image[2] + padding[1] + padding[3]);
  Layer layer{snn::nameOf(convolution), true};
  for (int64_t inputs = 1; inputs <= weights[3]; ++inputs) {
    int64_t words = roundedUp(weights[3], inputs);
    if (inputs == 1 || words < roundedUp(weights[3], inputs - 1))
      layer.forms.push_back(
          {weights[0], inputs, weights[0] * inputs * weights[1], places * weights[2] * words});
  }
  return layer;
}

/// In their order; nothing where there is another operation between two of them.
std::vector<Layer> layersOf(ModuleOp network) {
  std::vector<Layer> layers;
  std::vector<Operation *> weighted;
  bool isChain = true;
  network.walk([&](Operation *op) {
    if (isa<snn::DenseOp, snn::Conv2dOp>(op))
      weighted.push_back(op);
    isChain &= !isa_and_nonnull<snn::SnnDialect>(op->getDialect()) || isa<snn::NeuronOp>(op) ||
               isa<snn::EncodeOp, snn::QuantizeOp, snn::DenseOp, snn::Conv2dOp, snn::SumPool2dOp,
                   snn::MaxPool2dOp, snn::ReshapeOp, snn::DecodeOp>(op);
  });
  for (Operation *op : weighted) {
    bool isLast = op == weighted.back();
    auto dense = dyn_cast<snn::DenseOp>(op);
    isChain &= op->hasOneUse() && (dense || !isLast);
    if (isChain)
      layers.push_back(dense ? denseLayer(dense, isLast) : windowLayer(cast<snn::Conv2dOp>(op)));
  }
  return isChain ? layers : std::vector<Layer>();
}

int64_t productsOf(const std::vector<Layer> &layers) {
  return std::accumulate(layers.begin(), layers.end(), int64_t(0),
                         [](int64_t sum, const Layer &one) { return sum + one.form().products; });
}

/// The slowest layer becomes faster as long as there are products left for it.
bool choose(std::vector<Layer> &layers, double dsp) {
  if (double(productsOf(layers)) > dsp)
    return false;
  for (;;) {
    auto slowest =
        std::max_element(layers.begin(), layers.end(), [](const Layer &a, const Layer &b) {
          return a.form().cycles < b.form().cycles;
        });
    if (slowest->chosen + 1 == slowest->forms.size())
      return true;
    ++slowest->chosen;
    if (double(productsOf(layers)) > dsp) {
      --slowest->chosen;
      return true;
    }
  }
}

} // namespace

std::vector<std::string> int8AnnSettings(ModuleOp network, const std::string &target, double dsp) {
  std::vector<Layer> layers = layersOf(network);
  if (layers.size() < 2 || !choose(layers, dsp))
    return {};
  std::vector<std::string> kept, forms;
  for (const Layer &layer : layers) {
    if (&layer != &layers.back())
      kept.push_back(layer.name);
    forms.push_back(fmt::format("{}: {{as: tensor, lanes: {}, inputs: {}}}", layer.name,
                                layer.form().lanes, layer.form().inputs));
  }
  return {fmt::format("conversion={{tensor: [{}], decoding: membrane}}", fmt::join(kept, ", ")),
          "emulation.encoding=direct",
          "emulation.steps=1",
          fmt::format("emulation.record_membranes=[{}]", layers.back().name),
          "fixed_point={integers: all, weight_bits: 8, membrane_bits: 24}",
          fmt::format("hardware={{{}style: event, weights: constants, layers: {{{}}}}}",
                      target.empty() ? "" : "target: " + target + ", ", fmt::join(forms, ", "))};
}

} // namespace spindle
