// The text of memories and state machines.
#include "dialects/rtl/systemverilog/ModuleEmitter.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace spindle::rtl {

/// A memory that nobody fills: what is read from it is not defined, zero is as good as any.
void ModuleEmitter::emitEmptyMemory(MemoryOp memory) {
  for (Value result : memory.getResults())
    if (expressions.isDeclared(result))
      os << "  assign " << expressions.placeOf(result).name << " = "
         << literal(APInt::getZero(widthOf(result))) << ";\n";
}

void ModuleEmitter::emitContents(StringRef name, ElementsAttr initial) {
  if (!contents || initial.getNumElements() <= kMostWordsInText) {
    os << "  initial begin\n";
    for (auto [index, word] : llvm::enumerate(initial.getValues<APInt>()))
      os << "    " << name << '[' << index << "] = " << literal(word) << ";\n";
    os << "  end\n";
    return;
  }
  std::string file = (module.getSymName() + "_" + name + ".hex").str();
  std::string &text = (*contents)[file];
  SmallString<32> digits;
  for (const APInt &word : initial.getValues<APInt>()) {
    digits.clear();
    word.toString(digits, 16, /*Signed=*/false);
    text += StringRef(digits).lower();
    text += '\n';
  }
  os << "  initial $readmemh(\"contents/" << file << "\", " << name << ");\n";
}

/// Whether a bit is never set: a constant here or in the module that gives it.
static bool isNeverSet(Value bit) {
  if (matchPattern(bit, m_Zero()))
    return true;
  auto instance = bit.getDefiningOp<InstanceOp>();
  if (!instance)
    return false;
  auto module = instance->getParentOfType<mlir::ModuleOp>().lookupSymbol<CircuitModuleOp>(
      instance.getModule());
  return module &&
         isNeverSet(module.getTerminator()->getOperand(cast<OpResult>(bit).getResultNumber()));
}

/// Two processes write a memory with two writing ports, as block RAM has no order between its
/// ports; always_ff would forbid that.
void ModuleEmitter::emitMemory(MemoryOp memory) {
  const std::string &name = blockNames[memory];
  unsigned writers = 0;
  for (unsigned i = 0; i < memory.getNumResults(); ++i)
    writers += !isNeverSet(memory.getPort(i).writeEnable);
  if (writers == 0 && !memory.getInitialAttr())
    return emitEmptyMemory(memory);
  bool isLutRam = memory.getDistributed();
  os << "\n  ";
  if (!isLutRam || writers > 0) // constants become LUTs by themselves
    os << "(* ram_style = \"" << (isLutRam ? "distributed" : "block") << "\" *) ";
  os << "logic " << range(widthOf(memory.getResult(0))) << name << " [0:" << memory.getDepth() - 1
     << "];\n";
  if (ElementsAttr initial = memory.getInitialAttr())
    emitContents(name, initial);
  for (unsigned i = 0; i < memory.getNumResults(); ++i) {
    MemoryPort port = memory.getPort(i);
    Value result = memory.getResult(i);
    bool reads = expressions.isDeclared(result);
    bool writes = !isNeverSet(port.writeEnable); // of two writing ports no LUT RAM is made
    if (!reads && !writes)
      continue;
    std::string word = name + "[" + expressions.whole(port.address) + "]";
    if (isLutRam && reads) {
      os << "  assign " << expressions.placeOf(result).name << " = " << word << ";\n";
      if (!writes)
        continue;
      reads = false;
    }
    os << (writers > 1 ? "  always @(posedge " : "  always_ff @(posedge ")
       << expressions.whole(memory.getClock()) << ")";
    if (!matchPattern(port.enable, m_One()))
      os << " if (" << expressions.whole(port.enable) << ")";
    os << " begin\n";
    if (reads)
      os << "    " << expressions.placeOf(result).name << " <= " << word << ";\n";
    if (writes) {
      os << "    ";
      if (!matchPattern(port.writeEnable, m_One()) && port.writeEnable != port.enable)
        os << "if (" << expressions.whole(port.writeEnable) << ") ";
      os << word << " <= " << expressions.whole(port.data) << ";\n";
    }
    os << "  end\n";
  }
}

static unsigned encodingWidth(MachineOp machine) {
  return std::max(1u, llvm::Log2_64_Ceil(machine.getStates().size()));
}

static std::string stateName(MachineOp machine, StringRef block, int64_t index) {
  return (block + "_" + cast<StringAttr>(machine.getStates()[index]).getValue()).str();
}

/// The states in capitals.
static std::string enumerator(MachineOp machine, StringRef block, int64_t index) {
  return StringRef(stateName(machine, block, index)).upper();
}

void ModuleEmitter::emitMachineType(MachineOp machine) {
  const std::string &name = blockNames[machine];
  unsigned width = encodingWidth(machine);
  os << "\n  typedef enum logic " << range(width) << '{';
  llvm::ListSeparator comma(",");
  for (int64_t i = 0; i < int64_t(machine.getStates().size()); ++i)
    os << comma << "\n    " << enumerator(machine, name, i) << " = " << width << "'d" << i;
  os << "\n  } " << name << "_t;\n  " << name << "_t " << name << ";\n";
}

void ModuleEmitter::emitMachine(MachineOp machine) {
  const std::string &name = blockNames[machine];
  os << "\n  always_ff @(posedge " << expressions.whole(machine.getClock()) << ") begin\n    if ("
     << expressions.whole(machine.getReset()) << ") " << name
     << " <= " << enumerator(machine, name, 0) << ";\n    else ";
  if (machine.getEnable())
    os << "if (" << expressions.whole(machine.getEnable()) << ") ";
  os << "case (" << name << ")\n";
  for (int64_t i = 0; i < int64_t(machine.getStates().size()); ++i) {
    os << "      " << enumerator(machine, name, i) << ':';
    bool isFirst = true;
    for (auto [source, target, condition] :
         llvm::zip(machine.getSources(), machine.getTargets(), machine.getConditions())) {
      if (source != i)
        continue;
      os << (isFirst ? " " : "\n        else ");
      isFirst = false;
      bool isAlways = matchPattern(condition, m_One());
      if (!isAlways)
        os << "if (" << expressions.whole(condition) << ") ";
      os << name << " <= " << enumerator(machine, name, target) << ';';
      if (isAlways)
        break;
    }
    os << (isFirst ? " ;\n" : "\n");
  }
  os << "      default: " << name << " <= " << enumerator(machine, name, 0)
     << ";\n    endcase\n  end\n";
}

} // namespace spindle::rtl
