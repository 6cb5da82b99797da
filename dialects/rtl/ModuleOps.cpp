// Modules and hand-written modules: construction, text, constraints.
#include "dialects/rtl/Ports.h"
#include "dialects/rtl/simulation/CombinationalPaths.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace spindle::rtl {

RegionKind CircuitModuleOp::getRegionKind(unsigned) { return RegionKind::Graph; }

void CircuitModuleOp::getAsmBlockArgumentNames(Region &region, OpAsmSetValueNameFn setName) {
  for (auto [argument, name] : llvm::zip(region.getArguments(), getInputNames()))
    setName(argument, cast<StringAttr>(name).getValue());
}

void CircuitModuleOp::build(OpBuilder &builder, OperationState &state, StringRef name,
                            ArrayRef<Port> inputs, ArrayRef<Port> outputs) {
  state.addAttribute("sym_name", builder.getStringAttr(name));
  addPorts(builder, state, inputs, outputs);
  Block *body = new Block;
  state.addRegion()->push_back(body);
  for (const Port &port : inputs)
    body->addArgument(port.type, state.location);
}

OutputOp CircuitModuleOp::getTerminator() { return cast<OutputOp>(getBodyBlock()->back()); }

Value CircuitModuleOp::getInput(StringRef name) {
  for (auto [argument, input] : llvm::zip(getBodyBlock()->getArguments(), getInputNames()))
    if (cast<StringAttr>(input).getValue() == name)
      return argument;
  return {};
}

SmallVector<std::pair<StringRef, StringRef>> CircuitModuleOp::getAliasPairs() {
  SmallVector<std::pair<StringRef, StringRef>> pairs;
  if (!getAliasesAttr())
    return pairs;
  for (Attribute entry : getAliasesAttr()) {
    auto pair = cast<ArrayAttr>(entry);
    pairs.emplace_back(cast<StringAttr>(pair[0]).getValue(), cast<StringAttr>(pair[1]).getValue());
  }
  return pairs;
}

ParseResult CircuitModuleOp::parse(OpAsmParser &parser, OperationState &state) {
  StringAttr name;
  SmallVector<OpAsmParser::Argument> arguments;
  if (parser.parseSymbolName(name, "sym_name", state.attributes) ||
      parsePorts(parser, state, &arguments) ||
      parser.parseOptionalAttrDictWithKeyword(state.attributes))
    return failure();
  return parser.parseRegion(*state.addRegion(), arguments);
}

static const StringRef portAttributes[] = {"sym_name", "function_type", "input_names",
                                           "output_names", "parameters"};

void CircuitModuleOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  printer.printSymbolName(getSymName());
  printPorts(printer, *this, getBodyBlock()->getArguments());
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(), portAttributes);
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

/// module_c6.
static LogicalResult verifyAliases(CircuitModuleOp module) {
  if (!module.getAliasesAttr())
    return success();
  for (Attribute entry : module.getAliasesAttr()) {
    auto pair = dyn_cast<ArrayAttr>(entry);
    bool isPair = pair && pair.size() == 2 && isa<StringAttr>(pair[0]) &&
                  llvm::is_contained(module.getInputNames(), pair[1]);
    if (!isPair)
      return module.emitOpError("alias ") << entry << ", expected [name, input] of its inputs";
  }
  return success();
}

LogicalResult CircuitModuleOp::verify() {
  if (failed(verifyPorts(*this)))
    return failure();
  if (getBodyBlock()->getArgumentTypes() != TypeRange(getFunctionType().getInputs()))
    return emitOpError("the arguments of the body are not of the ports' types");
  return verifyAliases(*this);
}

/// The arithmetic that a body may use.
static bool isArithmetic(Operation &op) {
  return isa<arith::ConstantOp, arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::AndIOp,
             arith::OrIOp, arith::XOrIOp, arith::ShLIOp, arith::ShRUIOp, arith::ShRSIOp,
             arith::CmpIOp, arith::SelectOp, arith::ExtUIOp, arith::ExtSIOp, arith::TruncIOp>(op);
}

/// module_c2.
static LogicalResult verifyOperation(Operation &op) {
  if (!isa<RtlDialect>(op.getDialect()) && !isArithmetic(op))
    return op.emitOpError("is not an operation of a circuit");
  for (Type type : op.getResultTypes())
    if (!type.isSignlessInteger() || type.getIntOrFloatBitWidth() == 0)
      return op.emitOpError("makes ")
             << type << " in a circuit, expected a signless integer of at least one bit";
  return success();
}

LogicalResult CircuitModuleOp::verifyRegions() {
  llvm::StringMap<Operation *> instances;
  for (Operation &op : *getBodyBlock()) {
    if (failed(verifyOperation(op)))
      return failure();
    if (auto instance = dyn_cast<InstanceOp>(op)) {
      auto [entry, isNew] = instances.try_emplace(instance.getInstanceName(), &op);
      if (!isNew) {
        InFlightDiagnostic diagnostic = op.emitOpError("two instances are named '")
                                        << instance.getInstanceName() << "'";
        diagnostic.attachNote(entry->second->getLoc()) << "the other one";
        return diagnostic;
      }
    }
  }
  auto output = cast<OutputOp>(getBodyBlock()->back()); // the only terminator that is let through
  if (output.getOperandTypes() != TypeRange(getFunctionType().getResults()))
    return output.emitOpError("drives (") << output.getOperandTypes() << "), the ports are ("
                                          << getFunctionType().getResults() << ")";
  return verifyNoCombinationalCycle(*this);
}

void ExternOp::build(OpBuilder &builder, OperationState &state, StringRef name,
                     ArrayRef<Port> inputs, ArrayRef<Port> outputs, ArrayRef<StringRef> parameters,
                     StringRef moduleName, StringRef source) {
  state.addAttribute("sym_name", builder.getStringAttr(name));
  addPorts(builder, state, inputs, outputs);
  state.addAttribute("parameters", builder.getStrArrayAttr(parameters));
  if (!moduleName.empty())
    state.addAttribute("module_name", builder.getStringAttr(moduleName));
  if (!source.empty())
    state.addAttribute("source", builder.getStringAttr(source));
}

ParseResult ExternOp::parse(OpAsmParser &parser, OperationState &state) {
  StringAttr name;
  if (parser.parseSymbolName(name, "sym_name", state.attributes) ||
      parsePorts(parser, state, nullptr))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("parameters"))) {
    ArrayAttr parameters;
    if (parser.parseAttribute(parameters, "parameters", state.attributes))
      return failure();
  }
  return parser.parseOptionalAttrDict(state.attributes);
}

void ExternOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  printer.printSymbolName(getSymName());
  printPorts(printer, *this, {});
  if (!getParameters().empty())
    printer << " parameters " << getParameters();
  printer.printOptionalAttrDict((*this)->getAttrs(), portAttributes);
}

LogicalResult ExternOp::verify() {
  if (failed(verifyPorts(*this)))
    return failure();
  ArrayAttr paths = getCombinationalAttr();
  if (!paths)
    return success();
  for (Attribute entry : paths) {
    auto pair = dyn_cast<ArrayAttr>(entry);
    bool isPair = pair && pair.size() == 2 && llvm::is_contained(getInputNames(), pair[0]) &&
                  llvm::is_contained(getOutputNames(), pair[1]);
    if (!isPair)
      return emitOpError("combinational path ")
             << entry << ", expected [input, output] of two of its ports";
  }
  return success();
}

} // namespace spindle::rtl
