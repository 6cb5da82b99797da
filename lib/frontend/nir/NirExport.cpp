#include "lib/frontend/nir/NirExport.h"

#include "core/support/FreeNames.h"
#include "dialects/location/Location.h"
#include "lib/frontend/nir/NirNodes.h"

#include "fmt/format.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"

using namespace mlir;

namespace spindle {

namespace {

class Exporter {
public:
  explicit Exporter(double dtMs) : stepMs(dtMs) {
    graph.version = "1.0";
    graph.root.type = "NIRGraph";
  }
  void addInput(Value sample, snn::EncodeOp encode);
  llvm::Error add(Operation &op);
  NirGraph take() {
    connectFeedback();
    return std::move(graph);
  }
  bool isComplete() const { return outputs == 1; }

private:
  using Names = std::vector<std::string>;

  std::string unused(const std::string &wanted, Operation &op);
  void place(Operation &op, NirNode node);
  llvm::Error passOn(Operation &op);
  void connectFeedback();

  double stepMs;
  NirGraph graph;
  llvm::DenseMap<Value, Names> makers;            // the nodes whose outputs add up to a value
  std::map<std::string, std::string> populations; // layer → node
  std::vector<std::pair<std::string, std::string>> delayed; // layer → reader
  llvm::DenseMap<Value, Names> feedback; // layers whose spikes of the step before a value holds
  FreeNames names{"."};
  std::map<std::string, int> kinds;
  int outputs = 0;
};

/// `wanted`; where a synapse and its population have one name, the kind tells them apart.
std::string Exporter::unused(const std::string &wanted, Operation &op) {
  std::string kind = op.getName().stripDialect().str();
  std::string name = wanted.empty() ? fmt::format("{}{}", kind, ++kinds[kind]) : wanted;
  std::replace(name.begin(), name.end(), '/', '.');
  return names.takeFree(names.isTaken(name) ? name + "." + kind : name);
}

void Exporter::place(Operation &op, NirNode node) {
  llvm::StringRef layer = snn::layerOf(&op);
  std::string standard = node.type == "Output" ? "output" : "";
  node.name = unused(layer.empty() ? standard : layer.str(), op);
  for (Value operand : op.getOperands()) {
    for (const std::string &maker : makers.lookup(operand))
      graph.root.edges.push_back({maker, node.name});
    for (const std::string &population : feedback.lookup(operand))
      delayed.push_back({population, node.name});
  }
  if (isa<snn::NeuronOp>(op))
    populations[layer.str()] = node.name;
  outputs += node.type == "Output";
  makers[op.getResult(0)] = {node.name};
  graph.root.nodes.push_back(std::move(node));
}

void Exporter::connectFeedback() {
  for (const auto &[layer, reader] : delayed)
    graph.root.edges.push_back({populations[layer], reader});
}

/// The sample itself, even where the host computes layers before it encodes: a linear layer of a
/// constant current is the constant current of the layer.
void Exporter::addInput(Value sample, snn::EncodeOp encode) {
  NirNode node = portNode("Input", sample);
  llvm::StringRef layer = snn::layerOf(encode);
  node.name = unused(layer.empty() ? "input" : layer.str(), *encode);
  makers[sample] = {node.name};
  graph.root.nodes.push_back(std::move(node));
}

/// No node: readers are joined to what the operation reads.
llvm::Error Exporter::passOn(Operation &op) {
  Value result = op.getResult(0);
  for (Value operand : op.getOperands()) {
    llvm::append_range(makers[result], Names(makers.lookup(operand)));
    llvm::append_range(feedback[result], Names(feedback.lookup(operand)));
  }
  auto back = dyn_cast<snn::FeedbackOp>(op);
  if (!back)
    return llvm::Error::success();
  if (back.getSteps() != 1)
    return inputError(placeOf(op.getLoc()),
                      fmt::format("feedback of {} steps has no counterpart in NIR, expected one",
                                  back.getSteps()));
  feedback[result].push_back(back.getPopulation().str());
  return llvm::Error::success();
}

llvm::Error Exporter::add(Operation &op) {
  if (isa<arith::ConstantOp, func::ReturnOp>(op))
    return llvm::Error::success();
  if (isa<snn::EncodeOp, snn::FeedbackOp>(op) || passesOn(&op))
    return passOn(op);
  SPINDLE_ASSIGN(NirNode node, nodeOf(&op, stepMs));
  place(op, std::move(node));
  return llvm::Error::success();
}

/// Spikes come from the sample itself: sources of a network file have no counterpart.
llvm::Error checkEncoder(snn::EncodeOp encode) {
  if (encode.getEncoding() == snn::Encoding::Direct || isa<BlockArgument>(encode.getInput()))
    return llvm::Error::success();
  return refuseExport(encode, fmt::format("makes {} spikes of a computed value, or of none, which "
                                          "NIR cannot say; expected the input itself",
                                          snn::stringifyEncoding(encode.getEncoding()).str()));
}

} // namespace

llvm::Expected<NirGraph> exportNir(ModuleOp module, const NirExportOptions &options) {
  std::string place = placeOf(module.getLoc());
  auto function = module.lookupSymbol<func::FuncOp>("main");
  if (!function || !llvm::hasSingleElement(function.getBody()))
    return inputError(place,
                      "has no function 'main' of one block to export; convert the network first");
  auto stepOfModule = module->getAttrOfType<FloatAttr>("snn.dt_ms");
  Exporter exporter(options.dtMs.value_or(stepOfModule ? stepOfModule.getValueAsDouble() : 0.1));
  auto encodes = function.getOps<snn::EncodeOp>();
  if (!encodes.empty() && function.getNumArguments() > 0)
    exporter.addInput(function.getArgument(0), *encodes.begin());
  for (snn::EncodeOp encode : encodes)
    SPINDLE_RETURN_IF_ERROR(checkEncoder(encode));
  for (Operation &op : function.getBody().front())
    SPINDLE_RETURN_IF_ERROR(exporter.add(op));
  place = placeOf(function.getLoc());
  if (encodes.empty() || !exporter.isComplete())
    return inputError(place,
                      "is no spiking network with one snn.encode and one snn.decode; convert "
                      "it first");
  NirGraph graph = exporter.take();
  SPINDLE_RETURN_IF_ERROR(verify(graph, place));
  return graph;
}

} // namespace spindle
