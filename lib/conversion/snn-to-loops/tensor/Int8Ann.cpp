#include "lib/conversion/snn-to-loops/tensor/Int8Ann.h"

#include "dialects/snn/Names.h"
#include "lib/conversion/snn-to-loops/tensor/TensorForms.h"

#include "fmt/format.h"
#include "fmt/ranges.h"

using namespace mlir;

namespace spindle {

namespace {

/// In their order, the last one with a lane for each neuron, since its sums go to the readout in
/// words; nothing where there is another operation between two of them.
std::vector<TensorChoice> layersOf(ModuleOp network) {
  std::vector<TensorChoice> layers;
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
      layers.push_back(dense ? choiceOf(dense, isLast ? snn::sizeOf(dense.getOutput()) : 1)
                             : choiceOf(cast<snn::Conv2dOp>(op)));
  }
  return isChain ? layers : std::vector<TensorChoice>();
}

} // namespace

std::vector<std::string> int8AnnSettings(ModuleOp network, const std::string &target, double dsp) {
  std::vector<TensorChoice> layers = layersOf(network);
  if (layers.size() < 2 || !balance(layers, dsp))
    return {};
  std::vector<std::string> kept, forms;
  for (const TensorChoice &layer : layers) {
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
