#include "lib/conversion/snn-to-loops/events/EventNetwork.h"

#include "lib/conversion/snn-to-loops/events/Processes.h"

#include "fmt/format.h"
#include "llvm/ADT/DenseMap.h"

#include <set>

using namespace mlir;

namespace spindle::snn_to_loops {

namespace {

class EventWalk {
public:
  EventWalk(MLIRContext &context, const CircuitOptions &options) : program(context, options) {}

  llvm::Expected<LoopProgram> run(func::FuncOp function) {
    for (snn::NamedPopulation &each : snn::namedPopulations(function.getBody().front())) {
      names.insert(each.name);
      populations[each.op] = std::move(each.name);
    }
    for (Operation &op : function.getBody().front().without_terminator())
      SPINDLE_RETURN_IF_ERROR(visit(&op));
    SPINDLE_RETURN_IF_ERROR(checkLayerNames(program.options, optional, names));
    return program.take();
  }

private:
  llvm::Error visit(Operation *op) {
    if (!isa_and_nonnull<snn::SnnDialect>(op->getDialect()))
      return llvm::Error::success();
    if (auto reshape = dyn_cast<snn::ReshapeOp>(op)) {
      spikes[reshape.getOutput()] = spikes.lookup(reshape.getInput());
      return llvm::Error::success();
    }
    if (isa<snn::DenseOp>(op)) // with its population
      return llvm::Error::success();
    if (auto encode = dyn_cast<snn::EncodeOp>(op))
      return takeInput(encode);
    if (auto population = dyn_cast<snn::FixedLifOp>(op))
      return emitLayer(population);
    if (auto decode = dyn_cast<snn::DecodeOp>(op)) {
      SPINDLE_ASSIGN(SpikeStreams source, sourceOf(op, decode.getInput()));
      return emitEventAnswer(program, decode, source);
    }
    return layerError(op, fmt::format("is {}, which has no form in events, expected dense layers "
                                      "(style clock has more)",
                                      op->getName().getStringRef().str()));
  }

  llvm::Error takeInput(snn::EncodeOp op) {
    if (op.getEncoding() == snn::Encoding::Direct)
      return layerError(op, "is encoded directly, which the host computes, expected an encoding "
                            "in spikes (emulation.encoding: regular, poisson or latency)");
    const std::string &name = populations[op];
    SpikeWords layout = SpikeWords::ofInputs(snn::sizeOf(op.getOutput()));
    spikes[op.getOutput()] = emitInput(program, op.getLoc(), name, layout);
    return llvm::Error::success();
  }

  /// Tokens go to one reader.
  llvm::Expected<SpikeStreams> sourceOf(Operation *op, Value signal) {
    auto known = spikes.find(signal);
    if (known == spikes.end() || known->second.words.empty())
      return layerError(op, "reads a signal that has no form in events");
    SpikeStreams found = known->second;
    if (!taken.insert(found.words.front().getAsOpaquePointer()).second)
      return layerError(op, "reads spikes that another layer reads, too: style event expects a "
                            "chain of layers");
    return found;
  }

  llvm::Error emitLayer(snn::FixedLifOp population) {
    Value current = population.getInput();
    while (auto reshape = current.getDefiningOp<snn::ReshapeOp>())
      current = reshape.getInput();
    auto dense = current.getDefiningOp<snn::DenseOp>();
    if (!dense || !dense->hasOneUse())
      return layerError(population, "takes up currents that are not those of one snn.dense, which "
                                    "have no form in events (style clock has more)");
    SPINDLE_ASSIGN(SpikeStreams source, sourceOf(dense, dense.getInput()));
    SPINDLE_ASSIGN(int64_t most, mostOfSums(cast<snn::SynapseOp>(dense.getOperation()), {1}));
    HardwareLayer layer;
    layer.name = populations[population];
    layer.style = LayerStyle::Event;
    layer.neurons = snn::sizeOf(population.getOutput());
    LayerOptions options = program.options.of(layer.name, layer.neurons);
    if (options.style != LayerStyle::Event)
      return layerError(population, "has style clock beside layers of style event, expected one "
                                    "style for all layers");
    if (options.inputs != 1)
      return layerError(population,
                        fmt::format("takes {} inputs at a time, expected 1: events come "
                                    "one after the other (style event)",
                                    options.inputs));
    layer.lanes = options.lanes;
    optional.push_back(layer.name);
    Value events = emitEvents(program, dense.getLoc(), layer.name, source);
    SPINDLE_ASSIGN(spikes[population.getOutput()],
                   emitEventLayer(program, dense, population, source.layout, events, most, layer));
    program.layers.push_back(std::move(layer));
    return llvm::Error::success();
  }

  ProgramBuilder program;
  llvm::DenseMap<Value, SpikeStreams> spikes;
  std::set<const void *> taken;
  llvm::DenseMap<Operation *, std::string> populations; // names
  std::set<std::string> names;
  std::vector<std::string> optional; // layers, all of which take options
};

} // namespace

llvm::Expected<LoopProgram> eventNetwork(func::FuncOp function, const CircuitOptions &options) {
  return EventWalk(*function.getContext(), options).run(function);
}

} // namespace spindle::snn_to_loops
