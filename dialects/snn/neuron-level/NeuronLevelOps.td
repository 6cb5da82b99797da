// Operations of the snn dialect, neuron level: single neurons on lists of spike times.
#ifndef DIALECTS_SNN_NEURONLEVELOPS_TD
#define DIALECTS_SNN_NEURONLEVELOPS_TD

include "mlir/Interfaces/SideEffectInterfaces.td"
include "dialects/snn/SnnAttrs.td"
include "dialects/snn/SnnTypes.td"

class Snn_NeuronLevelOp<string mnemonic, list<Trait> traits = []>
    : Op<Snn_Dialect, mnemonic, !listconcat([Pure], traits)> {
  let hasVerifier = 1;
}

/// Lengths of trains are known only when the program runs (train_c1).
def Snn_OpenTrain : Type<
    CPred<"::llvm::isa<::spindle::snn::SpikeTrainType>($_self) && "
          "::mlir::ShapedType::isDynamic(::llvm::cast<::spindle::snn::SpikeTrainType>($_self).getLength())">,
    "spike train of unknown length">;
def Snn_OpenBundle : Type<
    CPred<"::llvm::isa<::spindle::snn::SpikeBundleType>($_self) && "
          "::mlir::ShapedType::isDynamic(::llvm::cast<::spindle::snn::SpikeBundleType>($_self).getTrain().getLength())">,
    "bundle of spike trains of unknown length">;
def Snn_Trains : AnyTypeOf<[Snn_OpenTrain, Snn_OpenBundle]>;
def Snn_Times : RankedTensorOf<[F32]>;
def Snn_Indices : RankedTensorOf<[Index]>;

//===-- tensors of times --------------------------------------------------===//

def Snn_TensorToSpikeTrainOp : Snn_NeuronLevelOp<"tensor_to_spike_train"> {
  let summary = "Read a list of times as a spike train.";
  let description = [{
    The finite elements are the spike times in ms, ascending and not negative; +inf after them is padding. Anything else is an error
    when the program runs.

    Constraints: (train_c1) the train is of unknown length; (tensor_to_spike_train_c1) the tensor has one dimension.

    Example:
    ```mlir
    func.func @train(%times: tensor<4xf32>) -> !snn.spike_train<?xf32> {
      %train = snn.tensor_to_spike_train(%times : tensor<4xf32>) : !snn.spike_train<?xf32>
      return %train : !snn.spike_train<?xf32>
    }
    ```
  }];
  let arguments = (ins Snn_Times:$times);
  let results = (outs Snn_OpenTrain:$train);
  let assemblyFormat = "`(` $times `:` type($times) `)` attr-dict `:` type($train)";
}

def Snn_SpikeTrainToTensorOp : Snn_NeuronLevelOp<"spike_train_to_tensor"> {
  let summary = "Write a spike train as a list of times.";
  let description = [{
    A tensor of static length is filled up with +inf; a train that does not fit is an error when the program runs. A tensor of
    dynamic length has one element per spike.

    Constraints: train_c1; (spike_train_to_tensor_c1) the tensor has one dimension.

    Example:
    ```mlir
    func.func @times(%train: !snn.spike_train<?xf32>) -> tensor<?xf32> {
      %times = snn.spike_train_to_tensor(%train : !snn.spike_train<?xf32>) : tensor<?xf32>
      return %times : tensor<?xf32>
    }
    ```
  }];
  let arguments = (ins Snn_OpenTrain:$train);
  let results = (outs Snn_Times:$times);
  let assemblyFormat = "`(` $train `:` type($train) `)` attr-dict `:` type($times)";
}

def Snn_TensorToSpikeTrainBundleOp : Snn_NeuronLevelOp<"tensor_to_spike_train_bundle"> {
  let summary = "Read a tensor of times as a bundle of spike trains.";
  let description = [{
    The rank of the bundle says how. A tensor of the same rank holds one time per train, +inf for a train without a spike. A tensor of
    one rank more holds in its last dimension the times of each train, as `snn.tensor_to_spike_train` reads them.

    Constraints: train_c1; (tensor_to_bundle_c1) the tensor has the bundle's rank or one more; (bundle_c1) extents of
    the result agree with those that follow where both are known; the run checks the others.

    Example:
    ```mlir
    func.func @bundle(%first: tensor<2xf32>, %lists: tensor<2x5xf32>) {
      %one_each = snn.tensor_to_spike_train_bundle(%first : tensor<2xf32>) : !snn.spike_bundle<?x!snn.spike_train<?xf32>>
      %ragged = snn.tensor_to_spike_train_bundle(%lists : tensor<2x5xf32>) : !snn.spike_bundle<2x!snn.spike_train<?xf32>>
      return
    }
    ```
  }];
  let arguments = (ins Snn_Times:$times);
  let results = (outs Snn_OpenBundle:$bundle);
  let assemblyFormat = "`(` $times `:` type($times) `)` attr-dict `:` type($bundle)";
}

def Snn_SpikeBundleToTensorOp : Snn_NeuronLevelOp<"spike_bundle_to_tensor"> {
  let summary = "Write a bundle of spike trains as a tensor of times.";
  let description = [{
    A tensor of one rank more than the bundle holds in its last dimension the times of each train, filled up with +inf to the static
    extent or, where that is `?`, to the longest train. A tensor of the same rank holds one time per train, +inf for a silent
    one. A train that does not fit is an error when the program runs.

    Constraints: train_c1; (bundle_to_tensor_c1) the tensor has the bundle's rank or one more; bundle_c1.

    Example:
    ```mlir
    func.func @tensor(%bundle: !snn.spike_bundle<2x3x!snn.spike_train<?xf32>>) -> tensor<2x3x?xf32> {
      %times = snn.spike_bundle_to_tensor(%bundle : !snn.spike_bundle<2x3x!snn.spike_train<?xf32>>) : tensor<2x3x?xf32>
      return %times : tensor<2x3x?xf32>
    }
    ```
  }];
  let arguments = (ins Snn_OpenBundle:$bundle);
  let results = (outs Snn_Times:$times);
  let assemblyFormat = "`(` $bundle `:` type($bundle) `)` attr-dict `:` type($times)";
}

//===-- bundles -----------------------------------------------------------===//

def Snn_SpikeBundleSelectOp : Snn_NeuronLevelOp<"spike_bundle_select"> {
  let summary = "Take one train out of a bundle.";
  let description = [{
    Constraints: train_c1; (select_c1) there is one index per dimension; (select_c2) no index is outside a static extent. An index
    outside an extent that only the run knows is an error then; canonicalisation may remove it with an operation.

    Example:
    ```mlir
    func.func @select(%bundle: !snn.spike_bundle<?x3x!snn.spike_train<?xf32>>) -> !snn.spike_train<?xf32> {
      %train = snn.spike_bundle_select(%bundle[0, 2] : !snn.spike_bundle<?x3x!snn.spike_train<?xf32>>) : !snn.spike_train<?xf32>
      return %train : !snn.spike_train<?xf32>
    }
    ```
  }];
  let arguments = (ins Snn_OpenBundle:$bundle, DenseI64ArrayAttr:$position);
  let results = (outs Snn_OpenTrain:$train);
  let assemblyFormat = "`(` $bundle `` $position `:` type($bundle) `)` attr-dict `:` type($train)";
  let hasCanonicalizer = 1;
  let hasFolder = 1;
}

def Snn_SpikeBundleCollectOp : Snn_NeuronLevelOp<"spike_bundle_collect"> {
  let summary = "Make a bundle of trains.";
  let description = [{
    The trains fill the bundle in row-major order. There may be none.

    Constraints: train_c1; (collect_c1) the bundle's extents multiply to the number of trains; a bundle of one dimension may have `?`.

    Example:
    ```mlir
    func.func @collect(%a: !snn.spike_train<?xf32>, %b: !snn.spike_train<?xf32>) -> !snn.spike_bundle<2x!snn.spike_train<?xf32>> {
      %bundle = snn.spike_bundle_collect(%a : !snn.spike_train<?xf32>, %b : !snn.spike_train<?xf32>) : !snn.spike_bundle<2x!snn.spike_train<?xf32>>
      return %bundle : !snn.spike_bundle<2x!snn.spike_train<?xf32>>
    }
    ```
  }];
  let arguments = (ins Variadic<Snn_OpenTrain>:$trains);
  let results = (outs Snn_OpenBundle:$bundle);
  let assemblyFormat = "`(` custom<TypedOperands>($trains, type($trains)) `)` attr-dict `:` type($bundle)";
  let hasFolder = 1;
}

def Snn_SpikeBundleInsertOp : Snn_NeuronLevelOp<"spike_bundle_insert"> {
  let summary = "Insert trains into a bundle.";
  let description = [{
    The bundle grows by one along dimension `axis` (0 unless given): before `position` comes the inserted train, or for a bundle of
    several dimensions a bundle of the remaining ones. A position equal to the extent appends.

    Constraints: train_c1; (insert_c1) the axis is a dimension of the bundle; (insert_c2) a train is inserted into one dimension, a bundle of one
    rank less into more, its extents those beside the axis; (insert_c3) the position is not beyond a static extent; bundle_c1.

    Example:
    ```mlir
    func.func @insert(%a: !snn.spike_train<?xf32>, %b: !snn.spike_bundle<2x!snn.spike_train<?xf32>>) -> !snn.spike_bundle<3x!snn.spike_train<?xf32>> {
      %bundle = snn.spike_bundle_insert(%a : !snn.spike_train<?xf32> into %b[1] : !snn.spike_bundle<2x!snn.spike_train<?xf32>>) : !snn.spike_bundle<3x!snn.spike_train<?xf32>>
      return %bundle : !snn.spike_bundle<3x!snn.spike_train<?xf32>>
    }
    ```
  }];
  let arguments = (ins Snn_Trains:$inserted, Snn_OpenBundle:$bundle, I64Attr:$position,
                       DefaultValuedAttr<I64Attr, "0">:$axis);
  let results = (outs Snn_OpenBundle:$result);
  let assemblyFormat = "`(` $inserted `:` type($inserted) `into` $bundle `[` $position `]` `:` type($bundle) `)` attr-dict `:` type($result)";
}

def Snn_SpikeBundleRemoveOp : Snn_NeuronLevelOp<"spike_bundle_remove"> {
  let summary = "Remove trains from a bundle.";
  let description = [{
    The bundle loses what stands at `position` of dimension `axis` (0 unless given).

    Constraints: train_c1; (remove_c1) the axis is a dimension of the bundle; (remove_c2) the position is inside a static extent; bundle_c1.

    Example:
    ```mlir
    func.func @remove(%b: !snn.spike_bundle<2x3x!snn.spike_train<?xf32>>) -> !snn.spike_bundle<2x2x!snn.spike_train<?xf32>> {
      %bundle = snn.spike_bundle_remove(%b[0] : !snn.spike_bundle<2x3x!snn.spike_train<?xf32>>) {axis = 1 : i64} : !snn.spike_bundle<2x2x!snn.spike_train<?xf32>>
      return %bundle : !snn.spike_bundle<2x2x!snn.spike_train<?xf32>>
    }
    ```
  }];
  let arguments = (ins Snn_OpenBundle:$bundle, I64Attr:$position, DefaultValuedAttr<I64Attr, "0">:$axis);
  let results = (outs Snn_OpenBundle:$result);
  let assemblyFormat = "`(` $bundle `[` $position `]` `:` type($bundle) `)` attr-dict `:` type($result)";
  let hasFolder = 1;
}

def Snn_SpikeBundleSliceOp : Snn_NeuronLevelOp<"spike_bundle_slice"> {
  let summary = "Take a strided part of a bundle.";
  let description = [{
    Train (i, …) of the result is train (offset_0 + i · stride_0, …) of the bundle. Three lists: offsets, sizes, strides.

    Constraints: train_c1; (slice_c1) offsets and sizes are not negative, strides positive, one per dimension; (slice_c2) the last train
    lies inside a static extent; bundle_c1.

    Example:
    ```mlir
    func.func @slice(%b: !snn.spike_bundle<4x6x!snn.spike_train<?xf32>>) -> !snn.spike_bundle<2x3x!snn.spike_train<?xf32>> {
      %part = snn.spike_bundle_slice(%b[1, 0] [2, 3] [1, 2] : !snn.spike_bundle<4x6x!snn.spike_train<?xf32>>) : !snn.spike_bundle<2x3x!snn.spike_train<?xf32>>
      return %part : !snn.spike_bundle<2x3x!snn.spike_train<?xf32>>
    }
    ```
  }];
  let arguments = (ins Snn_OpenBundle:$bundle, DenseI64ArrayAttr:$offsets, DenseI64ArrayAttr:$sizes, DenseI64ArrayAttr:$strides);
  let results = (outs Snn_OpenBundle:$result);
  let assemblyFormat = "`(` $bundle `` $offsets $sizes $strides `:` type($bundle) `)` attr-dict `:` type($result)";
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def Snn_SpikeBundlePermuteOp : Snn_NeuronLevelOp<"spike_bundle_permute"> {
  let summary = "Permute the dimensions of a bundle.";
  let description = [{
    Dimension d of the result is dimension `permutation[d]` of the bundle, as in `snn.transpose`.

    Constraints: train_c1; (permute_c1) the permutation names each dimension once; bundle_c1.

    Example:
    ```mlir
    func.func @permute(%b: !snn.spike_bundle<4x?x!snn.spike_train<?xf32>>) -> !snn.spike_bundle<?x4x!snn.spike_train<?xf32>> {
      %turned = snn.spike_bundle_permute(%b permutation [1, 0] : !snn.spike_bundle<4x?x!snn.spike_train<?xf32>>) : !snn.spike_bundle<?x4x!snn.spike_train<?xf32>>
      return %turned : !snn.spike_bundle<?x4x!snn.spike_train<?xf32>>
    }
    ```
  }];
  let arguments = (ins Snn_OpenBundle:$bundle, DenseI64ArrayAttr:$permutation);
  let results = (outs Snn_OpenBundle:$result);
  let assemblyFormat = "`(` $bundle `permutation` $permutation `:` type($bundle) `)` attr-dict `:` type($result)";
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

//===-- order of first spikes ---------------------------------------------===//

class Snn_OrderOp<string mnemonic> : Snn_NeuronLevelOp<mnemonic> {
  let arguments = (ins Snn_OpenBundle:$bundle);
  let results = (outs Snn_Indices:$order);
  let assemblyFormat = "`(` $bundle `:` type($bundle) `)` attr-dict `:` type($order)";
}

def Snn_GetOrderOp : Snn_OrderOp<"get_order"> {
  let summary = "List the trains of a bundle by their first spike, earliest first.";
  let description = [{
    The result holds row-major indices of trains: ascending time of the first spike, equal times by lower index, silent trains last (also
    by index).

    Constraints: train_c1; (order_c1) the result has one dimension, of as many elements as there are trains (bundle_c1).

    Example:
    ```mlir
    func.func @order(%b: !snn.spike_bundle<10x!snn.spike_train<?xf32>>) -> tensor<10xindex> {
      %order = snn.get_order(%b : !snn.spike_bundle<10x!snn.spike_train<?xf32>>) : tensor<10xindex>
      return %order : tensor<10xindex>
    }
    ```
  }];
}

def Snn_GetRevOrderOp : Snn_OrderOp<"get_rev_order"> {
  let summary = "List the trains of a bundle by their first spike, latest first.";
  let description = [{
    As `snn.get_order`, but descending time of the first spike. Equal times still by lower index, silent trains still last: it is not
    the reversed list.

    Constraints: train_c1; order_c1.

    Example:
    ```mlir
    func.func @rev_order(%b: !snn.spike_bundle<?x!snn.spike_train<?xf32>>) -> tensor<?xindex> {
      %order = snn.get_rev_order(%b : !snn.spike_bundle<?x!snn.spike_train<?xf32>>) : tensor<?xindex>
      return %order : tensor<?xindex>
    }
    ```
  }];
}

//===-- the neuron --------------------------------------------------------===//

def Snn_SingleNeuronOp : Snn_NeuronLevelOp<"neuron", [AttrSizedOperandSegments]> {
  let summary = "One leaky integrate-and-fire neuron.";
  let description = [{
    Operands: the input (a train or a bundle), optionally weights (one per train, 1 without), optionally a bias. The parameters
    `k` (rate of decay, 1/ms), `vth` (threshold) and `vrest` (resting potential) are attributes of the operation or of the module
    (`snn.lif.k`, `snn.lif.vth`, `snn.lif.vrest`).

    *In continuous time.* The membrane starts at `initial_membrane` (vrest unless given) at time 0 and decays towards
    E = vrest + bias: `v(t) = E + (v(t0) − E) · exp(−k · (t − t0))`. At the time of input spikes the weights of all of them are added, in
    ascending order of trains; then, if v ≥ vth, the neuron emits a spike at that time. When E > vth the membrane also crosses the
    threshold between input spikes, at `t0 + ln((v(t0) − E) / (vth − E)) / k`: the spike has that time. A crossing that coincides with an
    input spike comes first. The run ends with the last input spike, or at `until` (ms, inclusive; later input is not read); nothing
    but crossings can happen after the last input.

    *In steps* of `step` ms. Step n holds the input spikes in (n · step, (n + 1) · step], the first one those at 0 too. A step adds the current
    i = Σ weight · (spikes of the train in this step), in ascending order of trains from zero, + bias: `v ← v + r · i` where k = 0, else
    `v ← v + ((vrest − v) + r · i) · (k · step)`; then, if v ≥ vth, a spike at the end of the step. `steps` of them run, without it up to the
    step of the last input spike. These are the semantics of `snn.if` and `snn.lif`, float for float.

    A spike resets the membrane to `v_reset` (vrest unless given), or lowers it by vth (`reset subtract`). A neuron that is
    still at its threshold fires again at once, up to `max_spikes` times. For `refractory` ms after a spike,
    the end included, the membrane keeps its value and input is lost.

    Everything is f32, each operation rounded.

    Constraints: train_c1; (neuron_level_c1) weights have the shape of the bundle, one value for a train; (neuron_level_c2) k, vth and vrest are
    given by the operation or the module; (neuron_level_c3) numbers are finite, k, refractory and until not negative, step positive, steps
    and max_spikes 1 to 2^24; (neuron_level_c4) `steps` and `r` need `step`, `until` excludes it; (neuron_level_c5) in continuous time vrest, v_reset and
    initial_membrane are below vth; (neuron_level_c6) reset by subtraction needs a positive vth.

    Example:
    ```mlir
    func.func @neuron(%in: !snn.spike_bundle<2x!snn.spike_train<?xf32>>, %w: tensor<2xf32>, %b: f32) -> !snn.spike_train<?xf32> {
      %h = snn.neuron(%in : !snn.spike_bundle<2x!snn.spike_train<?xf32>>, %w : tensor<2xf32>, %b : f32) {k = 1.0 : f32, vth = 30.0 : f32, vrest = -20.0 : f32} : !snn.spike_train<?xf32>
      %s = snn.neuron(%h : !snn.spike_train<?xf32>) reset subtract {k = 0.0 : f32, vth = 1.0 : f32, vrest = 0.0 : f32, step = 1.0 : f32, steps = 64 : i64} : !snn.spike_train<?xf32>
      return %s : !snn.spike_train<?xf32>
    }
    ```
  }];
  let arguments = (ins Snn_Trains:$spikes, Optional<Snn_Times>:$weights, Optional<F32>:$bias,
                       OptionalAttr<F32Attr>:$k, OptionalAttr<F32Attr>:$vth, OptionalAttr<F32Attr>:$vrest,
                       DefaultValuedAttr<Snn_Reset, "::spindle::snn::Reset::Zero">:$reset,
                       OptionalAttr<F32Attr>:$v_reset, OptionalAttr<F32Attr>:$initial_membrane,
                       DefaultValuedAttr<F32Attr, "0.0f">:$refractory,
                       DefaultValuedAttr<I64Attr, "1">:$max_spikes,
                       OptionalAttr<F32Attr>:$until, OptionalAttr<F32Attr>:$step, OptionalAttr<I64Attr>:$steps,
                       DefaultValuedAttr<F32Attr, "1.0f">:$r);
  let results = (outs Snn_OpenTrain:$train);
  let assemblyFormat = [{
    `(` custom<NeuronOperands>($spikes, type($spikes), $weights, type($weights), $bias, type($bias)) `)` (`reset` custom<Word>($reset)^)? attr-dict `:` type($train)
  }];
  let extraClassDeclaration = [{
    /// Attributes of the operation and the module, filled up. The verifier has seen to it that they are there.
    ::spindle::snn::SingleNeuron parameters();
  }];
}

#endif // DIALECTS_SNN_NEURONLEVELOPS_TD
