// Block RAM: construction, text, constraints.
#include "dialects/rtl/Rtl.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace spindle::rtl {

unsigned MemoryOp::addressWidth(int64_t depth) {
  return std::max(1u, llvm::Log2_64_Ceil(uint64_t(depth)));
}

MemoryPort MemoryOp::getPort(unsigned port) {
  OperandRange operands = getPorts().slice(4 * port, 4);
  return {operands[0], operands[1], operands[2], operands[3]};
}

void MemoryOp::build(OpBuilder &builder, OperationState &state, StringRef name, Value clock,
                     int64_t depth, Type word, ArrayRef<MemoryPort> ports, ElementsAttr initial) {
  state.addAttribute("memory_name", builder.getStringAttr(name));
  state.addAttribute("depth", builder.getI64IntegerAttr(depth));
  state.addOperands(clock);
  for (const MemoryPort &port : ports) {
    state.addOperands({port.enable, port.writeEnable, port.address, port.data});
    state.addTypes(word);
  }
  if (initial)
    state.addAttribute("initial", initial);
}

void MemoryOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  for (Value result : getResults())
    setName(result, getMemoryName());
}

ParseResult MemoryOp::parse(OpAsmParser &parser, OperationState &state) {
  Builder &builder = parser.getBuilder();
  StringAttr name;
  OpAsmParser::UnresolvedOperand clock;
  int64_t depth = 0;
  Type word;
  if (parser.parseAttribute(name, "memory_name", state.attributes) || parser.parseOperand(clock) ||
      parser.parseKeyword("depth") || parser.parseInteger(depth) || parser.parseColonType(word) ||
      parser.parseKeyword("ports"))
    return failure();
  Type wire = builder.getI1Type();
  Type address = builder.getIntegerType(addressWidth(std::max<int64_t>(depth, 1)));
  if (parser.resolveOperand(clock, wire, state.operands))
    return failure();
  auto parsePort = [&]() -> ParseResult {
    SmallVector<OpAsmParser::UnresolvedOperand, 4> operands;
    SMLoc place = parser.getCurrentLocation();
    if (parser.parseOperandList(operands, AsmParser::Delimiter::Paren) ||
        parser.resolveOperands(operands, TypeRange{wire, wire, address, word}, place,
                               state.operands))
      return failure();
    state.addTypes(word);
    return success();
  };
  if (parser.parseCommaSeparatedList(parsePort) || parser.parseOptionalAttrDict(state.attributes))
    return failure();
  state.addAttribute("depth", builder.getI64IntegerAttr(depth));
  return success();
}

void MemoryOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getMemoryNameAttr() << ' ' << getClock() << " depth " << getDepth() << " : "
          << getResult(0).getType() << " ports ";
  for (unsigned i = 0; i < getNumResults(); ++i) {
    printer << (i ? ", (" : "(");
    printer.printOperands(getPorts().slice(4 * i, 4));
    printer << ')';
  }
  printer.printOptionalAttrDict((*this)->getAttrs(), {"memory_name", "depth"});
}

LogicalResult MemoryOp::verify() {
  int64_t depth = getDepth();
  if (depth < 1 || getNumResults() == 0)
    return emitOpError("has ") << depth << " words and " << getNumResults()
                               << " ports, expected at least one of each";
  if (getPorts().size() != 4 * size_t(getNumResults()))
    return emitOpError("has ") << getPorts().size() << " inputs for " << getNumResults()
                               << " ports, expected four per port";
  Type word = getResult(0).getType();
  for (unsigned i = 0; i < getNumResults(); ++i) {
    MemoryPort port = getPort(i);
    if (!port.enable.getType().isInteger(1) || !port.writeEnable.getType().isInteger(1))
      return emitOpError("port ") << i << ": enables are i1";
    if (!port.address.getType().isInteger(addressWidth(depth)))
      return emitOpError("port ") << i << ": address is " << port.address.getType()
                                  << ", expected i" << addressWidth(depth) << " for " << depth
                                  << " words";
    if (port.data.getType() != word || getResult(i).getType() != word)
      return emitOpError("port ") << i << ": data is " << port.data.getType() << " and "
                                  << getResult(i).getType() << ", expected " << word;
  }
  if (ElementsAttr initial = getInitialAttr())
    if (initial.getNumElements() != depth || initial.getElementType() != word)
      return emitOpError("initial contents are ")
             << initial.getShapedType() << ", expected " << depth << " x " << word;
  return success();
}

} // namespace spindle::rtl
