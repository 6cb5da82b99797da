// What a pipeline exchanges with the memories and units around it.
#pragma once

#include "hw/hls/lower/rtl/Wires.h"

#include "dialects/hls/Hls.h"

#include <map>

namespace spindle::hls {

/// A port of a bank of a block memory.
struct PortId {
  MemoryOp memory;
  int64_t bank, port;
  std::string name() const; // arg3_b0_p1
};

/// One bank of registers: a single word.
struct RegisterId {
  MemoryOp memory;
  int64_t bank;
  std::string name() const; // register0_b0
};

/// An input of the module of a unit besides its operands.
struct UnitMode {
  const char *port;
  unsigned bits;
  int64_t (*valueOf)(mlir::Operation *op);
};

/// How the modules of units are connected.
struct UnitShape {
  std::vector<const char *> operands; // a, b
  std::vector<UnitMode> modes;
  bool isIterative = false; // has rst and valid
};

/// The shape of a hand-written module; empty operands where it is not known.
UnitShape shapeOf(llvm::StringRef module);

/// Everything a pipeline uses, in the order of the kernel's declarations.
struct Connections {
  std::vector<PortId> ports;
  std::vector<RegisterId> registersRead, registersWritten;
  std::vector<UnitOp> units;
  std::vector<mlir::Value> values; // bound operands, scalars and counters from outside
};

Connections connectionsOf(PipelineOp pipeline);

/// Bits of a value that is not an index.
unsigned bitsOf(mlir::Type type);

/// Bits of an operand that a unit looks at.
unsigned operandBits(UnitOp unit, size_t position);

/// Bits of the result of a unit: all operations it does have one type of result.
unsigned resultBits(UnitOp unit);

/// Bits of an address of a bank.
unsigned addressBits(MemoryOp memory);

} // namespace spindle::hls
