// The hls dialect: scheduled loops.
#ifndef DIALECTS_HLS_HLS_TD
#define DIALECTS_HLS_HLS_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Hls_Dialect : Dialect {
  let name = "hls";
  let cppNamespace = "::spindle::hls";
  let summary = "Loops with a start cycle and a unit for every operation.";
  let description = [{
    A kernel after scheduling and binding, before it becomes registers and wires. `hls.kernel` holds the
    memories (`hls.memory`), the functional units (`hls.unit`) and one tree of tasks: `hls.tasks` runs its
    children as soon as those named in their `after` are done, `hls.repeat` runs its tasks once per value of a
    counter, `hls.pipeline` is a flattened nest of loops whose iterations start `interval` cycles apart.

    Inside a pipeline every operation carries `hls.start`, its cycle after the start of the iteration. Operations
    that need a functional unit carry `hls.unit`. An operation with latency L has its result in cycle start + L; a
    result is used in that cycle or any later one.

    | operation | latency |
    |---|---|
    | with `hls.unit` | that of the unit; `hls.multiply_pair` always has one |
    | `hls.load` of a block memory or LUT RAM | `read_latency` of the memory |
    | `hls.load` of registers | 0 |
    | `hls.pop` | 0, in cycle 0 |
    | anything else | 0: combinational |

    A store in cycle t is seen by loads from cycle t + 1 on.

    Programs in loop form carry directives for the loop passes, which are refused where they are misspelt or hold something else:

    | attribute | of | says |
    |---|---|---|
    | `hls.unroll`, `hls.unroll_and_jam`, `hls.tile` | loops | iterations to join, 0 for all; of a tile |
    | `hls.buffer` | loops | elements of a local copy at most, 0 for any number |
    | `hls.at_least` | loops | iterations that are taken at least |
    | `hls.interval` | loops | cycles between iterations, from `spindle pipeline` |
    | `hls.independent` | `affine.for`, `scf.for` | `#hls.independent`: no two iterations meet in an element that one of them writes |
    | `hls.declared` | allocations | an array of the program that `#hls.independent` speaks of, set by `hls-prepare` |
    | `hls.partition` | arguments, allocations, constant arrays | banks, one `#hls.partition` per dimension |
    | `hls.bank` | accesses | the one bank that they touch |
    | `hls.copy` | constant arrays | which copy it is, from 1: a memory of its own |
    | `hls.bound`, `hls.index` | arguments, results | a constant; an index in the program |

    A pipeline of the exact scheduler carries what was proven: `hls.least_interval`, below which no schedule exists
    with the units that were allowed, and `hls.least_depth` (a unit attribute) where none is shorter with the units it takes.
  }];
  let dependentDialects = ["mlir::affine::AffineDialect", "mlir::arith::ArithDialect", "mlir::math::MathDialect"];
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
  let extraClassDeclaration = [{
    static constexpr llvm::StringLiteral startName = "hls.start";
    static constexpr llvm::StringLiteral unitName = "hls.unit";
    static constexpr llvm::StringLiteral leastIntervalName = "hls.least_interval";
    static constexpr llvm::StringLiteral leastDepthName = "hls.least_depth";
    static constexpr llvm::StringLiteral partitionName = "hls.partition";
    static constexpr llvm::StringLiteral bankName = "hls.bank";
    static constexpr llvm::StringLiteral copyName = "hls.copy";
    static constexpr llvm::StringLiteral boundName = "hls.bound";
    static constexpr llvm::StringLiteral indexName = "hls.index";
    static constexpr llvm::StringLiteral unrollName = "hls.unroll";
    static constexpr llvm::StringLiteral unrollAndJamName = "hls.unroll_and_jam";
    static constexpr llvm::StringLiteral tileName = "hls.tile";
    static constexpr llvm::StringLiteral bufferName = "hls.buffer";
    static constexpr llvm::StringLiteral atLeastName = "hls.at_least";
    static constexpr llvm::StringLiteral intervalName = "hls.interval";
    static constexpr llvm::StringLiteral independentName = "hls.independent";
    static constexpr llvm::StringLiteral declaredName = "hls.declared";
    static constexpr llvm::StringLiteral widenedName = "hls.widened";
    static constexpr llvm::StringLiteral indexArgumentsName = "hls.index_arguments";
    static constexpr llvm::StringLiteral indexResultsName = "hls.index_results";
  }];
}

def Hls_IndependentAttr : AttrDef<Hls_Dialect, "Independent"> {
  let mnemonic = "independent";
  let summary = "No two iterations of a loop meet.";
  let description = [{
    `hls.independent` of a loop: while the loops around it stand still, an element that one of its iterations writes is touched by no other.
    `#hls.independent` says so of all arrays of the program, `#hls.independent<[0, 2]>` of the arguments 0 and 2 of the function. Arrays that are
    allocated inside of loops, or by passes, are never meant. Dependences that the loop would carry are dropped; `cosim` checks the claim.
    Passes drop it from loops of which it would no longer be true.
  }];
  let parameters = (ins OptionalArrayRefParameter<"unsigned">:$arguments);
  let assemblyFormat = "(`<` `[` $arguments^ `]` `>`)?";
  let extraClassDeclaration = [{
    /// Whether it speaks of an array.
    bool covers(mlir::Value array) const;
  }];
}

class Hls_Op<string mnemonic, list<Trait> traits = []> : Op<Hls_Dialect, mnemonic, traits> {
  bit verifiesRegions = 0;
  let hasVerifier = !not(verifiesRegions);
  let hasRegionVerifier = verifiesRegions;
}

def Hls_DependenceAttr : AttrDef<Hls_Dialect, "Dependence"> {
  let mnemonic = "dependence";
  let summary = "Two accesses of one array that must keep their order.";
  let description = [{
    Access `from` of an iteration comes before access `to` of the iteration `distance` later. Accesses are
    counted by their position among the operations of the pipeline's body.
  }];
  let parameters = (ins "unsigned":$from, "unsigned":$to, "unsigned":$distance);
  let assemblyFormat = "`<` $from `->` $to `after` $distance `>`";
}
def Hls_DependenceArrayAttr : TypedArrayAttrBase<Hls_DependenceAttr, "dependences of a pipeline">;

def Hls_PartitionAttr : AttrDef<Hls_Dialect, "Partition"> {
  let mnemonic = "partition";
  let summary = "How one dimension of an array is spread over banks.";
  let description = [{
    `#hls.partition<none>`; `#hls.partition<block 4>`: four blocks of ceil(extent / 4) neighbours; `#hls.partition<cyclic 4>`: element i in
    bank i mod 4; `#hls.partition<complete>`: every element for itself. An array has one for each dimension, as `hls.partition` of a function's
    argument or an allocation, and as `partition` of `hls.memory`.
  }];
  let parameters = (ins "::spindle::hls::DimensionPartition::Kind":$kind, "int64_t":$factor);
  let builders = [AttrBuilder<(ins "::spindle::hls::DimensionPartition":$partition)>];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// For a dimension of `extent` elements.
    DimensionPartition over(int64_t extent) const;
  }];
}
def Hls_PartitionArrayAttr : TypedArrayAttrBase<Hls_PartitionAttr, "partitions of the dimensions of an array">;

def Hls_KernelOp : Hls_Op<"kernel", [IsolatedFromAbove, SymbolTable, Symbol, NoTerminator, SingleBlock]> {
  let summary = "A circuit with start and done.";
  let description = [{
    The block's arguments are the scalar arguments; `argument_index` holds their positions in the
    function the kernel is made from. Results, if any, are register memories named by `result_memories`.

    A kernel is scheduled by `hls-schedule`; before, its operations have no start, unit or port.

    Constraints: (kernel_c1) one index per block argument; (kernel_c2) exactly one `hls.tasks` at the end;
    (kernel_c3) tasks that may run at the same time use different units and different ports of a memory.

    Example:
    ```mlir
    hls.kernel @scale target "zynq-7020-100mhz" clock 1.0e+01 arguments [0] {
    ^bb0(%factor: f64):
      hls.memory @x : memref<8xf64> {argument = 1 : i64, ports = 2 : i64, read_latency = 1 : i64}
      hls.unit @mulf_f64_0 does ["mulf"] on f64 by "spindle_mulf" {interval = 1 : i64, latency = 6 : i64, parameters = {EXPONENT = 11 : i64, FRACTION = 52 : i64, LATENCY = 6 : i64}}
      hls.tasks {
        hls.pipeline "nest0" interval 1 depth 8 {
        ^bb0(%i: index):
          %a = hls.load @x bank 0 port 0 [%i] {hls.start = 0 : i64} : f64
          %y = arith.mulf %a, %factor {hls.start = 1 : i64, hls.unit = @mulf_f64_0} : f64
          hls.store %y, @x bank 0 port 1 [%i] {hls.start = 7 : i64} : f64
          hls.yield
        } {at_least = array<i64: 1>, dependences = [], lower_bounds = [affine_map<() -> (0)>], upper_bounds = [affine_map<() -> (8)>]}
      }
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, StrAttr:$target, F64Attr:$clock_period_ns,
                       DenseI64ArrayAttr:$argument_index, OptionalAttr<StrArrayAttr>:$result_memories);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $sym_name `target` $target `clock` $clock_period_ns `arguments` $argument_index
    (`results` $result_memories^)? $body attr-dict
  }];
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    TasksOp getTasks();
    /// Whether all pipelines are.
    bool isScheduled();
  }];
}

def Hls_MemoryOp : Hls_Op<"memory", [Symbol, HasParent<"KernelOp">]> {
  let summary = "An array: block memory, LUT RAM, or registers.";
  let description = [{
    With `argument`, the array lies outside the kernel and is reached by the kernel's ports; else inside.
    `distributed` is LUT RAM: the last port of a bank writes, the others read, in the same cycle (`read_latency` 0) or with a register behind; a word may
    be read in the cycle in which it is written, as it was before.
    `registers` keep every element in registers of their own: loads see it in the same cycle, any number of them.
    `partition` holds one `#hls.partition` per dimension; every bank has `ports` ports.
    `initial` is the contents after configuration, for constant arrays; registers with contents are constants, wires of the circuit.

    Constraints: (memory_c1) static shape, row-major; (memory_c2) one partition per dimension, of 1 to extent banks;
    (memory_c3) at least one port, read latency at least 1; (memory_c4) LUT RAM is inside, has at least two ports and a read latency of 0 or 1.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttr:$type, OptionalAttr<I64Attr>:$argument, UnitAttr:$registers, UnitAttr:$distributed,
                       DefaultValuedAttr<I64Attr, "2">:$ports, DefaultValuedAttr<I64Attr, "1">:$read_latency,
                       OptionalAttr<Hls_PartitionArrayAttr>:$partition, OptionalAttr<ElementsAttr>:$initial);
  let assemblyFormat = "$sym_name `:` $type attr-dict";
  let extraClassDeclaration = [{
    mlir::MemRefType getMemRef() { return llvm::cast<mlir::MemRefType>(getType()); }
    mlir::Type getElement() { return getMemRef().getElementType(); }
    /// Of a dimension; none where nothing is said.
    DimensionPartition getDimension(unsigned position);
    /// Number of banks, and words of one bank.
    int64_t getBanks();
    int64_t getBankWords();
  }];
}

def Hls_UnitOp : Hls_Op<"unit", [Symbol, HasParent<"KernelOp">]> {
  let summary = "One functional unit.";
  let description = [{
    An instance of the SystemVerilog module `module`; it does any of `operations` on numbers of `type`. With `operand_bits` it looks at so many low
    bits of each operand alone, as signed numbers.
    Constraints: (unit_c1) latency and interval at least 1; (unit_c2) operand bits from 1 to those of the integer type.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, StrArrayAttr:$operations, TypeAttr:$type, StrAttr:$module,
                       DictionaryAttr:$parameters, I64Attr:$latency, I64Attr:$interval, OptionalAttr<DenseI64ArrayAttr>:$operand_bits);
  let assemblyFormat = "$sym_name `does` $operations `on` $type `by` $module attr-dict";
}

def Hls_HeldOp : Hls_Op<"held", [HasParent<"KernelOp">, MemoryEffects<[MemRead]>]> {
  let summary = "What a register holds when a task starts.";
  let description = [{
    For bounds that are data: an earlier task has written the register, and none writes it while a task runs whose bounds come from it.
    Such a task starts one cycle later than others, in which the register has its value.
    Constraints: (held_c1) the memory is a register of rank 0 and this type.
  }];
  let arguments = (ins FlatSymbolRefAttr:$memory);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$memory attr-dict `:` type($result)";
}

def Hls_TasksOp : Hls_Op<"tasks", [NoTerminator, SingleBlock]> {
  let summary = "Pieces of work, each started when those before it are done.";
  let description = [{
    Constraints: (tasks_c1) children are `hls.pipeline` and `hls.repeat` with different names; (tasks_c2) `after`
    names earlier children.
  }];
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$body attr-dict";
}

def Hls_RepeatOp : Hls_Op<"repeat", [NoTerminator, SingleBlock, HasParent<"TasksOp">]> {
  let summary = "Its tasks, once per value of a counter.";
  let description = [{
    The counter runs from the largest result of `lower_bound` to below the smallest of `upper_bound`, maps of the `operands`.
    With `condition`, the name of a register, every turn, the first one too, takes place only while that holds 1: it is looked at a cycle after the
    start and after every turn. A map without results is no bound: the condition alone ends the loop.
    Constraints: (repeat_c1) one `hls.tasks` in the body; (repeat_c2) maps take the operands as dimensions; (repeat_c3) the condition is a register of rank 0
    and type i1, and a repeat without an upper bound has one, starts at 0 and does not use its counter.
  }];
  let arguments = (ins StrAttr:$name, OptionalAttr<StrArrayAttr>:$after, AffineMapAttr:$lower_bound,
                       AffineMapAttr:$upper_bound, Variadic<Index>:$bound_operands, OptionalAttr<FlatSymbolRefAttr>:$condition);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$name (`after` $after^)? (`of` $bound_operands^)? (`while` $condition^)? $body attr-dict";
  let extraClassDeclaration = [{
    mlir::Value getCounter() { return getBody().getArgument(0); }
    /// Whether the condition alone ends it.
    bool isUncounted() { return getUpperBound().getNumResults() == 0; }
    TasksOp getTasks();
  }];
}

def Hls_PipelineOp : Hls_Op<"pipeline", [SingleBlock, AttrSizedOperandSegments, HasParent<"TasksOp">]> {
  let summary = "A nest of loops whose iterations overlap.";
  let description = [{
    Level l runs from the largest result of `lower_bounds[l]` to below the smallest of `upper_bounds[l]`; these
    maps take as dimensions the `bound_operands`, then the counters of the levels outside. Level l takes at least `at_least[l]`
    iterations: where the bounds give fewer, the rest are bubbles, in which no access takes place. The block's arguments are the counters, then
    the values carried from one iteration to the next, of which the first iteration sees `carried`. A pipeline without levels runs once, or, where its
    `hls.yield` has a condition, until that is 0: the first iteration always starts, another one `interval` cycles later where the condition is 1.

    Constraints: (pipeline_c1) interval and depth at least 1; (pipeline_c2) as many maps and minima as levels; (pipeline_c3) every
    operation has a start and fits its unit; (pipeline_c4) results are used when they are there; (pipeline_c5) dependences hold;
    (pipeline_c6) in every cycle modulo the interval a unit and a port serve one operation; (pipeline_c7) depth is one more than the last cycle in
    which anything happens; (pipeline_c8) a pipeline that ends on data has no levels, and its condition is there in cycle `interval` - 1 at the
    latest. (pipeline_c3) to (pipeline_c8) hold from the schedule on: while no operation has a start, accesses need no port either.
  }];
  let arguments = (ins StrAttr:$name, OptionalAttr<StrArrayAttr>:$after, I64Attr:$interval, I64Attr:$depth,
                       AffineMapArrayAttr:$lower_bounds, AffineMapArrayAttr:$upper_bounds, DenseI64ArrayAttr:$at_least,
                       Hls_DependenceArrayAttr:$dependences,
                       Variadic<Index>:$bound_operands, Variadic<AnyType>:$carried);
  let verifiesRegions = 1;
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $name `interval` $interval `depth` $depth (`after` $after^)? (`of` $bound_operands^)?
    (`carries` $carried^ `:` type($carried))? $body attr-dict
  }];
  let extraClassDeclaration = [{
    unsigned getLevels() { return getAtLeast().size(); }
    /// Whether there is another iteration; null where counters tell.
    mlir::Value getCondition();
    /// The cycle of an iteration in which the condition is there; of a scheduled pipeline.
    int64_t getConditionCycle();
    /// The cycle, counted from the start of the iteration that uses it, in which a value is there, whatever iteration makes it; null for what is
    /// there all the time. Of a scheduled pipeline.
    std::optional<int64_t> getReadyCycle(mlir::Value value);
    /// Whether there may be more than one iteration.
    bool repeats() { return getLevels() > 0 || getCondition(); }
    /// Whether an operation has a start, or there is none.
    bool isScheduled();
    mlir::Block::BlockArgListType getCounters() { return getBody().getArguments().take_front(getLevels()); }
    mlir::Block::BlockArgListType getCarriedArguments() { return getBody().getArguments().drop_front(getLevels()); }
  }];
}

def Hls_LoadOp : Hls_Op<"load", [AttrSizedOperandSegments, HasParent<"PipelineOp">, MemoryEffects<[MemRead]>]> {
  let summary = "Reads one word of a bank.";
  let description = [{
    `address` counts words of the bank; registers of rank 0 have none. Without `condition` it always reads. The value is undefined where it is false.
    Constraints: (load_c1) the memory exists and holds the type; (load_c2) bank and port exist; registers have no port, and the last one of LUT RAM only writes.
  }];
  let arguments = (ins FlatSymbolRefAttr:$memory, I64Attr:$bank, OptionalAttr<I64Attr>:$port,
                       Optional<Index>:$address, Optional<I1>:$condition);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    $memory `bank` $bank (`port` $port^)? (`[` $address^ `]`)? (`if` $condition^)? attr-dict `:` type($result)
  }];
  let builders = [OpBuilder<(ins "mlir::Type":$result, "llvm::StringRef":$memory, "int64_t":$bank, "mlir::Value":$address, "mlir::Value":$condition)>];
}

def Hls_StoreOp : Hls_Op<"store", [AttrSizedOperandSegments, HasParent<"PipelineOp">, MemoryEffects<[MemWrite]>]> {
  let summary = "Writes one word of a bank.";
  let description = [{
    Constraints: (store_c1) as load_c1; (store_c2) as load_c2; (store_c3) registers with contents are constants.
  }];
  let arguments = (ins AnyType:$value, FlatSymbolRefAttr:$memory, I64Attr:$bank, OptionalAttr<I64Attr>:$port,
                       Optional<Index>:$address, Optional<I1>:$condition);
  let assemblyFormat = [{
    $value `,` $memory `bank` $bank (`port` $port^)? (`[` $address^ `]`)? (`if` $condition^)? attr-dict `:` type($value)
  }];
  let builders = [OpBuilder<(ins "mlir::Value":$value, "llvm::StringRef":$memory, "int64_t":$bank, "mlir::Value":$address, "mlir::Value":$condition)>];
}

def Hls_MultiplyPairOp : Hls_Op<"multiply_pair", [Pure, HasParent<"PipelineOp">, AllTypesMatch<["a", "b", "c"]>]> {
  let summary = "Two products that share a factor.";
  let description = [{
    a · c above b · c, each as wide as the factors, as one functional unit computes them in one DSP block. `unsigned` promises that b · c has no
    sign: the unit leaves room for it as such. Which factors a unit takes: `spindle_muli_pair`.
    Constraints: (multiply_pair_c1) the result has twice the bits of the factors.
  }];
  let arguments = (ins AnySignlessInteger:$a, AnySignlessInteger:$b, AnySignlessInteger:$c, UnitAttr:$isUnsigned);
  let results = (outs AnySignlessInteger:$result);
  let assemblyFormat = "$a `,` $b `by` $c (`unsigned` $isUnsigned^)? attr-dict `:` type($c) `->` type($result)";
}

def Hls_YieldOp : Hls_Op<"yield", [Pure, Terminator, AttrSizedOperandSegments, HasParent<"PipelineOp">]> {
  let summary = "Ends an iteration with the values carried to the next.";
  let description = [{
    With `condition`, there is another iteration where that is 1.
    Constraints: (yield_c1) one value per carried argument, of its type.
  }];
  let arguments = (ins Variadic<AnyType>:$values, Optional<I1>:$condition);
  let assemblyFormat = "($values^ `:` type($values))? (`while` $condition^)? attr-dict";
  let builders = [OpBuilder<(ins "mlir::ValueRange":$values), [{ build($_builder, $_state, values, mlir::Value()); }]>];
}

include "dialects/hls/Streams.td"

#endif // DIALECTS_HLS_HLS_TD
