// From a program in loop form to a system of kernels, and back to functions.
#ifndef DIALECTS_SYSTEM_PASSES_TD
#define DIALECTS_SYSTEM_PASSES_TD

include "mlir/Pass/PassBase.td"

def SystemSearch : Pass<"system-search", "::mlir::func::FuncOp"> {
  let summary = "Put what becomes a kernel into a launch.";
  let description = [{
    Every operation of the body that runs (a nest, a condition, an access) becomes a launch of its own, in the order of the program. Two rules join them: what only
    fills an array that the program allocates moves to the nest that goes on with it; and operations that hand a value on, not an array, stay together with all that is between them. What is computed from
    arguments alone is computed in each launch that needs it, and so are constants.

    With `groups` there are that many launches at most, neighbours joined so that the one of most iterations has as few as possible.
    With `inputs` the body is one loop, over successive inputs, and launches are inside of it.

    Requires loop form (`hls-prepare`). Refuses, with the place: results that are no arrays, streams, operations outside of loop form, with `inputs` a body that is not one loop with constant bounds and step 1.
  }];
  let options = [
    Option<"groups", "groups", "int64_t", "0", "Launches at most; 0: one for each operation">,
    Option<"inputs", "inputs", "bool", "false", "The outermost loop goes through successive inputs">,
  ];
  let dependentDialects = ["SystemDialect"];
  let statistics = [Statistic<"launches", "launches", "Launches made">];
}

def SystemOutline : Pass<"system-outline", "::mlir::ModuleOp"> {
  let summary = "Make a kernel of every launch.";
  let description = [{
    The body of launch number n of the function f becomes @f_n in the system.module @f_kernels behind it; what it uses of the function are the kernel's arguments, in the order of use, constants its own. An array that one launch alone uses is allocated in its kernel,
    unless launches are inside of a loop.
  }];
  let dependentDialects = ["SystemDialect"];
  let statistics = [Statistic<"kernels", "kernels", "Kernels made">];
}

def SystemStreamInputs : Pass<"system-stream-inputs", "::mlir::ModuleOp"> {
  let summary = "Make streams of arguments that each input has a part of its own of.";
  let description = [{
    An argument `memref<NxAxBxT>` whose first subscript is the number of the input in every access, in a loop over inputs from 0 to N, becomes `!hls.stream<T>` (an integer of as many bits for a float): a packet of A·B tokens in row-major order for each input. The launches have a local `memref<AxBxT>` in its place, which a
    launch of its own fills from the stream (`@f_in0` for argument 0 of the function f) before they touch it, or empties onto it after they have (`@f_out0`). A kernel that needs the number of the input no more loses it. The argument keeps its array as the attribute `system.array`.

    What no launch writes is taken in; what launches surely store as a whole before one of them reads any goes out. Others, and those without a part for each input, stay arrays; a remark says why where an access has the number of the input as a subscript.

    Requires launches in a loop over inputs (`system-search=inputs`, `system-outline`), before `system-dispatch`.
  }];
  let dependentDialects = ["::spindle::hls::HlsDialect"];
  let statistics = [Statistic<"streams", "streams", "Arguments that became streams">];
}

def SystemDispatch : Pass<"system-dispatch", "::mlir::ModuleOp"> {
  let summary = "Say which launches share a circuit, and make channels of arrays.";
  let description = [{
    Kernels that differ in name and place alone become one. Launches of one kernel share a circuit (`on`): `all` of them, `none`, or with `auto` those that would not run at the same time anyway, because one waits for the other's arrays; a centralised system shares all.

    An array of the function becomes a `system.channel`. In a dataflow system it becomes another one with each launch that rewrites it as a whole, storing every element before it loads any, so that a program that uses memory again keeps nobody waiting. With a loop around the launches a channel has two buffers where each
    input proves to write all that it reads: the first launch that touches the array rewrites it.
  }];
  let options = [
    Option<"kind", "kind", "std::string", [{"dataflow"}], "centralised or dataflow">,
    Option<"share", "share", "std::string", [{"auto"}], "Launches that share a circuit: auto, all or none">,
  ];
  let dependentDialects = ["SystemDialect"];
  let statistics = [Statistic<"merged", "merged", "Kernels that were equal to others">,
                    Statistic<"split", "split", "Arrays made of others that were used again">,
                    Statistic<"circuits", "circuits", "Circuits that run the launches">];
}

def ConvertSystemToFunc : Pass<"convert-system-to-func", "::mlir::ModuleOp"> {
  let summary = "Make functions of kernels, and calls of launches.";
  let description = [{
    Kernels become private functions, launches calls of them or what they hold, channels allocations. What it computes stays as it was.
  }];
}

#endif // DIALECTS_SYSTEM_PASSES_TD
