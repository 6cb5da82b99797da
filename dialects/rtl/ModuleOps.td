// Modules, hand-written modules and their instances.
#ifndef DIALECTS_RTL_MODULEOPS_TD
#define DIALECTS_RTL_MODULEOPS_TD

include "dialects/rtl/RtlOpBase.td"

def Rtl_CircuitModuleOp : Rtl_Op<"module", [IsolatedFromAbove, Symbol, SingleBlock, HasParent<"::mlir::ModuleOp">,
                                            DeclareOpInterfaceMethods<RegionKindInterface>,
                                            DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>]> {
  let summary = "A module: ports and a graph of operations.";
  let description = [{
    Inputs are the arguments of the body, outputs the operands of its `rtl.output`. Where the name of a port is not that of its
    argument, it follows as a string.

    For whoever reads the SystemVerilog or a waveform: `comment` stands above the module; `aliases` are further names of inputs, as [name, input].
    They do not change the circuit. A value is called by the attribute `name` of its operation, else by a NameLoc that is its location
    (`loc("mulf_l12")`), else, where it has to be declared, after a NameLoc inside of its location, else after its operation.

    Constraints: (module_c1) names of the module and its ports are identifiers and no keywords of SystemVerilog, each used once; (module_c2) the body holds operations of this dialect and the
    listed ones of `arith` on signless integers of at least one bit; (module_c3) no cycle of combinational operations, also through
    combinational paths that an `rtl.extern` declares; (module_c4) names of instances are used once; (module_c5) outputs have the ports' types;
    (module_c6) `aliases` name inputs.

    Example:
    ```mlir
    rtl.module @counter(in %clk : i1, in %rst : i1, in %step : i8, out count : i8) {
      %next = arith.addi %count, %step : i8
      %count = rtl.reg %next, %clk reset %rst to 0 : i8
      rtl.output %count : i8
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<FunctionType>:$function_type, StrArrayAttr:$input_names,
                       StrArrayAttr:$output_names, OptionalAttr<StrAttr>:$comment, OptionalAttr<ArrayAttr>:$aliases);
  let regions = (region SizedRegion<1>:$body);
  let builders = [OpBuilder<(ins "::llvm::StringRef":$name, "::llvm::ArrayRef<Port>":$inputs, "::llvm::ArrayRef<Port>":$outputs)>];
  let skipDefaultBuilders = 1;
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let hasCanonicalizeMethod = 1;
  let extraClassDeclaration = [{
    ::mlir::Block *getBodyBlock() { return &getBody().front(); }
    OutputOp getTerminator();
    /// The value of the input port `name`, or null.
    ::mlir::Value getInput(::llvm::StringRef name);
    /// Further names of inputs, with the input that each stands for.
    ::llvm::SmallVector<std::pair<::llvm::StringRef, ::llvm::StringRef>> getAliasPairs();
  }];
}

def Rtl_OutputOp : Rtl_Op<"output", [Terminator, Pure, HasParent<"CircuitModuleOp">]> {
  let summary = "Drive the outputs of a module.";
  let description = [{
    One operand per output port, in their order.

    Example:
    ```mlir
    rtl.module @wires(in %a : i8, in %b : i1, out x : i8, out y : i1) {
      rtl.output %a, %b : i8, i1
    }
    ```
  }];
  let arguments = (ins Variadic<Rtl_Bits>:$outputs);
  let assemblyFormat = "($outputs^ `:` type($outputs))? attr-dict";
}

def Rtl_ExternOp : Rtl_Op<"extern", [Symbol, HasParent<"::mlir::ModuleOp">]> {
  let summary = "Declare a hand-written module.";
  let description = [{
    One declaration per specialisation: the widths are concrete, so that several may stand for the same `module_name` (the symbol where
    absent) with other parameters. `source` is the file that holds the module. `combinational` lists [input, output] pairs between which no
    register stands; `has_effects` keeps instances that nobody reads.

    Constraints: (extern_c1) names of ports are identifiers and no keywords of SystemVerilog, each used once; (extern_c2) `combinational` names an input and an output.

    Example:
    ```mlir
    rtl.extern @mulf_f64(in clk : i1, in ce : i1, in a : i64, in b : i64, out y : i64)
        parameters ["EXPONENT", "FRACTION", "LATENCY"] {module_name = "spindle_mulf", source = "spindle_mulf.sv"}
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<FunctionType>:$function_type, StrArrayAttr:$input_names,
                       StrArrayAttr:$output_names, DefaultValuedAttr<StrArrayAttr, "{}">:$parameters,
                       OptionalAttr<StrAttr>:$module_name, OptionalAttr<StrAttr>:$source,
                       OptionalAttr<ArrayAttr>:$combinational, UnitAttr:$has_effects);
  let builders = [OpBuilder<(ins "::llvm::StringRef":$name, "::llvm::ArrayRef<Port>":$inputs, "::llvm::ArrayRef<Port>":$outputs,
                                 "::llvm::ArrayRef<::llvm::StringRef>":$parameters, "::llvm::StringRef":$moduleName,
                                 "::llvm::StringRef":$source)>];
  let skipDefaultBuilders = 1;
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The name in SystemVerilog.
    ::llvm::StringRef getVerilogName() { return getModuleName().value_or(getSymName()); }
  }];
}

def Rtl_InstanceOp : Rtl_Op<"instance", [DeclareOpInterfaceMethods<SymbolUserOpInterface>,
                                         DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "A copy of a module.";
  let description = [{
    Ports are named, so that the text shows a wrong order; they come in the order of the declaration. Parameters are integers or strings.

    Constraints: (instance_c1) the module exists; (instance_c2) names and types of ports are those of the module;
    (instance_c3) parameters are those of the `rtl.extern`, each given.

    Example:
    ```mlir
    rtl.extern @addi(in clk : i1, in a : i8, in b : i8, out y : i8) parameters ["WIDTH"] {source = "addi.sv"}
    rtl.module @sum(in %clk : i1, in %a : i8, out y : i8) {
      %y = rtl.instance "adder" @addi parameters {WIDTH = 8 : i64} (clk: %clk : i1, a: %a : i8, b: %y : i8) -> (y: i8)
      rtl.output %y : i8
    }
    ```
  }];
  let arguments = (ins StrAttr:$instance_name, FlatSymbolRefAttr:$module, OptionalAttr<DictionaryAttr>:$parameters,
                       StrArrayAttr:$input_names, StrArrayAttr:$output_names, Variadic<Rtl_Bits>:$inputs);
  let results = (outs Variadic<Rtl_Bits>:$outputs);
  let builders = [OpBuilder<(ins "::llvm::StringRef":$name, "::mlir::Operation *":$target, "::mlir::ValueRange":$inputs,
                                 CArg<"::mlir::DictionaryAttr", "{}">:$parameters)>];
  let skipDefaultBuilders = 1;
  let hasCustomAssemblyFormat = 1;
}

#endif // DIALECTS_RTL_MODULEOPS_TD
