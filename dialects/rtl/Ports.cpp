#include "dialects/rtl/Ports.h"
#include "dialects/rtl/systemverilog/Names.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace spindle::rtl {

StringRef Interface::inputName(unsigned index) const {
  return cast<StringAttr>(inputNames[index]).getValue();
}

StringRef Interface::outputName(unsigned index) const {
  return cast<StringAttr>(outputNames[index]).getValue();
}

Interface interfaceOf(Operation *module) {
  return {module->getAttrOfType<ArrayAttr>("input_names"),
          module->getAttrOfType<ArrayAttr>("output_names"),
          cast<FunctionType>(module->getAttrOfType<TypeAttr>("function_type").getValue())};
}

bool isIdentifier(StringRef name) {
  auto isLetter = [](char c) { return llvm::isAlpha(c) || c == '_'; };
  return !name.empty() && isLetter(name.front()) &&
         llvm::all_of(name, [&](char c) { return isLetter(c) || llvm::isDigit(c); });
}

static void addAttributes(Builder &builder, OperationState &state, ArrayRef<Attribute> inputNames,
                          ArrayRef<Attribute> outputNames, FunctionType type) {
  state.addAttribute("input_names", builder.getArrayAttr(inputNames));
  state.addAttribute("output_names", builder.getArrayAttr(outputNames));
  state.addAttribute("function_type", TypeAttr::get(type));
}

void addPorts(OpBuilder &builder, OperationState &state, ArrayRef<Port> inputs,
              ArrayRef<Port> outputs) {
  SmallVector<Attribute> inputNames, outputNames;
  SmallVector<Type> inputTypes, outputTypes;
  for (const Port &port : inputs) {
    inputNames.push_back(builder.getStringAttr(port.name));
    inputTypes.push_back(port.type);
  }
  for (const Port &port : outputs) {
    outputNames.push_back(builder.getStringAttr(port.name));
    outputTypes.push_back(port.type);
  }
  addAttributes(builder, state, inputNames, outputNames,
                builder.getFunctionType(inputTypes, outputTypes));
}

ParseResult parsePorts(OpAsmParser &parser, OperationState &state,
                       SmallVectorImpl<OpAsmParser::Argument> *arguments) {
  Builder &builder = parser.getBuilder();
  SmallVector<Attribute> inputNames, outputNames;
  SmallVector<Type> inputTypes, outputTypes;
  auto parsePort = [&]() -> ParseResult {
    bool isInput = succeeded(parser.parseOptionalKeyword("in"));
    if (!isInput && parser.parseKeyword("out"))
      return failure();
    std::string name;
    OpAsmParser::Argument argument;
    if (isInput && arguments) {
      if (parser.parseArgument(argument))
        return failure();
      name = argument.ssaName.name.drop_front().str();
      (void)parser.parseOptionalString(&name);
    } else if (parser.parseKeywordOrString(&name)) {
      return failure();
    }
    Type type;
    if (parser.parseColonType(type))
      return failure();
    (isInput ? inputNames : outputNames).push_back(builder.getStringAttr(name));
    (isInput ? inputTypes : outputTypes).push_back(type);
    if (isInput && arguments) {
      argument.type = type;
      arguments->push_back(argument);
    }
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, parsePort))
    return failure();
  addAttributes(builder, state, inputNames, outputNames,
                builder.getFunctionType(inputTypes, outputTypes));
  return success();
}

void printPorts(OpAsmPrinter &printer, Operation *module, ValueRange arguments) {
  Interface ports = interfaceOf(module);
  raw_ostream &os = printer.getStream();
  os << '(';
  llvm::ListSeparator comma;
  for (unsigned i = 0; i < ports.type.getNumInputs(); ++i) {
    os << comma << "in ";
    if (arguments.empty()) {
      printer.printKeywordOrString(ports.inputName(i));
    } else {
      std::string printed;
      llvm::raw_string_ostream printedStream(printed);
      printer.printOperand(arguments[i], printedStream);
      os << printed;
      if (StringRef(printed).drop_front() != ports.inputName(i))
        os << " \"" << ports.inputName(i) << '"';
    }
    os << " : " << ports.type.getInput(i);
  }
  for (unsigned i = 0; i < ports.type.getNumResults(); ++i) {
    os << comma << "out ";
    printer.printKeywordOrString(ports.outputName(i));
    os << " : " << ports.type.getResult(i);
  }
  os << ')';
}

LogicalResult verifyPorts(Operation *module) {
  Interface ports = interfaceOf(module);
  if (ports.inputNames.size() != ports.type.getNumInputs() ||
      ports.outputNames.size() != ports.type.getNumResults())
    return module->emitOpError("names and types of ports differ in number");
  StringRef symbol = SymbolTable::getSymbolName(module).getValue();
  if (isa<CircuitModuleOp>(module) && (!isIdentifier(symbol) || isKeyword(symbol)))
    return module->emitOpError("is not named by an identifier of SystemVerilog");
  llvm::StringSet<> seen;
  for (ArrayAttr names : {ports.inputNames, ports.outputNames})
    for (StringRef name : names.getAsValueRange<StringAttr>()) {
      if (!isIdentifier(name))
        return module->emitOpError("port '") << name << "' is not named by an identifier";
      if (isKeyword(name))
        return module->emitOpError("port '") << name << "' is named by a keyword of SystemVerilog";
      if (!seen.insert(name).second)
        return module->emitOpError("two ports are named '") << name << "'";
    }
  for (TypeRange types : {TypeRange(ports.type.getInputs()), TypeRange(ports.type.getResults())})
    for (Type type : types)
      if (!type.isSignlessInteger() || type.getIntOrFloatBitWidth() == 0)
        return module->emitOpError("port of type ")
               << type << ", expected a signless integer of at least one bit";
  return success();
}

} // namespace spindle::rtl
