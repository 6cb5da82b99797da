// Streams: queues of tokens between processes, in programs and in kernels.
#ifndef DIALECTS_HLS_STREAMS_TD
#define DIALECTS_HLS_STREAMS_TD

def Hls_StreamType : TypeDef<Hls_Dialect, "Stream"> {
  let mnemonic = "stream";
  let summary = "A queue of tokens from one process to another.";
  let description = [{
    `!hls.stream<i11>`: tokens of 1 to 64 bits, in the order in which they were written. As an argument of a kernel it is a port with `valid` and `ready`.
  }];
  let parameters = (ins "::mlir::Type":$element);
  let assemblyFormat = "`<` $element `>`";
  let genVerifyDecl = 1;
}

// What a program does with streams; BuildKernel makes FIFOs of them.

def Hls_MakeStreamOp : Hls_Op<"make_stream", [MemoryEffects<[MemAlloc, MemWrite]>]> {
  let summary = "Makes a stream between parts of a program.";
  let description = [{
    Parts of a program that a stream joins run at the same time as circuits; as a program they run one after the other, and the stream holds whatever was
    written. In the circuit, whatever writes waits while `depth` tokens are there.

    Constraints: (make_stream_c1) a depth of 1 to 65536.

    Example:
    ```mlir
    %events = hls.make_stream {depth = 16 : i64} : !hls.stream<i11>
    ```
  }];
  let arguments = (ins I64Attr:$depth);
  let results = (outs Hls_StreamType:$stream);
  let assemblyFormat = "attr-dict `:` type($stream)";
}

class Hls_TokenType<string token> : TypesMatchWith<"the token has the stream's type", "stream", token,
    "::llvm::cast<::spindle::hls::StreamType>($_self).getElement()">;

def Hls_ReadOp : Hls_Op<"read", [MemoryEffects<[MemRead, MemWrite]>, Hls_TokenType<"token">]> {
  let summary = "Takes the next token off a stream.";
  let description = [{
    Waits until there is one. A program that reads more tokens than were written is wrong; a circuit waits.

    Example:
    ```mlir
    %event = hls.read %events : !hls.stream<i11>
    ```
  }];
  let arguments = (ins Hls_StreamType:$stream);
  let results = (outs AnySignlessInteger:$token);
  let assemblyFormat = "$stream attr-dict `:` type($stream)";
  let hasVerifier = 0;
}

def Hls_WriteOp : Hls_Op<"write", [MemoryEffects<[MemRead, MemWrite]>, Hls_TokenType<"token">]> {
  let summary = "Puts a token on a stream.";
  let description = [{
    Example:
    ```mlir
    hls.write %event, %events : !hls.stream<i11>
    ```
  }];
  let arguments = (ins AnySignlessInteger:$token, Hls_StreamType:$stream);
  let assemblyFormat = "$token `,` $stream attr-dict `:` type($stream)";
  let hasVerifier = 0;
}

// The same in a kernel.

def Hls_FifoOp : Hls_Op<"fifo", [Symbol, HasParent<"KernelOp">]> {
  let summary = "A stream of a kernel.";
  let description = [{
    One task at a time takes tokens off it, one at a time puts tokens on it. With `argument`, the other end is a port of the kernel. An iteration whose pipeline
    may put a token begins while fewer than `depth` are there; those that are under way then find room beyond `depth`.

    Constraints: (fifo_c1) tokens of 1 to 64 bits, a depth of 1 to 65536.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttr:$type, I64Attr:$depth, OptionalAttr<I64Attr>:$argument);
  let assemblyFormat = "$sym_name `:` $type attr-dict";
  let extraClassDeclaration = [{
    unsigned getBits() { return getType().getIntOrFloatBitWidth(); }
  }];
}

def Hls_PopOp : Hls_Op<"pop", [HasParent<"PipelineOp">, MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Takes a token off a FIFO.";
  let description = [{
    The iteration begins only when the token is there: until then bubbles do, in which no access takes place and carried values stay as they are. So a token is
    taken in the first cycle of an iteration, and nothing stops on its way through the pipeline. Without `condition` it is always taken; where
    `condition` is false, the result is undefined.
    Constraints: (pop_c1) the FIFO exists and holds the type; (pop_c2) the start is cycle 0.
  }];
  let arguments = (ins FlatSymbolRefAttr:$fifo, Optional<I1>:$condition);
  let results = (outs AnySignlessInteger:$result);
  let assemblyFormat = "$fifo (`if` $condition^)? attr-dict `:` type($result)";
}

def Hls_PushOp : Hls_Op<"push", [HasParent<"PipelineOp">, MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Puts a token on a FIFO.";
  let description = [{
    It can be taken from the next cycle on. Constraints: (push_c1) the FIFO exists and holds the type.
  }];
  let arguments = (ins AnySignlessInteger:$value, FlatSymbolRefAttr:$fifo, Optional<I1>:$condition);
  let assemblyFormat = "$value `,` $fifo (`if` $condition^)? attr-dict `:` type($value)";
}

#endif // DIALECTS_HLS_STREAMS_TD
