// The rtl dialect in C++.
#pragma once

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/RegionKindInterface.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <string>

namespace spindle::rtl {

/// A port of a module that is built.
struct Port {
  std::string name;
  mlir::Type type;
};

/// What drives one port of a memory.
struct MemoryPort {
  mlir::Value enable, writeEnable, address, data;
};

} // namespace spindle::rtl

#include "dialects/rtl/Rtl.h.inc"

#define GET_OP_CLASSES
#include "dialects/rtl/RtlOps.h.inc"

namespace spindle::rtl {

/// Names and types of the ports of a module or an extern.
struct Interface {
  mlir::ArrayAttr inputNames, outputNames;
  mlir::FunctionType type;

  llvm::StringRef inputName(unsigned index) const;
  llvm::StringRef outputName(unsigned index) const;
};

/// The interface of an `rtl.module` or `rtl.extern`.
Interface interfaceOf(mlir::Operation *module);

/// Bits of a value.
inline unsigned widthOf(mlir::Value value) { return value.getType().getIntOrFloatBitWidth(); }

/// Names an operation's only result in printed IR by the attribute `name`.
void suggestName(mlir::Operation *op, mlir::OpAsmSetValueNameFn setName);

/// Whether names may stand in SystemVerilog as they are: a letter or underscore, then letters,
/// digits, underscores.
bool isIdentifier(llvm::StringRef name);

} // namespace spindle::rtl
