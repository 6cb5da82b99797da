// Text of the neuron level's operations.
#include "dialects/snn/Snn.h"
#include "dialects/snn/Words.h"

#include "mlir/IR/DialectImplementation.h"

using namespace mlir;

namespace spindle::snn {

using Operand = OpAsmParser::UnresolvedOperand;

//===-- `%a : type, %b : type` --------------------------------------------===//

static ParseResult parseTypedOperand(OpAsmParser &parser, Operand &operand, Type &type) {
  return failure(parser.parseOperand(operand) || parser.parseColonType(type));
}

static ParseResult parseTypedOperands(OpAsmParser &parser, SmallVectorImpl<Operand> &operands,
                                      SmallVectorImpl<Type> &types) {
  Operand operand;
  OptionalParseResult first = parser.parseOptionalOperand(operand);
  if (!first.has_value())
    return success();
  if (failed(*first) || parser.parseColonType(types.emplace_back()))
    return failure();
  operands.push_back(operand);
  while (succeeded(parser.parseOptionalComma()))
    if (parseTypedOperand(parser, operands.emplace_back(), types.emplace_back()))
      return failure();
  return success();
}

static void printTypedOperands(OpAsmPrinter &printer, Operation *, OperandRange operands,
                               TypeRange) {
  llvm::interleaveComma(operands, printer,
                        [&](Value value) { printer << value << " : " << value.getType(); });
}

//===-- the operands of a neuron: input, weights, bias --------------------===//

/// Weights are a tensor, the bias is a number: the type tells an absent operand.
static ParseResult parseNeuronOperands(OpAsmParser &parser, Operand &spikes, Type &spikesType,
                                       std::optional<Operand> &weights, Type &weightsType,
                                       std::optional<Operand> &bias, Type &biasType) {
  if (parseTypedOperand(parser, spikes, spikesType))
    return failure();
  while (succeeded(parser.parseOptionalComma())) {
    Operand operand;
    Type type;
    SMLoc place = parser.getCurrentLocation();
    if (parseTypedOperand(parser, operand, type))
      return failure();
    bool isBias = !isa<TensorType>(type);
    std::optional<Operand> &slot = isBias ? bias : weights;
    if (slot || (!isBias && bias))
      return parser.emitError(place, "expected the input, then weights (a tensor) if there are "
                                     "any, then a bias (f32) if there is one");
    slot = operand;
    (isBias ? biasType : weightsType) = type;
  }
  return success();
}

static void printNeuronOperands(OpAsmPrinter &printer, Operation *op, Value, Type, Value, Type,
                                Value, Type) {
  printTypedOperands(printer, op, op->getOperands(), op->getOperandTypes());
}

} // namespace spindle::snn

#define GET_OP_CLASSES
#include "dialects/snn/neuron-level/NeuronLevelOps.cpp.inc"

namespace spindle::snn {

void SnnDialect::addNeuronLevelOperations() {
  addOperations<
#define GET_OP_LIST
#include "dialects/snn/neuron-level/NeuronLevelOps.cpp.inc"
      >();
}

} // namespace spindle::snn
