// Instances: construction, text, constraints against the module they copy.
#include "dialects/rtl/Rtl.h"

using namespace mlir;

namespace spindle::rtl {

void InstanceOp::build(OpBuilder &builder, OperationState &state, StringRef name, Operation *target,
                       ValueRange inputs, DictionaryAttr parameters) {
  Interface ports = interfaceOf(target);
  state.addAttribute("instance_name", builder.getStringAttr(name));
  state.addAttribute("module", FlatSymbolRefAttr::get(SymbolTable::getSymbolName(target)));
  state.addAttribute("input_names", ports.inputNames);
  state.addAttribute("output_names", ports.outputNames);
  if (parameters && !parameters.empty())
    state.addAttribute("parameters", parameters);
  state.addOperands(inputs);
  state.addTypes(ports.type.getResults());
}

void InstanceOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  for (auto [result, name] : llvm::zip(getResults(), getOutputNames()))
    setName(result, (getInstanceName() + "_" + cast<StringAttr>(name).getValue()).str());
}

ParseResult InstanceOp::parse(OpAsmParser &parser, OperationState &state) {
  Builder &builder = parser.getBuilder();
  StringAttr name;
  FlatSymbolRefAttr target;
  if (parser.parseAttribute(name, "instance_name", state.attributes) ||
      parser.parseAttribute(target, "module", state.attributes))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("parameters"))) {
    DictionaryAttr parameters;
    if (parser.parseAttribute(parameters, "parameters", state.attributes))
      return failure();
  }
  SmallVector<Attribute> inputNames, outputNames;
  auto parsePort = [&](SmallVectorImpl<Attribute> &names) -> ParseResult {
    std::string port;
    if (parser.parseKeywordOrString(&port) || parser.parseColon())
      return failure();
    names.push_back(builder.getStringAttr(port));
    return success();
  };
  auto parseInput = [&]() -> ParseResult {
    OpAsmParser::UnresolvedOperand operand;
    Type type;
    if (parsePort(inputNames) || parser.parseOperand(operand) || parser.parseColonType(type))
      return failure();
    return parser.resolveOperand(operand, type, state.operands);
  };
  auto parseOutput = [&]() -> ParseResult {
    Type type;
    if (parsePort(outputNames) || parser.parseType(type))
      return failure();
    state.addTypes(type);
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, parseInput) ||
      parser.parseArrow() ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, parseOutput))
    return failure();
  state.addAttribute("input_names", builder.getArrayAttr(inputNames));
  state.addAttribute("output_names", builder.getArrayAttr(outputNames));
  return parser.parseOptionalAttrDict(state.attributes);
}

void InstanceOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getInstanceNameAttr() << ' ' << getModuleAttr();
  if (getParameters())
    printer << " parameters " << *getParameters();
  printer << " (";
  llvm::interleaveComma(llvm::zip(getInputNames(), getInputs()), printer, [&](auto port) {
    printer.printKeywordOrString(cast<StringAttr>(std::get<0>(port)).getValue());
    printer << ": " << std::get<1>(port) << " : " << std::get<1>(port).getType();
  });
  printer << ") -> (";
  llvm::interleaveComma(llvm::zip(getOutputNames(), getResultTypes()), printer, [&](auto port) {
    printer.printKeywordOrString(cast<StringAttr>(std::get<0>(port)).getValue());
    printer << ": " << std::get<1>(port);
  });
  printer << ')';
  printer.printOptionalAttrDict((*this)->getAttrs(), {"instance_name", "module", "parameters",
                                                      "input_names", "output_names"});
}

/// instance_c2, for inputs or outputs.
static LogicalResult verifyPortsAgainst(InstanceOp instance, const char *kind, ArrayAttr names,
                                        TypeRange types, ArrayAttr targetNames,
                                        ArrayRef<Type> targetTypes) {
  if (names.size() != types.size() || names.size() != targetNames.size())
    return instance.emitOpError("has ")
           << types.size() << " " << kind << "s, " << instance.getModuleAttr() << " has "
           << targetNames.size();
  for (unsigned i = 0; i < names.size(); ++i) {
    if (names[i] != targetNames[i])
      return instance.emitOpError(kind)
             << " " << i << " is named " << names[i] << ", expected " << targetNames[i];
    if (types[i] != targetTypes[i])
      return instance.emitOpError(kind)
             << " " << names[i] << " is " << types[i] << ", expected " << targetTypes[i];
  }
  return success();
}

/// instance_c3.
static LogicalResult verifyParameters(InstanceOp instance, Operation *target) {
  DictionaryAttr given = instance.getParameters().value_or(DictionaryAttr());
  SmallVector<StringRef> declared;
  if (auto declaration = dyn_cast<ExternOp>(target))
    for (StringRef name : declaration.getParameters().getAsValueRange<StringAttr>())
      declared.push_back(name);
  for (StringRef name : declared)
    if (!given || !given.get(name))
      return instance.emitOpError("parameter '") << name << "' is not given";
  if (!given)
    return success();
  for (NamedAttribute parameter : given) {
    if (!llvm::is_contained(declared, parameter.getName().getValue()))
      return instance.emitOpError("parameter '")
             << parameter.getName().getValue() << "' is none of " << instance.getModuleAttr();
    if (!isa<IntegerAttr, StringAttr>(parameter.getValue()))
      return instance.emitOpError("parameter '")
             << parameter.getName().getValue() << "' is neither an integer nor a string";
  }
  return success();
}

LogicalResult InstanceOp::verifySymbolUses(SymbolTableCollection &symbols) {
  Operation *target = symbols.lookupNearestSymbolFrom(*this, getModuleAttr());
  if (!target || !isa<CircuitModuleOp, ExternOp>(target))
    return emitOpError("there is no module ") << getModuleAttr();
  Interface ports = interfaceOf(target);
  if (failed(verifyPortsAgainst(*this, "input", getInputNames(), getInputs().getTypes(),
                                ports.inputNames, ports.type.getInputs())) ||
      failed(verifyPortsAgainst(*this, "output", getOutputNames(), getResultTypes(),
                                ports.outputNames, ports.type.getResults())))
    return failure();
  return verifyParameters(*this, target);
}

} // namespace spindle::rtl
