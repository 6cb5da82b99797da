// Finite state machines: construction, text, constraints.
#include "dialects/rtl/Rtl.h"

#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace spindle::rtl {

void MachineOp::build(OpBuilder &builder, OperationState &state, StringRef name, Value clock,
                      Value reset, ArrayRef<StringRef> states, Value enable) {
  state.addAttribute("machine_name", builder.getStringAttr(name));
  state.addAttribute("states", builder.getStrArrayAttr(states));
  state.addAttribute("sources", builder.getDenseI64ArrayAttr({}));
  state.addAttribute("targets", builder.getDenseI64ArrayAttr({}));
  state.addOperands({clock, reset});
  if (enable)
    state.addOperands(enable);
  state.addAttribute("operandSegmentSizes",
                     builder.getDenseI32ArrayAttr({1, 1, enable ? 1 : 0, 0}));
  state.addTypes(SmallVector<Type>(states.size(), builder.getI1Type()));
}

void MachineOp::addTransition(int64_t source, Value condition, int64_t target) {
  SmallVector<int64_t> sources(getSources()), targets(getTargets());
  sources.push_back(source);
  targets.push_back(target);
  setSources(sources);
  setTargets(targets);
  getConditionsMutable().append(condition);
}

void MachineOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  for (auto [result, name] : llvm::zip(getResults(), getStates()))
    setName(result, (getMachineName() + "_" + cast<StringAttr>(name).getValue()).str());
}

/// `%clk reset %rst [enable %e] {state: %condition -> target else %condition -> target, …}`
ParseResult MachineOp::parse(OpAsmParser &parser, OperationState &state) {
  Builder &builder = parser.getBuilder();
  StringAttr name;
  OpAsmParser::UnresolvedOperand clock, reset, enable;
  if (parser.parseAttribute(name, "machine_name", state.attributes) || parser.parseOperand(clock) ||
      parser.parseKeyword("reset") || parser.parseOperand(reset))
    return failure();
  bool hasEnable = succeeded(parser.parseOptionalKeyword("enable"));
  if (hasEnable && parser.parseOperand(enable))
    return failure();
  SmallVector<std::string> states;
  SmallVector<OpAsmParser::UnresolvedOperand> conditions;
  struct Target {
    std::string name;
    SMLoc place;
  };
  SmallVector<Target> targetNames;
  SmallVector<int64_t> sources, targets;
  auto parseTransition = [&]() -> ParseResult {
    Target target;
    if (parser.parseOperand(conditions.emplace_back()) || parser.parseArrow())
      return failure();
    target.place = parser.getCurrentLocation();
    if (parser.parseKeywordOrString(&target.name))
      return failure();
    targetNames.push_back(target);
    sources.push_back(int64_t(states.size()) - 1);
    return success();
  };
  auto parseState = [&]() -> ParseResult {
    if (parser.parseKeywordOrString(&states.emplace_back()))
      return failure();
    if (failed(parser.parseOptionalColon()))
      return success();
    do {
      if (parseTransition())
        return failure();
    } while (succeeded(parser.parseOptionalKeyword("else")));
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Braces, parseState) ||
      parser.parseOptionalAttrDict(state.attributes))
    return failure();
  for (const Target &target : targetNames) {
    auto found = llvm::find(states, target.name);
    if (found == states.end())
      return parser.emitError(target.place, "there is no state '") << target.name << "'";
    targets.push_back(found - states.begin());
  }
  Type wire = builder.getI1Type();
  if (parser.resolveOperand(clock, wire, state.operands) ||
      parser.resolveOperand(reset, wire, state.operands) ||
      (hasEnable && parser.resolveOperand(enable, wire, state.operands)) ||
      parser.resolveOperands(conditions, wire, state.operands))
    return failure();
  state.addAttribute("states",
                     builder.getStrArrayAttr(SmallVector<StringRef>(states.begin(), states.end())));
  state.addAttribute("sources", builder.getDenseI64ArrayAttr(sources));
  state.addAttribute("targets", builder.getDenseI64ArrayAttr(targets));
  state.addAttribute(
      "operandSegmentSizes",
      builder.getDenseI32ArrayAttr({1, 1, int32_t(hasEnable), int32_t(conditions.size())}));
  state.addTypes(SmallVector<Type>(states.size(), wire));
  return success();
}

void MachineOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getMachineNameAttr() << ' ' << getClock() << " reset " << getReset();
  if (getEnable())
    printer << " enable " << getEnable();
  printer << " {";
  auto stateName = [&](int64_t index) { return cast<StringAttr>(getStates()[index]).getValue(); };
  for (int64_t i = 0; i < int64_t(getStates().size()); ++i) {
    printer << (i ? "," : "");
    printer.printNewline();
    printer << "  ";
    printer.printKeywordOrString(stateName(i));
    bool isFirst = true;
    for (auto [source, target, condition] :
         llvm::zip(getSources(), getTargets(), getConditions())) {
      if (source != i)
        continue;
      printer << (isFirst ? ": " : " else ") << condition << " -> ";
      printer.printKeywordOrString(stateName(target));
      isFirst = false;
    }
  }
  printer.printNewline();
  printer << '}';
  printer.printOptionalAttrDict(
      (*this)->getAttrs(), {"machine_name", "states", "sources", "targets", "operandSegmentSizes"});
}

LogicalResult MachineOp::verify() {
  int64_t count = int64_t(getStates().size());
  if (count == 0 || getNumResults() != size_t(count))
    return emitOpError("has ") << count << " states and " << getNumResults()
                               << " results, expected one result per state, at least one";
  llvm::StringSet<> seen;
  for (StringRef name : getStates().getAsValueRange<StringAttr>()) {
    if (!isIdentifier(name))
      return emitOpError("state '") << name << "' is not named by an identifier";
    if (!seen.insert(name).second)
      return emitOpError("two states are named '") << name << "'";
  }
  if (getSources().size() != getConditions().size() ||
      getTargets().size() != getConditions().size())
    return emitOpError("has ") << getConditions().size()
                               << " conditions, expected one source and target for each";
  for (ArrayRef<int64_t> ends : {getSources(), getTargets()})
    for (int64_t index : ends)
      if (index < 0 || index >= count)
        return emitOpError("transition of state ") << index << ", there are " << count;
  return success();
}

} // namespace spindle::rtl
