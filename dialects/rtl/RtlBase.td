// The rtl dialect: structural hardware.
#ifndef DIALECTS_RTL_RTLBASE_TD
#define DIALECTS_RTL_RTLBASE_TD

include "mlir/IR/OpBase.td"

def Rtl_Dialect : Dialect {
  let name = "rtl";
  let cppNamespace = "::spindle::rtl";
  let summary = "Structural hardware: what the SystemVerilog emitter prints.";
  let description = [{
    A circuit is a list of `rtl.module`. The body of a module is a graph: an operation may read values that are
    defined after it, and its order says nothing. A value is a bundle of wires, a signless integer of one or more bits; it has one driver,
    the operation that defines it. Floating-point values are their bits.

    Operations with state (`rtl.reg`, `rtl.delay`, `rtl.memory`, `rtl.machine`) change at the rising edge of their clock; before
    the first edge, or until a reset where they have one, their contents are unknown (zero in the simulation of `Simulation.h`).
    Every cycle of the graph passes through one of them, or through an instance. A reset is synchronous, active high and stronger than an
    enable.

    Combinational operations of this dialect only rearrange bits. The arithmetic is that of `arith`: `constant`, `addi`, `subi`, `muli`,
    `andi`, `ori`, `xori`, `shli`, `shrui`, `shrsi`, `cmpi`, `select`, `extui`, `extsi`, `trunci`. A shift by the width or more yields zeros, or
    copies of the sign, as in SystemVerilog.

    A string attribute `name` on any operation with one result is its name in the emitted text, as far as that is free.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let hasConstantMaterializer = 1;
}

#endif // DIALECTS_RTL_RTLBASE_TD
