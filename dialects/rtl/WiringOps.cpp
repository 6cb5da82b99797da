// Combinational operations: construction, text, constraints.
#include "dialects/rtl/Rtl.h"

using namespace mlir;

namespace spindle::rtl {

void suggestName(Operation *op, OpAsmSetValueNameFn setName) {
  if (auto name = op->getAttrOfType<StringAttr>("name"))
    setName(op->getResult(0), name.getValue());
}

void WireOp::getAsmResultNames(OpAsmSetValueNameFn setName) { suggestName(*this, setName); }
void ConcatOp::getAsmResultNames(OpAsmSetValueNameFn setName) { suggestName(*this, setName); }
void ExtractOp::getAsmResultNames(OpAsmSetValueNameFn setName) { suggestName(*this, setName); }
void ReplicateOp::getAsmResultNames(OpAsmSetValueNameFn setName) { suggestName(*this, setName); }
void OneHotOp::getAsmResultNames(OpAsmSetValueNameFn setName) { suggestName(*this, setName); }

void WireOp::build(OpBuilder &builder, OperationState &state, Type type, StringRef name) {
  state.addTypes(type);
  if (!name.empty())
    state.addAttribute("name", builder.getStringAttr(name));
}

ParseResult WireOp::parse(OpAsmParser &parser, OperationState &state) {
  OpAsmParser::UnresolvedOperand input;
  OptionalParseResult driven = parser.parseOptionalOperand(input);
  Type type;
  if ((driven.has_value() && failed(*driven)) || parser.parseOptionalAttrDict(state.attributes) ||
      parser.parseColonType(type) ||
      (driven.has_value() && parser.resolveOperand(input, type, state.operands)))
    return failure();
  state.addTypes(type);
  return success();
}

void WireOp::print(OpAsmPrinter &printer) {
  if (getInput())
    printer << ' ' << getInput();
  printer.printOptionalAttrDict((*this)->getAttrs());
  printer << " : " << getType();
}

LogicalResult WireOp::verify() {
  if (!getInput())
    return emitOpError("has no driver");
  if (getInput().getType() != getType())
    return emitOpError("is ") << getType() << ", its driver " << getInput().getType();
  return success();
}

void ConcatOp::build(OpBuilder &builder, OperationState &state, ValueRange inputs) {
  unsigned width = 0;
  for (Value input : inputs)
    width += widthOf(input);
  build(builder, state, builder.getIntegerType(width), inputs);
}

LogicalResult ConcatOp::verify() {
  unsigned width = 0;
  for (Value input : getInputs())
    width += widthOf(input);
  if (getInputs().empty() || width != widthOf(getResult()))
    return emitOpError("joins ") << getInputs().size() << " values of " << width << " bits to "
                                 << getType() << ", expected as many bits";
  return success();
}

void ExtractOp::build(OpBuilder &builder, OperationState &state, Value input, int64_t low,
                      unsigned width) {
  build(builder, state, builder.getIntegerType(width), input, builder.getI64IntegerAttr(low));
}

LogicalResult ExtractOp::verify() {
  int64_t low = getLow();
  if (low < 0 || low > int64_t(widthOf(getInput())) - int64_t(widthOf(getResult())))
    return emitOpError("takes ") << widthOf(getResult()) << " bits from bit " << low << " of "
                                 << getInput().getType();
  return success();
}

LogicalResult ReplicateOp::verify() {
  if (widthOf(getResult()) % widthOf(getInput()) != 0)
    return emitOpError("makes ") << getType() << " of " << getInput().getType()
                                 << ", expected a multiple of its bits";
  return success();
}

ParseResult OneHotOp::parse(OpAsmParser &parser, OperationState &state) {
  SmallVector<OpAsmParser::UnresolvedOperand> valids, values;
  Type type;
  auto parseEntry = [&]() -> ParseResult {
    return failure(parser.parseLParen() || parser.parseOperand(valids.emplace_back()) ||
                   parser.parseComma() || parser.parseOperand(values.emplace_back()) ||
                   parser.parseRParen());
  };
  // `none`: a multiplexer of no values, zero.
  bool isEmpty = succeeded(parser.parseOptionalKeyword("none"));
  if ((!isEmpty && parser.parseCommaSeparatedList(parseEntry)) ||
      parser.parseOptionalAttrDict(state.attributes) || parser.parseColonType(type) ||
      parser.resolveOperands(valids, parser.getBuilder().getI1Type(), state.operands) ||
      parser.resolveOperands(values, type, state.operands))
    return failure();
  state.addTypes(type);
  return success();
}

void OneHotOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  if (getValids().empty())
    printer << "none";
  llvm::interleaveComma(llvm::zip(getValids(), getValues()), printer, [&](auto entry) {
    printer << '(' << std::get<0>(entry) << ", " << std::get<1>(entry) << ')';
  });
  printer.printOptionalAttrDict((*this)->getAttrs());
  printer << " : " << getType();
}

LogicalResult OneHotOp::verify() {
  for (Value value : getValues())
    if (value.getType() != getType())
      return emitOpError("chooses among ") << value.getType() << " for " << getType();
  return success();
}

} // namespace spindle::rtl
