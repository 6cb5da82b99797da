#include "lib/emulation/neuron-level/Program.h"

#include "dialects/location/Location.h"

#include "fmt/format.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace spindle::neuron_level {

std::string placeOrNameOf(Operation *op) {
  std::string place = placeOf(op->getLoc());
  return place.empty() ? op->getName().getStringRef().str() : place;
}

func::FuncOp calleeOf(func::CallOp call) {
  return call->getParentOfType<ModuleOp>().lookupSymbol<func::FuncOp>(call.getCallee());
}

static std::string textOf(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

/// Whether a Value can hold it.
static bool isKnown(Type type) {
  return llvm::TypeSwitch<Type, bool>(type)
      .Case<snn::SpikeTrainType, snn::SpikeBundleType>([](Type) { return true; })
      .Case([](RankedTensorType tensor) {
        Type element = tensor.getElementType();
        return tensor.getRank() > 0 && (element.isF32() || element.isIndex());
      })
      .Default([](Type other) { return other.isF32() || other.isIntOrIndex(); });
}

static llvm::Error checkOp(Operation *op) {
  bool onTensors =
      llvm::all_of(op->getResultTypes(), [](Type type) { return isa<TensorType>(type); });
  bool linear = isa<snn::SynapseOp>(op) && onTensors && !isa<snn::AvgPool2dOp>(op);
  bool moves =
      isa<snn::TensorToSpikeTrainOp, snn::SpikeTrainToTensorOp, snn::TensorToSpikeTrainBundleOp,
          snn::SpikeBundleToTensorOp, snn::SpikeBundleSelectOp, snn::SpikeBundleCollectOp,
          snn::SpikeBundleInsertOp, snn::SpikeBundleRemoveOp, snn::SpikeBundleSliceOp,
          snn::SpikeBundlePermuteOp, snn::GetOrderOp, snn::GetRevOrderOp>(op);
  bool upstream = isa<arith::ConstantOp, tensor::CastOp, tensor::ExtractOp, func::CallOp>(op);
  if (!linear && !moves && !upstream && !isa<snn::SingleNeuronOp>(op))
    return inputError(placeOrNameOf(op),
                      fmt::format("{} cannot be evaluated, expected operations of the neuron level "
                                  "and linear operations on tensors (a network of layers: pass "
                                  "snn-expand-neurons)",
                                  op->getName().getStringRef().str()));
  if (linear) {
    auto synapse = cast<snn::SynapseOp>(op);
    for (unsigned source = 0; source < synapse.getSources().size(); ++source)
      if (failed(synapse.linearMap(source)))
        return inputError(placeOrNameOf(op), fmt::format("{} has weights that are not constant",
                                                         op->getName().getStringRef().str()));
  }
  for (Type type : op->getResultTypes())
    if (!isKnown(type))
      return inputError(placeOrNameOf(op),
                        fmt::format("a value of type {}, expected trains, bundles, numbers and "
                                    "tensors of f32 or index with a dimension",
                                    textOf(type)));
  return llvm::Error::success();
}

namespace {
/// Depth-first over calls.
struct Reader {
  Program &program;
  std::vector<func::FuncOp> open; // being visited: from the entry to here

  llvm::Error visit(func::FuncOp function) {
    std::string name = function.getName().str();
    if (llvm::is_contained(open, function))
      return inputError(placeOrNameOf(function),
                        fmt::format("@{} calls itself, expected calls without recursion", name));
    if (llvm::is_contained(program.functions, function))
      return llvm::Error::success();
    if (!function.getBody().hasOneBlock())
      return inputError(placeOrNameOf(function),
                        fmt::format("@{} branches or has no body, expected a single block", name));
    for (Type type : function.getArgumentTypes())
      if (!isKnown(type))
        return inputError(placeOrNameOf(function),
                          fmt::format("@{} takes a {}, expected trains, bundles, numbers and "
                                      "tensors of f32 or index with a dimension",
                                      name, textOf(type)));
    open.push_back(function);
    for (Operation &op : function.getBody().front().without_terminator()) {
      SPINDLE_RETURN_IF_ERROR(checkOp(&op));
      if (auto call = dyn_cast<func::CallOp>(op))
        SPINDLE_RETURN_IF_ERROR(visit(calleeOf(call)));
    }
    open.pop_back();
    program.functions.push_back(function);
    return llvm::Error::success();
  }
};
} // namespace

llvm::Expected<Program> readProgram(ModuleOp module, StringRef name) {
  Program program;
  program.entry = module.lookupSymbol<func::FuncOp>(name);
  if (!program.entry) {
    std::string there;
    for (auto function : module.getOps<func::FuncOp>())
      there += (there.empty() ? "@" : ", @") + function.getName().str();
    return inputError(placeOrNameOf(module),
                      fmt::format("no function @{}, expected one of {}", name.str(),
                                  there.empty() ? "none" : there));
  }
  SPINDLE_RETURN_IF_ERROR((Reader{program, {}}.visit(program.entry)));
  return program;
}

static llvm::Error checkShape(const Shape &found, ArrayRef<int64_t> expected,
                              const std::string &what, Type type) {
  bool fits = found.size() == expected.size();
  for (size_t d = 0; fits && d < found.size(); ++d)
    fits = ShapedType::isDynamic(expected[d]) || expected[d] == found[d];
  if (fits)
    return llvm::Error::success();
  return dataError(fmt::format("{} has shape {}, expected {}", what, text(found), textOf(type)));
}

llvm::Error checkValue(const Value &value, Type type, const std::string &what) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (auto *bundle = std::get_if<Bundle>(&value); bundle && isa<snn::SpikeBundleType>(type))
    return checkShape(bundle->shape, snn::shapeOf(type), what, type);
  if (auto *floats = std::get_if<Floats>(&value);
      floats && tensor && tensor.getElementType().isF32())
    return checkShape(floats->shape, tensor.getShape(), what, type);
  if (auto *indices = std::get_if<Indices>(&value);
      indices && tensor && tensor.getElementType().isIndex())
    return checkShape(indices->shape, tensor.getShape(), what, type);
  bool fits = (std::holds_alternative<float>(value) && type.isF32()) ||
              (std::holds_alternative<int64_t>(value) && type.isIntOrIndex()) ||
              (std::holds_alternative<Train>(value) && isa<snn::SpikeTrainType>(type));
  if (!fits)
    return dataError(fmt::format("{} is of another kind, expected {}", what, textOf(type)));
  return llvm::Error::success();
}

} // namespace spindle::neuron_level
