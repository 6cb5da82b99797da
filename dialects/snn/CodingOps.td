// From and to time, and the activation of an ANN.
#ifndef DIALECTS_SNN_CODINGOPS_TD
#define DIALECTS_SNN_CODINGOPS_TD

include "dialects/snn/SnnOpBase.td"

def Snn_ReluOp : Snn_Op<"relu", [SameOperandsAndResultType]> {
  let summary = "Rectify: the activation that conversion replaces by a population.";
  let description = [{
    `y = max(x, 0)`; not-a-number becomes zero. With a `maximum`, `y = min(max(x, 0), maximum)`. With `levels` besides, the
    clip-floor-shift activation of networks trained for few time steps (Bu et al., ICLR 2022):
    `y = clip(floor(x · (levels / maximum) + 1/2), 0, levels) · (maximum / levels)`.

    Constraints: (relu_c1) maximum is positive; (relu_c2) levels is at least one and comes with a maximum.

    Example:
    ```mlir
    func.func @relu(%x: tensor<128xf32>) -> tensor<128xf32> {
      %y = snn.relu %x {layer = "dense1"} : tensor<128xf32>
      return %y : tensor<128xf32>
    }
    ```
  }];
  let arguments = (ins Snn_Activation:$input, OptionalAttr<F32Attr>:$maximum, OptionalAttr<I64Attr>:$levels,
                       OptionalAttr<StrAttr>:$layer);
  let results = (outs Snn_Activation:$output);
  let builders = [OpBuilder<(ins "::mlir::Value":$input, "::mlir::StringAttr":$layer), [{
    build($_builder, $_state, input.getType(), input, ::mlir::FloatAttr(), ::mlir::IntegerAttr(), layer);
  }]>];
  let assemblyFormat = "$input attr-dict `:` type($input)";
}

def Snn_QuantizeOp : Snn_Op<"quantize", [SameOperandsAndResultType]> {
  let summary = "Round activations to integers of some unit.";
  let description = [{
    `y = min(max(floor(x / unit + 1/2), low), high)`; not-a-number becomes `low`. After the input of a network it makes pixels integers, of
    eight bits where `high − low` is 255; zero stays zero, so that zeros around an image do. After sums of integers, with a unit of 2^k, it is
    a shift to the right that rounds: `(x + 2^(k − 1)) >> k`.

    Constraints: (quantize_c1) unit is positive and finite; (quantize_c2) low is at most high, both lie within 2^24 by amount.

    Example:
    ```mlir
    func.func @pixels(%x: tensor<784xf32>) -> tensor<784xf32> {
      %q = snn.quantize %x {unit = 0.00392157 : f32, low = 0 : i64, high = 255 : i64} : tensor<784xf32>
      return %q : tensor<784xf32>
    }
    ```
  }];
  let arguments = (ins Snn_Activation:$input, F32Attr:$unit, I64Attr:$low, I64Attr:$high, OptionalAttr<StrAttr>:$layer);
  let results = (outs Snn_Activation:$output);
  let assemblyFormat = "$input attr-dict `:` type($input)";
}

def Snn_EncodeOp : Snn_Op<"encode"> {
  let summary = "Turn activations into a signal in time.";
  let description = [{
    With p = x / maximum, clipped to [0, 1], and t the number of the step from zero:
    - `direct`: x itself is the current of every step.
    - `poisson`: in each step a spike with probability p; the random number is a function of seed, sample, step and neuron, counted through all populations.
    - `regular`: a spike where `floor((t + 1) · p) > floor(t · p)`: p per step, at equal distances.
    - `latency`: one spike at step `steps − floor(p · steps + 1/2)`; none where that is `steps`.
    - `events`: a spike where the sample has an event at this element and step; x is the sample and must be the network's input.

    With `integers`, x holds integers (see `snn.quantize`) and nothing is rounded: with q = x, clipped to [0, maximum],
    - `regular`: a spike where `floor((t + 1) · q / maximum) > floor(t · q / maximum)`. An accumulator that begins at zero says the same:
      in each step `a ← a + q`, and where `a ≥ maximum` a spike and `a ← a − maximum`.
    - `latency`: one spike at step `steps − floor((2 · q · steps + maximum) / (2 · maximum))`.

    Constraints: (encode_c1) shapes are equal; (encode_c2) direct makes current, the others make spikes;
    (encode_c3) maximum is positive; (encode_c4) latency, and only it, has steps, at least one; (encode_c5) integers come with regular or latency,
    maximum is an integer up to 4,095 then, and `(2 · steps + 1) · maximum` of latency is less than 2^24: f32 holds all numbers on the way.

    Example:
    ```mlir
    func.func @encode(%x: tensor<784xf32>) -> !snn.spike_bundle<784x!snn.spike_train<?xf32>> {
      %s = snn.encode poisson %x {maximum = 1.0 : f32} : tensor<784xf32> -> !snn.spike_bundle<784x!snn.spike_train<?xf32>>
      return %s : !snn.spike_bundle<784x!snn.spike_train<?xf32>>
    }
    ```
  }];
  let arguments = (ins Snn_Activation:$input, Snn_Encoding:$encoding,
                       DefaultValuedAttr<F32Attr, "1.0f">:$maximum, OptionalAttr<I64Attr>:$steps,
                       OptionalAttr<StrAttr>:$layer, UnitAttr:$integers);
  let results = (outs AnyTypeOf<[Snn_SpikeBundle, Snn_Current]>:$output);
  let builders = [OpBuilder<(ins "::mlir::Type":$output, "::mlir::Value":$input, "Encoding":$encoding,
                                 CArg<"float", "1">:$maximum, CArg<"::mlir::StringAttr", "{}">:$layer), [{
    build($_builder, $_state, output, input, encoding, ::llvm::APFloat(maximum), ::mlir::IntegerAttr(), layer);
  }]>];
  let assemblyFormat = "custom<Word>($encoding) $input attr-dict `:` type($input) `->` type($output)";
}

def Snn_DecodeOp : Snn_Op<"decode"> {
  let summary = "Turn a signal in time into activations.";
  let description = [{
    `count`: the number of spikes so far, at most `maximum` where there is one. `membrane`: the value of an `snn.integrator` or `snn.li` now. `first_spike`: the number of
    steps since the first spike, that one included, so that the earliest has the largest value and the silent ones zero.
    Read after any step, it is the answer of the network stopped there. Layers may follow, which compute the answer from what was decoded;
    a `maximum` says then how many spikes there are at most in the steps that they are made for.

    Constraints: (decode_c1) shapes are equal; (decode_c2) count and first_spike read spikes, membrane reads a current;
    (decode_c3) a maximum comes with count and lies from 1 to 2^24.

    Example:
    ```mlir
    func.func @decode(%v: !snn.current<10xf32>) -> tensor<10xf32> {
      %y = snn.decode membrane %v : !snn.current<10xf32> -> tensor<10xf32>
      return %y : tensor<10xf32>
    }
    ```
  }];
  let arguments = (ins AnyTypeOf<[Snn_SpikeBundle, Snn_Current]>:$input, Snn_Decoding:$decoding, OptionalAttr<I64Attr>:$maximum);
  let results = (outs Snn_Activation:$output);
  let assemblyFormat = "custom<Word>($decoding) $input attr-dict `:` type($input) `->` type($output)";
}

#endif // DIALECTS_SNN_CODINGOPS_TD
