// The system dialect: a program as kernels that are launched.
#ifndef DIALECTS_SYSTEM_SYSTEM_TD
#define DIALECTS_SYSTEM_SYSTEM_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def System_Dialect : Dialect {
  let name = "system";
  let cppNamespace = "::spindle::system";
  let summary = "Programs as kernels that are launched.";
  let description = [{
    A program in loop form becomes a system in three passes. `system-search` puts what becomes one kernel into a
    `system.launch`; `system-outline` makes a `system.func` of each of them and calls it by `system.launch_func`;
    `system-dispatch` says which launches share a circuit, and gives the arrays between kernels, `system.channel`,
    their number of buffers. `convert-system-to-func` goes back to functions and calls.

    Launches run one after the other, in the order of the program: that is what a system computes, whichever of them
    its circuit runs at the same time. A loop around all launches goes through successive inputs.
  }];
  let dependentDialects = ["::mlir::func::FuncDialect", "::mlir::memref::MemRefDialect"];
}

class System_Op<string mnemonic, list<Trait> traits = []> : Op<System_Dialect, mnemonic, traits>;

def System_ModuleOp : System_Op<"module", [IsolatedFromAbove, SymbolTable, Symbol, NoTerminator, SingleBlock]> {
  let summary = "The kernels of a program.";
  let description = [{
    Constant arrays that kernels read stand beside them.

    Constraints: (module_c1) holds `system.func` and constant `memref.global` only.

    Example:
    ```mlir
    system.module @kernels {
      system.func @clear(%x: memref<8xf32>) {
        %zero = arith.constant 0.0 : f32
        affine.for %i = 0 to 8 {
          affine.store %zero, %x[%i] : memref<8xf32>
        }
        system.return
      }
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$sym_name attr-dict-with-keyword $body";
  let hasVerifier = 1;
}

def System_FuncOp : System_Op<"func", [AffineScope, AutomaticAllocationScope, IsolatedFromAbove, HasParent<"ModuleOp">,
                                       FunctionOpInterface]> {
  let summary = "A kernel.";
  let description = [{
    A function over arrays, scalars and streams, in loop form. It has no results: what it computes stands in its arrays.

    Constraints: (func_c1) no results, and a body; (func_c2) arguments are arrays of static shape, integers, floats, indices and streams.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<FunctionType>:$function_type,
                       OptionalAttr<DictArrayAttr>:$arg_attrs, OptionalAttr<DictArrayAttr>:$res_attrs);
  let regions = (region AnyRegion:$body);
  let builders = [OpBuilder<(ins "::llvm::StringRef":$name, "::mlir::FunctionType":$type)>];
  let skipDefaultBuilders = 1;
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::llvm::ArrayRef<::mlir::Type> getArgumentTypes() { return getFunctionType().getInputs(); }
    ::llvm::ArrayRef<::mlir::Type> getResultTypes() { return getFunctionType().getResults(); }
    ::mlir::Region *getCallableRegion() { return &getBody(); }
  }];
}

def System_ReturnOp : System_Op<"return", [Pure, HasParent<"FuncOp">, Terminator]> {
  let summary = "The end of a kernel.";
  let assemblyFormat = "attr-dict";
}

def System_LaunchOp : System_Op<"launch", [AffineScope, AutomaticAllocationScope, RecursiveMemoryEffects,
                                           SingleBlockImplicitTerminator<"TerminatorOp">]> {
  let summary = "What becomes a kernel, where it stands in the program.";
  let description = [{
    Runs its body. Nothing in it is used outside of it.

    Example:
    ```mlir
    func.func @twice(%x: memref<8xi32>) {
      system.launch {
        affine.for %i = 0 to 8 {
          %value = affine.load %x[%i] : memref<8xi32>
          %sum = arith.addi %value, %value : i32
          affine.store %sum, %x[%i] : memref<8xi32>
        }
      }
      return
    }
    ```
  }];
  let regions = (region SizedRegion<1>:$body);
  let builders = [OpBuilder<(ins)>];
  let skipDefaultBuilders = 1;
  let assemblyFormat = "$body attr-dict";
}

def System_TerminatorOp : System_Op<"terminator", [Pure, HasParent<"LaunchOp">, Terminator]> {
  let summary = "The end of a launch.";
  let assemblyFormat = "attr-dict";
}

def System_LaunchFuncOp : System_Op<"launch_func", [DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "Launch a kernel, and wait for its end.";
  let description = [{
    `on` is the circuit that runs it, by number: launches of one kernel with the same number share it.

    Constraints: (launch_func_c1) the kernel exists and has arguments of these types.

    Example:
    ```mlir
    system.module @kernels {
      system.func @clear(%x: memref<8xf32>) {
        system.return
      }
    }
    func.func @twice(%x: memref<8xf32>) {
      %t = system.channel buffers 2 : memref<8xf32>
      system.launch_func @kernels::@clear on 0 (%x : memref<8xf32>)
      system.launch_func @kernels::@clear on 0 (%t : memref<8xf32>)
      return
    }
    ```
  }];
  let arguments = (ins SymbolRefAttr:$kernel, OptionalAttr<I64Attr>:$on, Variadic<AnyType>:$values);
  let assemblyFormat = "$kernel (`on` $on^)? ` ` `(` ($values^ `:` type($values))? `)` attr-dict";
}

def System_ChannelOp : System_Op<"channel", []> {
  let summary = "An array between kernels.";
  let description = [{
    Memory of the system, as `memref.alloc` makes it. With several `buffers`, each input of a loop around the launches
    has the next one, so that one kernel fills one of them while another still reads what the last input left. This is
    right only where each input writes all that it reads.

    Constraints: (channel_c1) one buffer or more; (channel_c2) an array of static shape.
  }];
  let arguments = (ins DefaultValuedAttr<I64Attr, "1">:$buffers);
  let results = (outs Res<AnyMemRef, "", [MemAlloc<DefaultResource>]>:$array);
  let assemblyFormat = "`buffers` $buffers attr-dict `:` type($array)";
  let hasVerifier = 1;
}

#endif // DIALECTS_SYSTEM_SYSTEM_TD
