// What remembers: registers, delays, memories, state machines.
#ifndef DIALECTS_RTL_STATEOPS_TD
#define DIALECTS_RTL_STATEOPS_TD

include "dialects/rtl/RtlOpBase.td"

def Rtl_RegOp : Rtl_ValueOp<"reg", [AttrSizedOperandSegments]> {
  let summary = "A register.";
  let description = [{
    At a rising edge of the clock the register takes its reset value where the reset is high, else `next` where the enable is high
    (always, without one).

    Constraints: (reg_c1) a reset and its value come together; the value has the register's type.

    Example:
    ```mlir
    rtl.module @hold(in %clk : i1, in %rst : i1, in %take : i1, in %x : i8, out y : i8) {
      %y = rtl.reg %x, %clk enable %take reset %rst to 255 {name = "held"} : i8
      rtl.output %y : i8
    }
    ```
  }];
  let arguments = (ins Rtl_Bits:$next, Rtl_Wire:$clock, Optional<Rtl_Wire>:$enable, Optional<Rtl_Wire>:$reset,
                       OptionalAttr<TypedAttrInterface>:$reset_value);
  let results = (outs Rtl_Bits:$result);
  let builders = [OpBuilder<(ins "::mlir::Value":$next, "::mlir::Value":$clock, CArg<"::mlir::Value", "{}">:$enable,
                                 CArg<"::mlir::Value", "{}">:$reset, CArg<"int64_t", "0">:$resetValue,
                                 CArg<"::llvm::StringRef", "{}">:$name)>];
  let extraClassDeclaration = [{
    /// A register that keeps its value until setNext() is called.
    static RegOp createHolding(::mlir::OpBuilder &builder, ::mlir::Location location, ::mlir::Type type, ::mlir::Value clock,
                               ::mlir::Value enable = {}, ::mlir::Value reset = {}, int64_t resetValue = 0,
                               ::llvm::StringRef name = {});
    void setNext(::mlir::Value next) { getNextMutable().assign(next); }
    /// The reset value; zero without a reset.
    ::llvm::APInt getResetBits();
  }];
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Rtl_DelayOp : Rtl_ValueOp<"delay", [AttrSizedOperandSegments, AllTypesMatch<["input", "result"]>]> {
  let summary = "A shift register.";
  let description = [{
    The result is the input of `stages` cycles ago, counting the cycles in which the enable is high. A reset makes all stages zero.

    Constraints: (delay_c1) stages is not negative.

    Example:
    ```mlir
    rtl.module @late(in %clk : i1, in %x : i64, out y : i64) {
      %y = rtl.delay %x by 5, %clk : i64
      rtl.output %y : i64
    }
    ```
  }];
  let arguments = (ins Rtl_Bits:$input, I64Attr:$stages, Rtl_Wire:$clock, Optional<Rtl_Wire>:$enable, Optional<Rtl_Wire>:$reset);
  let results = (outs Rtl_Bits:$result);
  let builders = [OpBuilder<(ins "::mlir::Value":$input, "int64_t":$stages, "::mlir::Value":$clock,
                                 CArg<"::mlir::Value", "{}">:$enable, CArg<"::mlir::Value", "{}">:$reset,
                                 CArg<"::llvm::StringRef", "{}">:$name)>];
  let assemblyFormat = [{
    $input `by` $stages `,` $clock (`enable` $enable^)? (`reset` $reset^)? attr-dict `:` type($result)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def Rtl_MemoryOp : Rtl_Op<"memory", [Pure, DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "A block RAM, or LUT RAM.";
  let description = [{
    Each port has four inputs (enable, write enable, address, data to write) and one result. Where the enable is high at a rising edge, the
    result becomes the word at the address as it was before the edge, and the data is written where the write enable is high as well. Where it is
    low, the result stays. A word written by one port is not to be touched by another port in the same cycle; addresses are below the depth.

    LUT RAM (`distributed`) reads without a clock: a result is at all times the word at its port's address; writing is the same.

    `initial` is the contents after configuration.

    Constraints: (memory_c1) depth is positive and there is a port; (memory_c2) addresses have ⌈log2 depth⌉ bits, at least one, data the
    width of the results; (memory_c3) `initial` holds `depth` words of that width.

    Example:
    ```mlir
    rtl.module @values(in %clk : i1, in %en : i1, in %we : i1, in %addr : i10, in %x : i64, in %read : i10, out y : i64) {
      %true = arith.constant true
      %false = arith.constant false
      %zero = arith.constant 0 : i64
      %old, %y = rtl.memory "words" %clk depth 600 : i64 ports (%en, %we, %addr, %x), (%true, %false, %read, %zero)
      rtl.output %y : i64
    }
    ```
  }];
  let arguments = (ins StrAttr:$memory_name, Rtl_Wire:$clock, I64Attr:$depth, Variadic<Rtl_Bits>:$ports,
                       OptionalAttr<ElementsAttr>:$initial, UnitAttr:$distributed);
  let results = (outs Variadic<Rtl_Bits>:$outputs);
  let builders = [OpBuilder<(ins "::llvm::StringRef":$name, "::mlir::Value":$clock, "int64_t":$depth, "::mlir::Type":$word,
                                 "::llvm::ArrayRef<MemoryPort>":$ports, CArg<"::mlir::ElementsAttr", "{}">:$initial)>];
  let skipDefaultBuilders = 1;
  let extraClassDeclaration = [{
    MemoryPort getPort(unsigned port);
    /// Bits of an address: ⌈log2 depth⌉, at least one.
    static unsigned addressWidth(int64_t depth);
  }];
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def Rtl_MachineOp : Rtl_Op<"machine", [Pure, AttrSizedOperandSegments,
                                       DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "A finite state machine.";
  let description = [{
    The results are one bit per state: whether it is the current one. A reset leads to the first state. At a rising edge at which the enable is
    high (always, without one) the machine takes the first transition of its state whose condition is high, and else stays. Outputs that depend on
    inputs as well (Mealy) are made outside, from the results and the conditions.

    Constraints: (machine_c1) there is a state, and names of states are identifiers, each used once; (machine_c2) transitions lead to a state.

    Example:
    ```mlir
    rtl.module @control(in %clk : i1, in %rst : i1, in %start : i1, in %last : i1, out idle : i1) {
      %idle, %run, %drain = rtl.machine "control" %clk reset %rst {
        idle: %start -> run,
        run: %last -> drain,
        drain: %true -> idle
      }
      %true = arith.constant true
      rtl.output %idle : i1
    }
    ```
  }];
  let arguments = (ins StrAttr:$machine_name, Rtl_Wire:$clock, Rtl_Wire:$reset, Optional<Rtl_Wire>:$enable,
                       Variadic<Rtl_Wire>:$conditions, StrArrayAttr:$states, DenseI64ArrayAttr:$sources, DenseI64ArrayAttr:$targets);
  let results = (outs Variadic<Rtl_Wire>:$current);
  let builders = [OpBuilder<(ins "::llvm::StringRef":$name, "::mlir::Value":$clock, "::mlir::Value":$reset,
                                 "::llvm::ArrayRef<::llvm::StringRef>":$states, CArg<"::mlir::Value", "{}">:$enable)>];
  let skipDefaultBuilders = 1;
  let extraClassDeclaration = [{
    /// Appends a transition, after those of the same source that were added before.
    void addTransition(int64_t source, ::mlir::Value condition, int64_t target);
  }];
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

#endif // DIALECTS_RTL_STATEOPS_TD
