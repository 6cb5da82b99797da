#include "lib/frontend/nir/NirImport.h"

#include "lib/frontend/nir/NirBuilder.h"
#include "lib/frontend/nir/NirFlow.h"

#include "fmt/format.h"
#include "fmt/ranges.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;

namespace spindle {

namespace {

constexpr int64_t mostElements = 1 << 22; // of a signal

/// Whether extents are at least one, and not many elements together.
bool isShape(llvm::ArrayRef<int64_t> shape) {
  int64_t size = 1;
  for (int64_t extent : shape) {
    if (extent < 1 || extent > mostElements / size)
      return false;
    size *= extent;
  }
  return true;
}

class Importer {
public:
  Importer(MLIRContext &context, const NirFlow &order, const std::string &file,
           const ModelOptions &modelOptions)
      : flow(order), path(file), options(modelOptions), location(UnknownLoc::get(&context)),
        module(ModuleOp::create(location)), builder(&context) {}

  llvm::Expected<OwningOpRef<ModuleOp>> run();

private:
  std::string placeOf(const NirStation &station) const {
    return fmt::format("{}: node '{}'", path, station.path);
  }
  llvm::Expected<Value> readInput(const NirBuilder &context);
  std::vector<int64_t> shapeRead(const NirStation &station);
  llvm::Expected<Value> feedback(const NirStation &station, size_t population);
  llvm::Expected<Value> gather(const NirStation &station);
  llvm::Expected<Value> make(const NirStation &station);
  Value sum(const NirBuilder &context, Value current);
  llvm::Error finish(const NirBuilder &context, Value signal);

  const NirFlow &flow;
  const std::string &path;
  const ModelOptions &options;
  Location location;
  OwningOpRef<ModuleOp> module;
  OpBuilder builder;
  func::FuncOp function;
  std::vector<Value> values;                     // of the stations
  std::map<size_t, std::vector<int64_t>> shapes; // of populations, where feedback asks early
};

std::string supported() {
  std::vector<std::string> types{"Input", "Output", "NIRGraph"};
  for (const auto *rules : {&nirSynapseRules(), &nirNeuronRules()})
    for (const auto &[type, rule] : *rules)
      types.push_back(type);
  return fmt::format("{}", fmt::join(types, ", "));
}

llvm::Expected<Value> Importer::readInput(const NirBuilder &context) {
  SPINDLE_ASSIGN(const NirArray *array, context.numbers("shape"));
  SPINDLE_ASSIGN(std::vector<int64_t> shape, context.integers("shape", array->numbers.size()));
  if (!isShape(shape))
    return context.refuse(fmt::format("shape is ({}), expected extents of at least one, and at "
                                      "most {} elements",
                                      fmt::join(shape, ", "), mostElements));
  auto type = RankedTensorType::get(shape, builder.getF32Type());
  builder.setInsertionPointToEnd(module->getBody());
  function = func::FuncOp::create(builder, location, "main", builder.getFunctionType(type, {}));
  builder.setInsertionPointToEnd(function.addEntryBlock());
  bool isCurrent = options.nirInput == ModelOptions::NirInput::Current;
  MLIRContext *mlirContext = builder.getContext();
  Type signal = isCurrent ? Type(snn::CurrentType::get(mlirContext, shape))
                          : Type(snn::SpikeBundleType::get(mlirContext, shape));
  auto encoding = isCurrent ? snn::Encoding::Direct : snn::Encoding::Events;
  return context.make("snn.encode", function.getArgument(0), signal,
                      context.attribute("encoding", snn::EncodingAttr::get(mlirContext, encoding)));
}

/// The shape that a node must read, as far as it is known beside what it reads a step later.
std::vector<int64_t> Importer::shapeRead(const NirStation &station) {
  if (!station.sources.empty())
    return snn::shapeOf(values[station.sources[0]]).vec();
  auto weight = station.node.parameters.find("weight");
  bool isMatrix = station.node.type == "Linear" || station.node.type == "Affine";
  if (isMatrix && weight != station.node.parameters.end() && weight->second.extents.size() == 2)
    return {static_cast<int64_t>(weight->second.extents[1])};
  bool isByElement =
      isSpiking(station.node.type) || station.node.type == "Scale" || station.node.type == "Delay";
  if (isByElement)
    for (const auto &[name, array] : station.node.parameters)
      if (array.numbers.size() > 1)
        return {array.extents.begin(), array.extents.end()};
  return {};
}

/// The spikes of a population further down, a step ago. Its shape is that of its parameters; where
/// one value is for all of its neurons, it is the shape that the reader must read.
llvm::Expected<Value> Importer::feedback(const NirStation &station, size_t population) {
  const NirStation &source = flow.nodes[population];
  const NirNode &node = source.node;
  std::string name = node.type == "Threshold" ? "threshold" : "v_threshold";
  auto found = node.parameters.find(name);
  std::vector<int64_t> shape;
  if (values[population])
    shape = snn::shapeOf(values[population]).vec();
  else if (found != node.parameters.end() && found->second.numbers.size() != 1)
    for (uint64_t extent : found->second.extents)
      shape.push_back(static_cast<int64_t>(extent));
  else
    shape = shapeRead(station);
  if (shape.empty() && found != node.parameters.end())
    for (uint64_t extent : found->second.extents)
      shape.push_back(static_cast<int64_t>(extent));
  if (shape.empty())
    return inputError(placeOf(source),
                      fmt::format("is read by '{}' a step later, so its shape must be that of its "
                                  "{}, which is a scalar",
                                  station.path, name));
  if (!isShape(shape))
    return inputError(placeOf(source), fmt::format("{} has the shape ({}), expected extents of at "
                                                   "least one, and at most {} elements",
                                                   name, fmt::join(shape, ", "), mostElements));
  shapes[population] = shape;
  OperationState state(location, "snn.feedback");
  state.addTypes(snn::SpikeBundleType::get(builder.getContext(), shape));
  state.addAttribute("population", builder.getStringAttr(node.name));
  return builder.create(state)->getResult(0);
}

/// What a node reads: its sources, added up.
llvm::Expected<Value> Importer::gather(const NirStation &station) {
  std::vector<Value> signals;
  for (size_t source : station.sources)
    signals.push_back(values[source]);
  for (size_t population : station.feedback) {
    SPINDLE_ASSIGN(Value signal, feedback(station, population));
    signals.push_back(signal);
  }
  if (signals.empty())
    return inputError(placeOf(station), "no edge leads to it");
  Value sum = signals[0];
  for (size_t i = 1; i < signals.size(); ++i) {
    llvm::ArrayRef<int64_t> left = snn::shapeOf(sum), right = snn::shapeOf(signals[i]);
    if (left != right)
      return inputError(placeOf(station),
                        fmt::format("adds up signals of the shapes ({}) and ({})",
                                    fmt::join(left, ", "), fmt::join(right, ", ")));
    OperationState state(location, "snn.add", {sum, signals[i]},
                         snn::synapseResult(sum.getType(), left));
    sum = builder.create(state)->getResult(0);
  }
  return sum;
}

llvm::Expected<Value> Importer::make(const NirStation &station) {
  SPINDLE_ASSIGN(Value input, gather(station));
  const std::string &type = station.node.type;
  if (type == "Output" || type == "Input") // the inner ends of a dissolved graph pass on
    return input;
  NirBuilder context(station.node, placeOf(station), options, builder, location);
  for (const auto *rules : {&nirSynapseRules(), &nirNeuronRules()})
    if (auto rule = rules->find(type); rule != rules->end()) {
      SPINDLE_ASSIGN(Value result, rule->second(context, input));
      if (!isShape(snn::shapeOf(result)))
        return context.refuse(fmt::format("makes more than {} values", mostElements));
      return result;
    }
  return context.refuse(
      fmt::format("type '{}' is not supported, there are: {}", type, supported()));
}

Value Importer::sum(const NirBuilder &context, Value current) {
  Value membranes = context.make("snn.integrator", current, current.getType());
  membranes.getDefiningOp()->setAttr("layer", builder.getStringAttr(context.node.name + ".sum"));
  return membranes;
}

/// Spikes are counted; membranes are read; a current that no population integrates is summed up.
llvm::Error Importer::finish(const NirBuilder &context, Value signal) {
  auto decoding = snn::Decoding::Count;
  if (isa<snn::CurrentType>(signal.getType())) {
    decoding = snn::Decoding::Membrane;
    if (!isa_and_nonnull<snn::NeuronOp>(signal.getDefiningOp()))
      signal = sum(context, signal);
  }
  llvm::ArrayRef<int64_t> shape = snn::shapeOf(signal);
  auto type = RankedTensorType::get(shape, builder.getF32Type());
  OperationState decode(location, "snn.decode", signal, type);
  decode.addAttribute("layer", builder.getStringAttr(context.node.name));
  decode.addAttribute("decoding", snn::DecodingAttr::get(builder.getContext(), decoding));
  Value result = builder.create(decode)->getResult(0);
  if (shape.size() != 1) {
    auto vector = RankedTensorType::get(snn::sizeOf(signal), builder.getF32Type());
    OperationState reshape(location, "snn.reshape", result, vector);
    result = builder.create(reshape)->getResult(0);
  }
  func::ReturnOp::create(builder, location, result);
  function.setType(builder.getFunctionType(function.getArgumentTypes(), result.getType()));
  return llvm::Error::success();
}

llvm::Expected<OwningOpRef<ModuleOp>> Importer::run() {
  values.resize(flow.nodes.size());
  // The input makes the function; whatever stands before it in the order waits for nothing else.
  auto contextOf = [&](size_t index) {
    const NirStation &station = flow.nodes[index];
    return NirBuilder(station.node, placeOf(station), options, builder, location);
  };
  SPINDLE_ASSIGN(values[flow.input], readInput(contextOf(flow.input)));
  for (size_t i = 0; i < flow.nodes.size(); ++i) {
    if (i == flow.input)
      continue;
    SPINDLE_ASSIGN(values[i], make(flow.nodes[i]));
    auto expected = shapes.find(i);
    if (expected != shapes.end() && snn::shapeOf(values[i]) != llvm::ArrayRef(expected->second))
      return contextOf(i).refuse(
          fmt::format("has the shape ({}), but ({}) is expected where its spikes are "
                      "read a step later",
                      fmt::join(snn::shapeOf(values[i]), ", "), fmt::join(expected->second, ", ")));
  }
  SPINDLE_RETURN_IF_ERROR(finish(contextOf(flow.output), values[flow.output]));

  std::string message;
  ScopedDiagnosticHandler handler(builder.getContext(), [&](Diagnostic &diagnostic) {
    if (message.empty())
      message = diagnostic.str();
    return success();
  });
  if (failed(mlir::verify(*module)))
    return checkError(path, "the imported network is not valid: " + message);
  return std::move(module);
}

} // namespace

llvm::Expected<OwningOpRef<ModuleOp>> importNirGraph(MLIRContext &context, const NirGraph &graph,
                                                     const std::string &path,
                                                     const ModelOptions &options) {
  SPINDLE_RETURN_IF_ERROR(verify(graph, path));
  context.loadDialect<snn::SnnDialect, func::FuncDialect, arith::ArithDialect>();
  NirNode flat = flatten(graph);
  SPINDLE_ASSIGN(NirFlow flow, orderNodes(flat, path));
  return Importer(context, flow, path, options).run();
}

llvm::Expected<OwningOpRef<ModuleOp>> importNir(MLIRContext &context, const ModelOptions &options) {
  SPINDLE_ASSIGN(NirGraph graph, readNirGraph(options.path));
  return importNirGraph(context, graph, options.path, options);
}

} // namespace spindle
