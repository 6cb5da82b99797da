// What the definitions of operations share.
#ifndef DIALECTS_RTL_RTLOPBASE_TD
#define DIALECTS_RTL_RTLOPBASE_TD

include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "dialects/rtl/RtlBase.td"

/// Some wires.
defvar Rtl_Bits = AnySignlessInteger;
/// One wire: clock, enable, reset, valid.
defvar Rtl_Wire = I1;

class Rtl_Op<string mnemonic, list<Trait> traits = []> : Op<Rtl_Dialect, mnemonic, traits>;

/// An operation with one result, whose name in printed IR is its attribute `name`.
class Rtl_ValueOp<string mnemonic, list<Trait> traits = []>
    : Rtl_Op<mnemonic, !listconcat([Pure, DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>], traits)>;

#endif // DIALECTS_RTL_RTLOPBASE_TD
