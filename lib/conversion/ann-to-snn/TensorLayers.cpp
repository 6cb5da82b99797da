// Layers of the ANN that stay what they are, before the first populations.
#include "lib/conversion/ann-to-snn/Converter.h"

#include "dialects/location/Location.h"

#include "fmt/format.h"
#include "fmt/ranges.h"

using namespace mlir;

namespace spindle {

constexpr int64_t kTensorLevels = 255; // eight bits

/// The rectifier gets the levels that integers can say, or keeps those it was trained with.
llvm::Error Converter::keepRelu(snn::ReluOp op, const LayerPlan &layer, StringRef name) {
  Value input = values.lookup(op.getInput());
  if (snn::runsInTime(input.getType()))
    return inputError(placeOf(op.getLoc()),
                      fmt::format("layer '{}' of conversion.tensor is behind layers that spike, "
                                  "expected those before it in conversion.tensor, too",
                                  name.str()));
  if (nextLayer == plan.layers.size())
    return inputError(placeOf(op.getLoc()),
                      fmt::format("layer '{}' of conversion.tensor is the last one, expected one "
                                  "that spikes behind it",
                                  name.str()));
  float maximum = layer.scale.front();
  if (op.getMaximum()) {
    float own = op.getMaximum()->convertToFloat();
    maximum = op.getLevels() ? own : std::min(maximum, own);
  }
  auto kept = snn::ReluOp::create(builder, op.getLoc(), input, builder.getStringAttr(name));
  kept.setMaximum(APFloat(maximum));
  kept.setLevels(op.getLevels() ? *op.getLevels() : kTensorLevels);
  summary.layers.push_back({name.str(), "relu", {maximum}});
  define(op.getOutput(), kept.getOutput(), signals.lookup(input));
  return llvm::Error::success();
}

llvm::Error Converter::checkTensorLayers() const {
  for (const std::string &layer : options.tensor)
    if (!llvm::is_contained(rectified, layer))
      return inputError("conversion",
                        fmt::format("tensor names the layer '{}', which has no rectifier, expected "
                                    "some of {}",
                                    layer, fmt::join(rectified, ", ")));
  return llvm::Error::success();
}

} // namespace spindle
