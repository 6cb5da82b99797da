#include "lib/frontend/Import.h"

#include "core/support/FreeNames.h"
#include "core/support/TextPlace.h"
#include "dialects/snn/synapses/DelayedSparseOp.h"

#include "fmt/format.h"
#include "llvm/ADT/TypeSwitch.h"

#include <algorithm>
#include <map>

using namespace mlir;

namespace spindle {

static std::string kindOf(Operation *op) {
  return llvm::TypeSwitch<Operation *, std::string>(op)
      .Case([](snn::Conv2dOp) { return "conv"; })
      .Case([](snn::DenseOp) { return "dense"; })
      .Case([](snn::ScaleOp) { return "scale"; })
      .Case<snn::SparseOp, snn::DelayedSparseOp, snn::RandomOp>([](auto) { return "sparse"; })
      .Case([](snn::AddOp) { return "add"; })
      .Case<snn::AvgPool2dOp, snn::SumPool2dOp, snn::MaxPool2dOp>([](auto) { return "pool"; })
      .Default([](Operation *) { return ""; });
}

/// The layer of the nearest operation with weights or sum before a rectifier, or of the nearest
/// pooling where another rectifier took that name.
static std::string followed(snn::ReluOp relu, const FreeNames &taken) {
  std::string nearest;
  for (Operation *op = relu.getInput().getDefiningOp();
       op && !isa<snn::ReluOp, snn::MaxPool2dOp>(op); op = op->getOperand(0).getDefiningOp()) {
    std::string layer = snn::layerOf(op).str();
    if (layer.empty())
      continue;
    if (nearest.empty())
      nearest = layer;
    if (isa<snn::DenseOp, snn::Conv2dOp, snn::AddOp>(op) && !taken.isTaken(layer))
      return layer;
    if (isa<snn::AddOp>(op))
      break;
  }
  return nearest;
}

void nameLayers(ModuleOp module) {
  auto set = [](Operation *op, const std::string &name) {
    op->setAttr("layer", StringAttr::get(op->getContext(), name));
  };
  FreeNames used(".");
  module.walk([&](Operation *op) {
    StringRef given = snn::layerOf(op).ltrim('/');
    std::string name = excerpt(given, given.size()); // of a file, which may hold no text
    std::replace(name.begin(), name.end(), '/', '.');
    if (!kindOf(op).empty() && !name.empty())
      set(op, used.takeFree(name));
  });

  std::map<std::string, int> counts; // poolings and sums by themselves, weights together
  module.walk([&](Operation *op) {
    std::string kind = kindOf(op);
    if (kind.empty())
      return;
    bool weighted = kind != "pool" && kind != "add";
    int position = ++counts[weighted ? "weighted" : kind];
    if (snn::layerOf(op).empty())
      set(op, used.takeFree(fmt::format("{}{}", kind, position)));
  });

  // A maximum of spikes is a population too, under its own name.
  FreeNames populations(".");
  module.walk([&](snn::MaxPool2dOp pool) { populations.take(snn::layerOf(pool).str()); });
  module.walk([&](snn::ReluOp relu) {
    std::string name = followed(relu, populations);
    set(relu, populations.takeFree(name.empty() ? "relu" : name));
  });
}

} // namespace spindle
