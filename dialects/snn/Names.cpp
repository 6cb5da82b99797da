#include "dialects/snn/Names.h"

#include "core/support/FreeNames.h"
#include "dialects/snn/Snn.h"

#include "fmt/format.h"

using namespace mlir;

namespace spindle::snn {

void keepSynapseKind(mlir::Operation *made, std::initializer_list<mlir::Operation *> of) {
  for (mlir::Operation *op : of)
    if (mlir::Attribute kind = op->getAttr(kSynapseKind); kind && !made->hasAttr(kSynapseKind))
      made->setAttr(kSynapseKind, kind);
}

std::string nameOf(Operation *op) {
  if (StringRef layer = layerOf(op); !layer.empty())
    return layer.str();
  size_t position = 1;
  for (Operation *other = op->getPrevNode(); other; other = other->getPrevNode())
    position += other->getName() == op->getName();
  return fmt::format("{}{}", op->getName().stripDialect().str(), position);
}

bool isSpikeEncoder(Operation *op) {
  return isa<EncodeOp>(op) && isa<SpikeBundleType>(op->getResult(0).getType());
}

bool isPopulation(Operation *op) {
  bool poolsSpikes = isa<MaxPool2dOp>(op) && isa<SpikeBundleType>(op->getResult(0).getType());
  return poolsSpikes || isSpikeEncoder(op) || isa<NeuronOp>(op);
}

std::vector<NamedPopulation> namedPopulations(Block &network) {
  std::vector<NamedPopulation> populations;
  FreeNames taken("_");
  for (Operation &op : network) {
    if (!isPopulation(&op))
      continue;
    std::string base = isSpikeEncoder(&op) && layerOf(&op).empty() ? "input" : nameOf(&op);
    populations.push_back({&op, taken.takeFree(base)});
  }
  return populations;
}

} // namespace spindle::snn
