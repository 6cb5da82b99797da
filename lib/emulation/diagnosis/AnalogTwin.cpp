#include "lib/emulation/diagnosis/AnalogTwin.h"

#include "lib/emulation/network/Network.h"

#include "fmt/format.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;

namespace spindle {

/// Operations that read the spikes of `value`, also through rearrangements and poolings.
static void collectReaders(Value value, SmallVectorImpl<Operation *> &readers) {
  for (Operation *user : value.getUsers()) {
    readers.push_back(user);
    if (user->getNumResults() == 1 && isa<snn::SpikeBundleType>(user->getResult(0).getType()))
      collectReaders(user->getResult(0), readers);
  }
}

std::string twinObstacle(Operation *population) {
  if (!isa<snn::IfOp, snn::LifOp>(population))
    return fmt::format("{} has no analog twin, expected snn.if or snn.lif",
                       population->getName().getStringRef().str());
  for (Operation &op : *population->getBlock())
    if (auto feedback = dyn_cast<snn::FeedbackOp>(op);
        feedback && populationOf(feedback) == population)
      return "its spikes come back by snn.feedback, which carries no currents";
  SmallVector<Operation *> readers;
  collectReaders(population->getResult(0), readers);
  for (Operation *reader : readers)
    if (auto decode = dyn_cast<snn::DecodeOp>(reader);
        decode && decode.getDecoding() == snn::Decoding::FirstSpike)
      return "the answer is read from its first spikes, which a current has not";
  return "";
}

/// The current of one step in units of one spike: r · rate / threshold, from the reset on.
static std::vector<float> gainOf(const snn::NeuronModel &model) {
  size_t count = std::max({model.resistance.size(), model.rate.size(), model.threshold.size(),
                           model.resetBySubtraction ? size_t(1) : model.reset.size()});
  std::vector<float> gain(count);
  for (size_t n = 0; n < count; ++n) {
    float entering = snn::valueAt(model.resistance, n);
    if (model.kind == snn::NeuronKind::LeakyIntegrateAndFire)
      entering *= snn::valueAt(model.rate, n);
    float from = model.resetBySubtraction ? 0 : snn::valueAt(model.reset, n);
    gain[n] = entering / (snn::valueAt(model.threshold, n) - from);
  }
  return gain;
}

/// Spikes that have become currents make currents of what only rearranges or pools them.
static void retypeReaders(Value current, OpBuilder &builder) {
  for (Operation *user : llvm::make_early_inc_range(current.getUsers())) {
    Value result = user->getResult(0);
    if (auto decode = dyn_cast<snn::DecodeOp>(user)) {
      builder.setInsertionPoint(user);
      Value sum = snn::IntegratorOp::create(builder, user->getLoc(), current.getType(), current,
                                            builder.getDenseF32ArrayAttr({0}), StringAttr(),
                                            builder.getDenseF32ArrayAttr({1}), UnitAttr());
      user->setOperand(0, sum);
      decode.setDecoding(snn::Decoding::Membrane);
      decode.removeMaximumAttr(); // sums of shares of a spike
    } else if (isa<snn::SpikeBundleType>(result.getType())) {
      result.setType(snn::CurrentType::get(builder.getContext(), snn::shapeOf(result)));
      retypeReaders(result, builder);
    }
  }
}

static void makeTwin(snn::NeuronOp population, const std::vector<float> &maximum) {
  OpBuilder builder(population);
  Value spikes = population.getTarget();
  auto type = snn::CurrentType::get(builder.getContext(), snn::shapeOf(spikes));
  Value twin = snn::RectifierOp::create(
      builder, population->getLoc(), type, population.getSources()[0],
      builder.getDenseF32ArrayAttr(gainOf(population.neuronModel())),
      maximum.empty() ? DenseF32ArrayAttr() : builder.getDenseF32ArrayAttr(maximum),
      builder.getStringAttr(snn::layerOf(population)));
  spikes.replaceAllUsesWith(twin);
  population->erase();
  retypeReaders(twin, builder);
}

llvm::Expected<OwningOpRef<ModuleOp>> withAnalogTwins(ModuleOp snn,
                                                      llvm::ArrayRef<AnalogTwin> twins) {
  OwningOpRef<ModuleOp> network(snn.clone());
  for (const auto &[layer, maximum] : twins) {
    snn::NeuronOp population;
    network->walk([&, &name = layer](snn::NeuronOp op) {
      if (!population && snn::layerOf(op) == name)
        population = op;
    });
    if (!population)
      return inputError(placeOrNameOf(snn), fmt::format("no population is named '{}'", layer));
    if (std::string obstacle = twinObstacle(population); !obstacle.empty())
      return inputError(placeOrNameOf(population), obstacle);
    makeTwin(population, maximum);
  }
  if (failed(mlir::verify(*network)))
    return checkError(placeOrNameOf(snn), "the network with analog twins does not verify");
  return network;
}

} // namespace spindle
