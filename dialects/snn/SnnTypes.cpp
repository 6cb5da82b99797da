// Text and checks of the types, and the questions asked of every signal.
#include "dialects/snn/Snn.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

#include <functional>
#include <numeric>

using namespace mlir;

namespace spindle::snn {

//===-- text --------------------------------------------------------------===//

/// `<6x28x28xELEMENT>`
static LogicalResult parseShaped(AsmParser &parser, SmallVectorImpl<int64_t> &shape,
                                 Type &element) {
  return failure(parser.parseLess() || parser.parseDimensionList(shape, /*allowDynamic=*/true) ||
                 parser.parseType(element) || parser.parseGreater());
}

static void printShaped(AsmPrinter &printer, ArrayRef<int64_t> shape, Type element) {
  printer << '<';
  for (int64_t extent : shape) {
    if (ShapedType::isDynamic(extent))
      printer << '?';
    else
      printer << extent;
    printer << 'x';
  }
  printer << element << '>';
}

Type SpikeTrainType::parse(AsmParser &parser) {
  SmallVector<int64_t> shape;
  Type element;
  SMLoc location = parser.getCurrentLocation();
  if (failed(parseShaped(parser, shape, element)))
    return {};
  if (shape.size() != 1)
    return parser.emitError(location, "a spike train has one dimension"), Type();
  return parser.getChecked<SpikeTrainType>(location, parser.getContext(), shape[0], element);
}

void SpikeTrainType::print(AsmPrinter &printer) const {
  printShaped(printer, {getLength()}, getElementType());
}

Type SpikeBundleType::parse(AsmParser &parser) {
  SmallVector<int64_t> shape;
  Type element;
  SMLoc location = parser.getCurrentLocation();
  if (failed(parseShaped(parser, shape, element)))
    return {};
  auto train = dyn_cast<SpikeTrainType>(element);
  if (!train)
    return parser.emitError(location, "a spike bundle holds spike trains, found ") << element,
           Type();
  return parser.getChecked<SpikeBundleType>(location, parser.getContext(), ArrayRef<int64_t>(shape),
                                            train);
}

void SpikeBundleType::print(AsmPrinter &printer) const {
  printShaped(printer, getShape(), getTrain());
}

Type CurrentType::parse(AsmParser &parser) {
  SmallVector<int64_t> shape;
  Type element;
  SMLoc location = parser.getCurrentLocation();
  if (failed(parseShaped(parser, shape, element)))
    return {};
  return parser.getChecked<CurrentType>(location, parser.getContext(), ArrayRef<int64_t>(shape),
                                        element);
}

void CurrentType::print(AsmPrinter &printer) const {
  printShaped(printer, getShape(), getElementType());
}

//===-- checks ------------------------------------------------------------===//

using EmitError = llvm::function_ref<InFlightDiagnostic()>;

static LogicalResult verifyElement(EmitError emitError, Type element) {
  if (!element.isF32())
    return emitError() << "element type is " << element << ", expected f32";
  return success();
}

LogicalResult SpikeTrainType::verify(EmitError emitError, int64_t, Type element) {
  return verifyElement(emitError, element);
}

LogicalResult SpikeBundleType::verify(EmitError emitError, ArrayRef<int64_t> shape,
                                      SpikeTrainType) {
  if (shape.empty())
    return emitError() << "a spike bundle has at least one dimension";
  return success();
}

LogicalResult CurrentType::verify(EmitError emitError, ArrayRef<int64_t> shape, Type element) {
  if (shape.empty() || llvm::any_of(shape, ShapedType::isDynamic))
    return emitError() << "a current has a static shape of at least one dimension";
  return verifyElement(emitError, element);
}

//===-- signals -----------------------------------------------------------===//

ArrayRef<int64_t> shapeOf(Type signal) {
  return llvm::TypeSwitch<Type, ArrayRef<int64_t>>(signal)
      .Case<RankedTensorType, SpikeBundleType, CurrentType>(
          [](auto type) { return type.getShape(); })
      .Default([](Type) { return ArrayRef<int64_t>(); });
}

int64_t sizeOf(Type signal) {
  ArrayRef<int64_t> shape = shapeOf(signal);
  return std::accumulate(shape.begin(), shape.end(), int64_t(1), std::multiplies<>());
}

bool runsInTime(Type signal) { return isa<SpikeBundleType, CurrentType>(signal); }

Type synapseResult(Type input, ArrayRef<int64_t> shape) {
  if (runsInTime(input))
    return CurrentType::get(input.getContext(), shape);
  return RankedTensorType::get(shape, Float32Type::get(input.getContext()));
}

Type withShape(Type signal, ArrayRef<int64_t> shape) {
  if (isa<SpikeBundleType>(signal))
    return SpikeBundleType::get(signal.getContext(), shape);
  return synapseResult(signal, shape);
}

FailureOr<std::vector<float>> constantFloats(Value value) {
  DenseElementsAttr dense;
  if (matchPattern(value, m_Constant(&dense))) {
    auto floats = dense.getValues<float>();
    return std::vector<float>(floats.begin(), floats.end());
  }
  DenseResourceElementsAttr resource;
  if (matchPattern(value, m_Constant(&resource))) {
    auto typed = dyn_cast<DenseF32ResourceElementsAttr>(resource);
    std::optional<ArrayRef<float>> floats = typed ? typed.tryGetAsArrayRef() : std::nullopt;
    if (floats && int64_t(floats->size()) == typed.getType().getNumElements())
      return floats->vec();
  }
  return failure();
}

Value makeConstant(OpBuilder &builder, Location location, ArrayRef<int64_t> shape,
                   ArrayRef<float> values) {
  auto type = RankedTensorType::get(shape, builder.getF32Type());
  return arith::ConstantOp::create(builder, location, DenseElementsAttr::get(type, values));
}

StringRef layerOf(Operation *op) {
  auto name = op->getAttrOfType<StringAttr>("layer");
  return name ? name.getValue() : StringRef();
}

} // namespace spindle::snn
