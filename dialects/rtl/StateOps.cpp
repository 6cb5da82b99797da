// Registers and delays: construction, text, constraints, simplification.
#include "dialects/rtl/Rtl.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace spindle::rtl {

static void addName(OpBuilder &builder, OperationState &state, StringRef name) {
  if (!name.empty())
    state.addAttribute("name", builder.getStringAttr(name));
}

void RegOp::getAsmResultNames(OpAsmSetValueNameFn setName) { suggestName(*this, setName); }
void DelayOp::getAsmResultNames(OpAsmSetValueNameFn setName) { suggestName(*this, setName); }

void RegOp::build(OpBuilder &builder, OperationState &state, Value next, Value clock, Value enable,
                  Value reset, int64_t resetValue, StringRef name) {
  IntegerAttr value = reset ? builder.getIntegerAttr(next.getType(), resetValue) : IntegerAttr();
  build(builder, state, next.getType(), next, clock, enable, reset, value);
  addName(builder, state, name);
}

RegOp RegOp::createHolding(OpBuilder &builder, Location location, Type type, Value clock,
                           Value enable, Value reset, int64_t resetValue, StringRef name) {
  IntegerAttr value = reset ? builder.getIntegerAttr(type, resetValue) : IntegerAttr();
  RegOp reg = create(builder, location, type, clock, clock, enable, reset, value);
  reg.setNext(reg.getResult());
  if (!name.empty())
    reg->setAttr("name", builder.getStringAttr(name));
  return reg;
}

APInt RegOp::getResetBits() {
  if (auto value = getResetValueAttr())
    return cast<IntegerAttr>(value).getValue();
  return APInt::getZero(widthOf(getResult()));
}

ParseResult RegOp::parse(OpAsmParser &parser, OperationState &state) {
  OpAsmParser::UnresolvedOperand next, clock, enable, reset;
  APInt resetValue;
  Type type;
  if (parser.parseOperand(next) || parser.parseComma() || parser.parseOperand(clock))
    return failure();
  bool hasEnable = succeeded(parser.parseOptionalKeyword("enable"));
  if (hasEnable && parser.parseOperand(enable))
    return failure();
  bool hasReset = succeeded(parser.parseOptionalKeyword("reset"));
  SMLoc valuePlace;
  if (hasReset) {
    if (parser.parseOperand(reset) || parser.parseKeyword("to"))
      return failure();
    valuePlace = parser.getCurrentLocation();
    OptionalParseResult parsed = parser.parseOptionalInteger(resetValue);
    if (!parsed.has_value() || failed(*parsed))
      return parser.emitError(valuePlace, "expected an integer");
  }
  if (parser.parseOptionalAttrDict(state.attributes) || parser.parseColonType(type))
    return failure();
  Type wire = parser.getBuilder().getI1Type();
  if (parser.resolveOperand(next, type, state.operands) ||
      parser.resolveOperand(clock, wire, state.operands) ||
      (hasEnable && parser.resolveOperand(enable, wire, state.operands)) ||
      (hasReset && parser.resolveOperand(reset, wire, state.operands)))
    return failure();
  if (hasReset) {
    if (!type.isSignlessInteger())
      return parser.emitError(valuePlace, "a register is a signless integer, found ") << type;
    unsigned width = type.getIntOrFloatBitWidth();
    if (resetValue.getSignificantBits() > width && resetValue.getActiveBits() > width)
      return parser.emitError(valuePlace, "reset value does not fit in ") << type;
    state.addAttribute("reset_value", IntegerAttr::get(type, resetValue.sextOrTrunc(width)));
  }
  state.addAttribute("operandSegmentSizes", parser.getBuilder().getDenseI32ArrayAttr(
                                                {1, 1, int32_t(hasEnable), int32_t(hasReset)}));
  state.addTypes(type);
  return success();
}

void RegOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getNext() << ", " << getClock();
  if (getEnable())
    printer << " enable " << getEnable();
  if (getReset()) {
    printer << " reset " << getReset() << " to ";
    getResetBits().print(printer.getStream(), /*isSigned=*/widthOf(getResult()) > 1);
  }
  printer.printOptionalAttrDict((*this)->getAttrs(), {"reset_value", "operandSegmentSizes"});
  printer << " : " << getType();
}

LogicalResult RegOp::verify() {
  if (bool(getReset()) != bool(getResetValueAttr()))
    return emitOpError("has a reset without a value, or a value without a reset");
  if (getNext().getType() != getType())
    return emitOpError("takes ") << getNext().getType() << ", holds " << getType();
  if (getReset() &&
      (!isa<IntegerAttr>(getResetValueAttr()) || getResetValueAttr().getType() != getType()))
    return emitOpError("reset value is ")
           << getResetValueAttr() << ", expected a value of " << getType();
  return success();
}

/// A register that can only hold its reset value.
OpFoldResult RegOp::fold(FoldAdaptor adaptor) {
  if (!getReset())
    return {};
  if (getNext() == getResult() || adaptor.getNext() == getResetValueAttr())
    return getResetValueAttr();
  return {};
}

void DelayOp::build(OpBuilder &builder, OperationState &state, Value input, int64_t stages,
                    Value clock, Value enable, Value reset, StringRef name) {
  build(builder, state, input.getType(), input, builder.getI64IntegerAttr(stages), clock, enable,
        reset);
  addName(builder, state, name);
}

LogicalResult DelayOp::verify() {
  if (int64_t(getStages()) < 0)
    return emitOpError("has ") << int64_t(getStages()) << " stages, expected none or more";
  return success();
}

} // namespace spindle::rtl
