// The text of a module: ports, wires, instances, registers, outputs.
#include "dialects/rtl/systemverilog/ModuleEmitter.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace spindle::rtl {

void ModuleEmitter::emit() {
  emitHeader();
  emitDeclarations();
  for (Operation *op : ordered)
    if (auto instance = dyn_cast<InstanceOp>(op))
      emitInstance(instance);
  for (Operation *op : ordered)
    if (auto memory = dyn_cast<MemoryOp>(op))
      emitMemory(memory);
  emitRegisters();
  OutputOp output = module.getTerminator();
  if (!output.getOutputs().empty())
    os << '\n';
  for (auto [name, value] : llvm::zip(module.getOutputNames(), output.getOutputs()))
    os << "  assign " << cast<StringAttr>(name).getValue() << " = " << expressions.whole(value)
       << ";\n";
  emitUnused();
  os << "endmodule\n";
}

/// A comment of one line, whatever the text is.
static std::string oneLine(StringRef text) {
  std::string line = text.str();
  for (char &c : line)
    if (static_cast<unsigned char>(c) < ' ' || c == 0x7f)
      c = ' ';
  return line;
}

void ModuleEmitter::emitHeader() {
  if (std::optional<StringRef> comment = module.getComment())
    os << "// " << oneLine(*comment) << '\n';
  os << "module " << module.getSymName() << " (";
  llvm::ListSeparator comma(",");
  for (const Declaration &port : ports)
    os << comma << "\n  input  logic " << range(port.width) << port.name;
  for (auto [name, type] :
       llvm::zip(module.getOutputNames(), module.getFunctionType().getResults()))
    os << comma << "\n  output logic " << range(type.getIntOrFloatBitWidth())
       << cast<StringAttr>(name).getValue();
  os << "\n);\n";
}

void ModuleEmitter::emitDeclarations() {
  for (const Declaration &state : states)
    os << "  logic " << range(state.width) << state.name << ";\n";
  for (Operation *op : ordered)
    if (auto machine = dyn_cast<MachineOp>(op))
      emitMachineType(machine);
  if (!wires.empty())
    os << '\n';
  for (Value wire : wires)
    os << "  wire " << range(widthOf(wire)) << expressions.placeOf(wire).name << " = "
       << expressions.definition(wire) << ";\n";
  if (!aliases.empty())
    os << "\n  // Inputs under the names of the program.\n";
  for (const Alias &alias : aliases)
    os << "  wire " << range(widthOf(alias.input)) << alias.name << " = "
       << expressions.whole(alias.input) << ";\n";
  for (Operation *op : ordered)
    if (auto machine = dyn_cast<MachineOp>(op))
      emitMachine(machine);
}

static std::string parameterText(Attribute value) {
  if (auto text = dyn_cast<StringAttr>(value))
    return ("\"" + text.getValue() + "\"").str();
  APInt bits = cast<IntegerAttr>(value).getValue();
  bool isInt = bits.isSignedIntN(32);
  return isInt ? std::to_string(bits.getSExtValue()) : literal(bits);
}

void ModuleEmitter::emitInstance(InstanceOp instance) {
  Operation *target = SymbolTable::lookupNearestSymbolFrom(instance, instance.getModuleAttr());
  auto declaration = dyn_cast<ExternOp>(target);
  os << "\n  " << (declaration ? declaration.getVerilogName() : instance.getModule());
  if (DictionaryAttr parameters = instance.getParameters().value_or(DictionaryAttr())) {
    llvm::ListSeparator comma;
    os << " #(";
    // In the order of the declaration.
    for (StringRef name : declaration.getParameters().getAsValueRange<StringAttr>())
      os << comma << '.' << name << '(' << parameterText(parameters.get(name)) << ')';
    os << ')';
  }
  os << ' ' << blockNames[instance] << " (";
  llvm::ListSeparator comma(",");
  for (auto [name, value] : llvm::zip(instance.getInputNames(), instance.getInputs()))
    os << comma << "\n    ." << cast<StringAttr>(name).getValue() << '(' << expressions.whole(value)
       << ')';
  for (auto [name, value] : llvm::zip(instance.getOutputNames(), instance.getResults()))
    os << comma << "\n    ." << cast<StringAttr>(name).getValue() << '('
       << expressions.placeOf(value).name << ')';
  os << "\n  );\n";
}

void ModuleEmitter::assign(Value state, bool isReset, StringRef indent) {
  const Place &place = expressions.placeOf(state);
  os << indent << place.name << " <= ";
  if (auto reg = state.getDefiningOp<RegOp>()) {
    os << (isReset ? literal(reg.getResetBits()) : expressions.whole(reg.getNext()));
  } else {
    auto delay = state.getDefiningOp<DelayOp>();
    if (isReset)
      os << literal(APInt::getZero(place.vectorWidth));
    else if (place.low == 0)
      os << expressions.whole(delay.getInput());
    else
      os << '{' << expressions.stagesBefore(place) << ", " << expressions.whole(delay.getInput())
         << '}';
  }
  os << ";\n";
}

/// One always_ff for all registers and delays of the same clock, reset and enable.
void ModuleEmitter::emitRegisters() {
  std::vector<std::pair<std::array<Value, 3>, SmallVector<Value>>> groups;
  auto add = [&](Value state, Value clock, Value reset, Value enable) {
    std::array<Value, 3> controls = {clock, reset, enable};
    auto group = llvm::find_if(groups, [&](const auto &known) { return known.first == controls; });
    if (group == groups.end())
      group = groups.insert(groups.end(), {controls, {}});
    group->second.push_back(state);
  };
  for (Operation *op : ordered) {
    if (auto reg = dyn_cast<RegOp>(op))
      add(reg, reg.getClock(), reg.getReset(), reg.getEnable());
    else if (auto delay = dyn_cast<DelayOp>(op); delay && delay.getStages() > 0)
      add(delay, delay.getClock(), delay.getReset(), delay.getEnable());
  }
  for (const auto &[controls, members] : groups) {
    auto [clock, reset, enable] = controls;
    os << "\n  always_ff @(posedge " << expressions.whole(clock) << ") begin\n";
    bool isPlain = !reset && !enable;
    if (reset) {
      os << "    if (" << expressions.whole(reset) << ") begin\n";
      for (Value member : members)
        assign(member, /*isReset=*/true, "      ");
      os << "    end else " << (enable ? "" : "begin\n");
    } else if (enable) {
      os << "    ";
    }
    if (enable)
      os << "if (" << expressions.whole(enable) << ") begin\n";
    for (Value member : members)
      assign(member, /*isReset=*/false, isPlain ? "    " : "      ");
    os << (isPlain ? "" : "    end\n") << "  end\n";
  }
}

/// Bits that nobody reads are joined in a wire whose name tells lint that this is meant.
void ModuleEmitter::emitUnused() {
  std::vector<std::string> unused;
  auto check = [&](const std::string &name, unsigned width) {
    llvm::BitVector bits = expressions.usedBits(name);
    bits.resize(width);
    for (int first = bits.find_first_unset(); first >= 0;) {
      int next = bits.find_next(first);
      unsigned end = next < 0 ? width : next;
      unused.push_back(Place{name, unsigned(first), end - first, width}.text(0, end - first));
      first = next < 0 ? -1 : bits.find_next_unset(next);
    }
  };
  for (const Declaration &port : ports)
    check(port.name, port.width);
  for (const Declaration &state : states)
    check(state.name, state.width);
  for (Value wire : wires)
    check(expressions.placeOf(wire).name, widthOf(wire));
  for (const Alias &alias : aliases)
    unused.push_back(alias.name);
  if (!unused.empty())
    os << "\n  wire " << names.add("unused") << " = &{1'b0, " << llvm::join(unused, ", ") << "};\n";
}

} // namespace spindle::rtl
