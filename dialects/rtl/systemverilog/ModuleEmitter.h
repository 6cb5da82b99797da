// One module as text.
#pragma once

#include "dialects/rtl/SystemVerilog.h"
#include "dialects/rtl/systemverilog/Expressions.h"
#include "dialects/rtl/systemverilog/Names.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Support/raw_ostream.h"

#include <vector>

namespace spindle::rtl {

/// Prints a verified module: declarations of what has state, then wires in the order of their
/// dependencies, then instances, memories, machines, registers and outputs. A value is declared
/// where it has a name, more than one reader, a long expression, or a reader that takes parts of
/// it; else its expression stands where it is read. Names are the attribute `name`, hints of the
/// program (NameHints.h), or made up from the operation.
class ModuleEmitter {
public:
  /// Large contents go to `files`, unless it is null.
  ModuleEmitter(CircuitModuleOp module, llvm::raw_ostream &os, MemoryContents *files);
  void emit();

private:
  /// A `logic` or `wire` of the text.
  struct Declaration {
    std::string name;
    unsigned width;
  };
  /// Another name of an input.
  struct Alias {
    std::string name;
    mlir::Value input;
  };

  // Which values are declared, and how they are called (Declarations.cpp).
  void orderOperations();
  void visit(mlir::Operation *op);
  void declarePorts();
  void declareNamed();
  void declareHinted();
  void declareStates();
  void declareWires();
  bool mustBeDeclared(mlir::Value value);
  std::string nameFor(mlir::Value value, llvm::StringRef wish);
  const Place &declare(mlir::Value value, llvm::StringRef wish, unsigned stages = 1);

  // The text (ModuleEmitter.cpp, StateText.cpp).
  void emitHeader();
  void emitDeclarations();
  void emitInstance(InstanceOp instance);
  void emitMemory(MemoryOp memory);
  void emitEmptyMemory(MemoryOp memory);
  void emitContents(llvm::StringRef name, mlir::ElementsAttr initial);
  void emitMachineType(MachineOp machine);
  void emitMachine(MachineOp machine);
  void emitRegisters();
  void emitUnused();
  void assign(mlir::Value state, bool isReset, llvm::StringRef indent);

  CircuitModuleOp module;
  llvm::raw_ostream &os;
  MemoryContents *contents;
  Names names;
  Expressions expressions;
  llvm::SetVector<mlir::Operation *> live;
  std::vector<mlir::Operation *> ordered; // live ones, combinational dependencies first
  llvm::SetVector<mlir::Operation *> visited;
  llvm::DenseMap<mlir::Value, std::string> explicitNames;
  llvm::DenseMap<mlir::Operation *, std::string> blockNames; // of instances, memories, machines
  std::vector<Declaration> ports, states;                    // states: and outputs of instances
  std::vector<mlir::Value> wires;
  std::vector<Alias> aliases;
};

} // namespace spindle::rtl
