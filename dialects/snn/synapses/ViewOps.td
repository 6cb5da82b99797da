// Rearrangements of a signal, in space and in time.
#ifndef DIALECTS_SNN_VIEWOPS_TD
#define DIALECTS_SNN_VIEWOPS_TD

include "dialects/snn/SnnOpBase.td"

def Snn_ReshapeOp : Snn_ViewOp<"reshape"> {
  let summary = "Arrange the same elements in another shape.";
  let description = [{
    Elements keep their row-major order. Flattening is a reshape to one dimension.

    Constraints: (reshape_c1) input and output have the same number of elements.

    Example:
    ```mlir
    func.func @flatten(%x: tensor<16x5x5xf32>) -> tensor<400xf32> {
      %y = snn.reshape %x : tensor<16x5x5xf32> -> tensor<400xf32>
      return %y : tensor<400xf32>
    }
    ```
  }];
  let arguments = (ins Snn_Signal:$input);
  let results = (outs Snn_Signal:$output);
  let assemblyFormat = "$input attr-dict `:` type($input) `->` type($output)";
  let hasFolder = 1;
}

def Snn_TransposeOp : Snn_ViewOp<"transpose"> {
  let summary = "Permute the dimensions.";
  let description = [{
    Dimension d of the output is dimension `permutation[d]` of the input.

    Constraints: (transpose_c1) permutation names each dimension once; (transpose_c2) the output has the permuted shape.

    Example:
    ```mlir
    func.func @to_chw(%x: tensor<28x28x3xf32>) -> tensor<3x28x28xf32> {
      %y = snn.transpose %x {permutation = array<i64: 2, 0, 1>} : tensor<28x28x3xf32> -> tensor<3x28x28xf32>
      return %y : tensor<3x28x28xf32>
    }
    ```
  }];
  let arguments = (ins Snn_Signal:$input, DenseI64ArrayAttr:$permutation);
  let results = (outs Snn_Signal:$output);
  let assemblyFormat = "$input attr-dict `:` type($input) `->` type($output)";
  let hasFolder = 1;
}

def Snn_ConcatOp : Snn_SynapseOp<"concat", ["getSources", "linearMap"]> {
  let summary = "Join signals along a dimension.";
  let description = [{
    The kind of signal stays where all inputs are of one kind; spikes among currents count as current.

    Constraints: (concat_c1) there is at least one input; (concat_c2) all are activations, or none is; (concat_c3) they have the same extents but
    along `axis`; (concat_c4) the output has the sum of extents there.

    Example:
    ```mlir
    func.func @concat(%x: tensor<2x4x4xf32>, %y: tensor<3x4x4xf32>) -> tensor<5x4x4xf32> {
      %z = snn.concat %x, %y {axis = 0 : i64} : (tensor<2x4x4xf32>, tensor<3x4x4xf32>) -> tensor<5x4x4xf32>
      return %z : tensor<5x4x4xf32>
    }
    ```
  }];
  let arguments = (ins Variadic<Snn_Signal>:$inputs, DefaultValuedAttr<I64Attr, "0">:$axis);
  let results = (outs Snn_Signal:$output);
  let assemblyFormat = "$inputs attr-dict `:` functional-type(operands, results)";
}

def Snn_DelayOp : Snn_ViewOp<"delay"> {
  let summary = "Pass a signal on after some steps.";
  let description = [{
    `y(t) = x(t − steps)`, zero before. `steps` has one value, one per channel (first dimension) or one per element.

    Constraints: (delay_c1) the input runs in time; (delay_c2) the type stays; (delay_c3) steps are zero or more, one, one per channel or one per element.

    Example:
    ```mlir
    func.func @delay(%s: !snn.spike_bundle<4x!snn.spike_train<?xf32>>) -> !snn.spike_bundle<4x!snn.spike_train<?xf32>> {
      %d = snn.delay %s {steps = array<i64: 0, 1, 1, 8>}
        : !snn.spike_bundle<4x!snn.spike_train<?xf32>> -> !snn.spike_bundle<4x!snn.spike_train<?xf32>>
      return %d : !snn.spike_bundle<4x!snn.spike_train<?xf32>>
    }
    ```
  }];
  let arguments = (ins Snn_Signal:$input, DenseI64ArrayAttr:$steps);
  let results = (outs Snn_Signal:$output);
  let assemblyFormat = "$input attr-dict `:` type($input) `->` type($output)";
}

def Snn_FeedbackOp : Snn_Op<"feedback"> {
  let summary = "The spikes that a population, here or further down, made some steps ago.";
  let description = [{
    `y(t) = s(t − steps)`, silent before, with s the spikes of the population whose `layer` is `population`. It makes recurrent
    networks out of operations in program order.

    Constraints: (feedback_c1) steps is at least one; (feedback_c2) exactly one spiking population (or gather of one) of the function has that name, and
    this shape.

    Example:
    ```mlir
    func.func @recurrent(%i: !snn.current<4xf32>, %w: tensor<4x4xf32>) -> !snn.spike_bundle<4x!snn.spike_train<?xf32>> {
      %back = snn.feedback "lif1" : !snn.spike_bundle<4x!snn.spike_train<?xf32>>
      %j = snn.dense %back, %w : (!snn.spike_bundle<4x!snn.spike_train<?xf32>>, tensor<4x4xf32>) -> !snn.current<4xf32>
      %sum = snn.add %i, %j : (!snn.current<4xf32>, !snn.current<4xf32>) -> !snn.current<4xf32>
      %s = snn.lif %sum reset zero {layer = "lif1", threshold = array<f32: 1.0>, tau = array<f32: 20.0>}
        : !snn.current<4xf32> -> !snn.spike_bundle<4x!snn.spike_train<?xf32>>
      return %s : !snn.spike_bundle<4x!snn.spike_train<?xf32>>
    }
    ```
  }];
  let arguments = (ins StrAttr:$population, DefaultValuedAttr<I64Attr, "1">:$steps);
  let results = (outs Snn_SpikeBundle:$output);
  let assemblyFormat = "$population attr-dict `:` type($output)";
}

def Snn_GatherOp : Snn_Op<"gather"> {
  let summary = "All spikes of a population of which this function holds a part.";
  let description = [{
    Several functions, one for each rank, hold the neurons of one population: this one those from `first` on, as many as the input has spikes. The
    result are the spikes of all of them in the same step, numbered row-major. `layer` is the name of the population; feedback may ask for it.
    Emulation divided by neurons makes such functions (`restrictNetwork`); they say nothing without the others.

    Constraints: (gather_c1) first is zero or more and the input ends within the output.

    Example:
    ```mlir
    func.func @part(%i: !snn.current<2xf32>) -> !snn.spike_bundle<4x!snn.spike_train<?xf32>> {
      %s = snn.lif %i reset zero {layer = "lif1", threshold = array<f32: 1.0>, tau = array<f32: 20.0>}
        : !snn.current<2xf32> -> !snn.spike_bundle<2x!snn.spike_train<?xf32>>
      %all = snn.gather %s {first = 2 : i64, layer = "lif1"}
        : !snn.spike_bundle<2x!snn.spike_train<?xf32>> -> !snn.spike_bundle<4x!snn.spike_train<?xf32>>
      return %all : !snn.spike_bundle<4x!snn.spike_train<?xf32>>
    }
    ```
  }];
  let arguments = (ins Snn_SpikeBundle:$input, I64Attr:$first, OptionalAttr<StrAttr>:$layer);
  let results = (outs Snn_SpikeBundle:$output);
  let assemblyFormat = "$input attr-dict `:` type($input) `->` type($output)";
}

#endif // DIALECTS_SNN_VIEWOPS_TD
