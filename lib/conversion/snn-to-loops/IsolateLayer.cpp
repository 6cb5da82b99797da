#include "lib/conversion/snn-to-loops/IsolateLayer.h"

#include "dialects/snn/Names.h"
#include "dialects/snn/Snn.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"

#include "fmt/format.h"
#include "fmt/ranges.h"

#include <algorithm>

using namespace mlir;

namespace spindle {

namespace {

struct Drive {
  Operation *source = nullptr;         // the population that drives the layer
  std::vector<Operation *> operations; // behind it, in order, the population of the layer last
};

bool hasSpikes(Operation *op) { return isa<snn::SpikeBundleType>(op->getResult(0).getType()); }

llvm::Error refuse(const std::string &layer, const std::string &found) {
  return inputError(fmt::format("layer '{}'", layer),
                    fmt::format("{}, expected the spikes of one population through weights alone: "
                                "a circuit in a tile gets its packets from there",
                                found));
}

/// From the population back to the spikes that drive it.
llvm::Expected<Drive> driveOf(Operation *population, const std::string &layer) {
  Drive drive;
  drive.operations.push_back(population);
  for (Operation *op = population;;) {
    SmallVector<Value> signals;
    for (Value operand : op->getOperands())
      if (isa<snn::SpikeBundleType, snn::CurrentType>(operand.getType()))
        signals.push_back(operand);
      else if (Operation *constant = operand.getDefiningOp())
        drive.operations.push_back(constant);
    if (signals.size() != 1)
      return refuse(layer, fmt::format("takes up {} signals in {}", signals.size(),
                                       op->getName().getStringRef().str()));
    op = signals.front().getDefiningOp();
    if (!op)
      return refuse(layer, "takes up an argument of the network");
    if (snn::isPopulation(op)) {
      if (!hasSpikes(op))
        return refuse(layer, "takes up signals that are no spikes");
      drive.source = op;
      break;
    }
    if (!isa<snn::DenseOp, snn::Conv2dOp, snn::ReshapeOp, snn::SumPool2dOp>(op))
      return refuse(layer, fmt::format("is driven through {}", op->getName().getStringRef().str()));
    drive.operations.push_back(op);
  }
  std::sort(drive.operations.begin(), drive.operations.end(),
            [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  drive.operations.erase(std::unique(drive.operations.begin(), drive.operations.end()),
                         drive.operations.end());
  return drive;
}

} // namespace

llvm::Expected<OwningOpRef<ModuleOp>> isolateLayer(ModuleOp network, const std::string &layer) {
  auto main = network.lookupSymbol<func::FuncOp>("main");
  if (!main || main.isExternal() || !main.getBody().hasOneBlock())
    return inputError("", "found no function @main of one block, expected a spiking network");
  std::vector<snn::NamedPopulation> populations = snn::namedPopulations(main.getBody().front());
  std::vector<std::string> layers;
  Operation *population = nullptr;
  for (const snn::NamedPopulation &each : populations) {
    if (!isa<snn::NeuronOp>(each.op) || !hasSpikes(each.op))
      continue;
    layers.push_back(each.name);
    population = each.name == layer ? each.op : population;
  }
  if (!population)
    return inputError("", fmt::format("found no population '{}' that spikes behind others, "
                                      "expected one of {}",
                                      layer, fmt::join(layers, ", ")));
  SPINDLE_ASSIGN(Drive drive, driveOf(population, layer));
  std::string source;
  for (const snn::NamedPopulation &each : populations)
    source = each.op == drive.source ? each.name : source;

  OwningOpRef<ModuleOp> made = ModuleOp::create(network.getLoc());
  OpBuilder builder = OpBuilder::atBlockEnd(made->getBody());
  auto tensorOf = [&](Value spikes) {
    return RankedTensorType::get(snn::shapeOf(spikes), builder.getF32Type());
  };
  Value from = drive.source->getResult(0), to = population->getResult(0);
  auto function = func::FuncOp::create(builder, main.getLoc(), "main",
                                       builder.getFunctionType({tensorOf(from)}, {tensorOf(to)}));
  builder.setInsertionPointToStart(function.addEntryBlock());
  IRMapping mapping;
  mapping.map(from, snn::EncodeOp::create(builder, drive.source->getLoc(), from.getType(),
                                          function.getArgument(0), snn::Encoding::Regular, 1.0f,
                                          builder.getStringAttr(source))
                        .getOutput());
  Operation *last = nullptr;
  for (Operation *op : drive.operations)
    last = builder.clone(*op, mapping);
  last->setAttr("layer", builder.getStringAttr(layer));
  Value answer = snn::DecodeOp::create(builder, population->getLoc(), tensorOf(to),
                                       last->getResult(0), snn::Decoding::Count, IntegerAttr())
                     .getOutput();
  func::ReturnOp::create(builder, main.getLoc(), answer);
  return made;
}

} // namespace spindle
