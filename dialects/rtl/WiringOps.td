// Combinational operations that rearrange and choose bits.
#ifndef DIALECTS_RTL_WIRINGOPS_TD
#define DIALECTS_RTL_WIRINGOPS_TD

include "dialects/rtl/RtlOpBase.td"

def Rtl_WireOp : Rtl_ValueOp<"wire"> {
  let summary = "Name a value, or use it before it exists.";
  let description = [{
    The result is the input. Whoever builds a module may create the wire first and drive it later.

    Constraints: (wire_c1) the wire has a driver.

    Example:
    ```mlir
    rtl.module @loop(in %clk : i1, out y : i8) {
      %one = arith.constant 1 : i8
      %w = rtl.wire %q {name = "feedback"} : i8
      %n = arith.addi %w, %one : i8
      %q = rtl.reg %n, %clk : i8
      rtl.output %q : i8
    }
    ```
  }];
  let arguments = (ins Optional<Rtl_Bits>:$input);
  let results = (outs Rtl_Bits:$result);
  let builders = [OpBuilder<(ins "::mlir::Type":$type, "::llvm::StringRef":$name)>];
  let extraClassDeclaration = [{ void drive(::mlir::Value input) { getInputMutable().assign(input); } }];
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Rtl_ConcatOp : Rtl_ValueOp<"concat"> {
  let summary = "Put values side by side.";
  let description = [{
    The first operand becomes the highest bits.

    Constraints: (concat_c1) there is an operand, and the widths add up to that of the result.

    Example:
    ```mlir
    rtl.module @pair(in %high : i8, in %low : i4, out y : i12) {
      %y = rtl.concat %high, %low : i8, i4 -> i12
      rtl.output %y : i12
    }
    ```
  }];
  let arguments = (ins Variadic<Rtl_Bits>:$inputs);
  let results = (outs Rtl_Bits:$result);
  let builders = [OpBuilder<(ins "::mlir::ValueRange":$inputs)>];
  let assemblyFormat = "$inputs attr-dict `:` type($inputs) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Rtl_ExtractOp : Rtl_ValueOp<"extract"> {
  let summary = "Take some neighbouring bits.";
  let description = [{
    Bits `low` to `low + width − 1`, where width is that of the result.

    Constraints: (extract_c1) these bits exist.

    Example:
    ```mlir
    rtl.module @exponent(in %x : i64, out y : i11) {
      %y = rtl.extract %x from 52 : i64 -> i11
      rtl.output %y : i11
    }
    ```
  }];
  let arguments = (ins Rtl_Bits:$input, I64Attr:$low);
  let results = (outs Rtl_Bits:$result);
  let builders = [OpBuilder<(ins "::mlir::Value":$input, "int64_t":$low, "unsigned":$width)>];
  let assemblyFormat = "$input `from` $low attr-dict `:` type($input) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def Rtl_ReplicateOp : Rtl_ValueOp<"replicate"> {
  let summary = "Repeat a value.";
  let description = [{
    Constraints: (replicate_c1) the width of the result is a multiple of that of the input.

    Example:
    ```mlir
    rtl.module @mask(in %valid : i1, out y : i8) {
      %y = rtl.replicate %valid : i1 -> i8
      rtl.output %y : i8
    }
    ```
  }];
  let arguments = (ins Rtl_Bits:$input);
  let results = (outs Rtl_Bits:$result);
  let assemblyFormat = "$input attr-dict `:` type($input) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Rtl_OneHotOp : Rtl_ValueOp<"one_hot", [SameVariadicOperandSize]> {
  let summary = "Choose the value whose valid bit is high.";
  let description = [{
    `y = (valid0 ? value0 : 0) | (valid1 ? value1 : 0) | …`: a multiplexer where at most one valid bit is high, zero where none is.

    Constraints: (one_hot_c1) values have the type of the result.

    Example:
    ```mlir
    rtl.module @choose(in %v0 : i1, in %x0 : i64, in %v1 : i1, in %x1 : i64, out y : i64) {
      %y = rtl.one_hot (%v0, %x0), (%v1, %x1) : i64
      rtl.output %y : i64
    }
    ```
  }];
  let arguments = (ins Variadic<Rtl_Wire>:$valids, Variadic<Rtl_Bits>:$values);
  let results = (outs Rtl_Bits:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

#endif // DIALECTS_RTL_WIRINGOPS_TD
