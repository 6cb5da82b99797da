// Populations.
#ifndef DIALECTS_SNN_NEURONOPS_TD
#define DIALECTS_SNN_NEURONOPS_TD

include "dialects/snn/SnnOpBase.td"

/// Parameters are arrays of one value, or of one per channel (first dimension), or one per neuron (neuron_c1); inputs and
/// result have the same shape (neuron_c2).
class Snn_NeuronOp<string mnemonic> : Snn_Op<mnemonic, [DeclareOpInterfaceMethods<NeuronOp, ["neuronModel"]>]>;

/// A spiking population: a threshold exceeds v_reset with reset zero, is positive with reset subtract (neuron_c3);
/// refractory steps are zero or more (neuron_c4); max_spikes is at least one, and one unless the reset subtracts
/// or crossings are exact (neuron_c5).
defvar Snn_Zero = "{0.0f}";
defvar Snn_One = "{1.0f}";
class Snn_Default<string value> : DefaultValuedAttr<DenseF32ArrayAttr, value>;
defvar Snn_Euler = DefaultValuedAttr<Snn_Discretization, "::spindle::snn::Discretization::Euler">;
defvar Snn_FireArguments = (ins Snn_Reset:$reset, DenseF32ArrayAttr:$threshold, Snn_Default<Snn_Zero>:$v_reset,
                                Snn_Default<Snn_Zero>:$initial_membrane,
                                DefaultValuedAttr<DenseI64ArrayAttr, "{0}">:$refractory,
                                DefaultValuedAttr<I64Attr, "1">:$max_spikes, OptionalAttr<StrAttr>:$layer);

def Snn_IfOp : Snn_NeuronOp<"if"> {
  let summary = "A population of integrate-and-fire neurons.";
  let description = [{
    `dv/dt = r · i`, in each step `v ← v + r · i`, then a spike if `v ≥ threshold`, and with it `v ← v − threshold` (reset `subtract`) or
    `v ← v_reset` (reset `zero`). v starts at `initial_membrane`.

    After a spike the membrane keeps its value for `refractory` steps. With `max_spikes` above one a step
    makes as many spikes as thresholds are reached, up to that number.
    `discretization` `euler` and `exact` mean the same here; with `exact_crossing` v grows linearly within the step, a spike falls where it
    meets the threshold, and what is left of the step (unless refractory) is integrated from the reset on.

    Constraints: (neuron_c1) a parameter has one value, one per channel or one per neuron; (neuron_c2) shapes are equal;
    (neuron_c3) thresholds are positive with reset subtract, above v_reset with reset zero; (neuron_c4) refractory is zero or more; (neuron_c5) max_spikes
    is at least one, and more than one only with reset subtract or exact_crossing.

    Example:
    ```mlir
    func.func @if(%i: !snn.current<128xf32>) -> !snn.spike_bundle<128x!snn.spike_train<?xf32>> {
      %s = snn.if %i reset subtract {layer = "dense1", threshold = array<f32: 1.0>, initial_membrane = array<f32: 0.5>}
        : !snn.current<128xf32> -> !snn.spike_bundle<128x!snn.spike_train<?xf32>>
      return %s : !snn.spike_bundle<128x!snn.spike_train<?xf32>>
    }
    ```
  }];
  let arguments = !con((ins Snn_Current:$input), Snn_FireArguments, (ins Snn_Default<Snn_One>:$r, Snn_Euler:$discretization));
  let results = (outs Snn_SpikeBundle:$output);
  let assemblyFormat = "$input `reset` custom<Word>($reset) attr-dict `:` type($input) `->` type($output)";
}

def Snn_LifOp : Snn_NeuronOp<"lif"> {
  let summary = "A population of leaky integrate-and-fire neurons.";
  let description = [{
    `tau · dv/dt = (v_leak − v) + r · i`, tau in steps, i constant during a step: `v ← v + ((v_leak − v) + r · i) · rate`, each
    operation rounded to f32, with `rate = 1 / tau` (`euler`) or `1 − exp(−1 / tau)` (`exact`, `exact_crossing`); then threshold,
    reset, refractory period and max_spikes as `snn.if`. With `exact_crossing` a spike falls where the exponential meets the threshold within the step.

    Constraints: neuron_c1 to neuron_c5; (lif_c1) tau is at least one step under `euler`, positive otherwise.

    Example:
    ```mlir
    func.func @lif(%i: !snn.current<128xf32>) -> !snn.spike_bundle<128x!snn.spike_train<?xf32>> {
      %s = snn.lif %i reset zero {threshold = array<f32: 1.0>, tau = array<f32: 20.0>, r = array<f32: 20.0>}
        : !snn.current<128xf32> -> !snn.spike_bundle<128x!snn.spike_train<?xf32>>
      return %s : !snn.spike_bundle<128x!snn.spike_train<?xf32>>
    }
    ```
  }];
  let arguments = !con((ins Snn_Current:$input), Snn_FireArguments,
                       (ins DenseF32ArrayAttr:$tau, Snn_Default<Snn_One>:$r, Snn_Default<Snn_Zero>:$v_leak, Snn_Euler:$discretization));
  let results = (outs Snn_SpikeBundle:$output);
  let assemblyFormat = "$input `reset` custom<Word>($reset) attr-dict `:` type($input) `->` type($output)";
}

def Snn_FixedLifOp : Snn_NeuronOp<"fixed_lif"> {
  let summary = "A population of leaky integrate-and-fire neurons in fixed point.";
  let description = [{
    Integers alone, as digital neuromorphic chips compute: in each step
    `v ← saturate(truncate(v · (2^decay_bits − decay) / 2^decay_bits) + i · 2^weight_shift)`, truncation towards zero, saturation to the range of a signed number of
    `membrane_bits`; then threshold, reset, refractory period as `snn.if`. i is a sum of integer weights: the emulator refuses others, and layers whose sums could exceed 2^24, so that
    f32 carries them exactly. A decay of zero gives an integrator.

    Loihi's neurons (Davies et al., IEEE Micro 38, 2018) spike where v exceeds the threshold: here the threshold is one more.

    Constraints: neuron_c1 to neuron_c5; (fixed_c1) decay_bits is 1 to 28 and decay lies from 0 to 2^decay_bits; (fixed_c2) weight_shift is 0 to 23, membrane_bits 2 to 25;
    (fixed_c3) threshold, v_reset and initial_membrane are integers of membrane_bits.

    Example:
    ```mlir
    func.func @fixed_lif(%i: !snn.current<128xf32>) -> !snn.spike_bundle<128x!snn.spike_train<?xf32>> {
      %s = snn.fixed_lif %i reset zero {threshold = array<f32: 385.0>, decay = 415 : i64, decay_bits = 12 : i64, weight_shift = 6 : i64}
        : !snn.current<128xf32> -> !snn.spike_bundle<128x!snn.spike_train<?xf32>>
      return %s : !snn.spike_bundle<128x!snn.spike_train<?xf32>>
    }
    ```
  }];
  let arguments = !con((ins Snn_Current:$input), Snn_FireArguments,
                       (ins I64Attr:$decay, DefaultValuedAttr<I64Attr, "12">:$decay_bits, DefaultValuedAttr<I64Attr, "0">:$weight_shift,
                            DefaultValuedAttr<I64Attr, "24">:$membrane_bits));
  let results = (outs Snn_SpikeBundle:$output);
  let assemblyFormat = "$input `reset` custom<Word>($reset) attr-dict `:` type($input) `->` type($output)";
}

def Snn_FixedCubaLifOp : Snn_NeuronOp<"fixed_cuba_lif"> {
  let summary = "A population of leaky neurons with current-based synapses in fixed point.";
  let description = [{
    Integers alone, as `snn.fixed_lif`, with a synaptic current j that decays by itself: in each step
    `j ← saturate(truncate(j · (2^decay_bits − decay_syn) / 2^decay_bits) + i · 2^weight_shift)`, then
    `v ← saturate(truncate(v · (2^decay_bits − decay) / 2^decay_bits) + j)` with the new j, truncation towards zero, saturation of both to the range of a
    signed number of `membrane_bits`; then threshold, reset, refractory period as `snn.if`; j runs on. j starts at zero. The emulator asks of i what it asks for `snn.fixed_lif`.

    Constraints: neuron_c1 to neuron_c5; fixed_c1 for decay and decay_syn; fixed_c2; fixed_c3.

    Example:
    ```mlir
    func.func @fixed_cuba(%i: !snn.current<128xf32>) -> !snn.spike_bundle<128x!snn.spike_train<?xf32>> {
      %s = snn.fixed_cuba_lif %i reset zero {threshold = array<f32: 385.0>, decay = 415 : i64, decay_syn = 1024 : i64, weight_shift = 6 : i64}
        : !snn.current<128xf32> -> !snn.spike_bundle<128x!snn.spike_train<?xf32>>
      return %s : !snn.spike_bundle<128x!snn.spike_train<?xf32>>
    }
    ```
  }];
  let arguments = !con((ins Snn_Current:$input), Snn_FireArguments,
                       (ins I64Attr:$decay, I64Attr:$decay_syn, DefaultValuedAttr<I64Attr, "12">:$decay_bits,
                            DefaultValuedAttr<I64Attr, "0">:$weight_shift, DefaultValuedAttr<I64Attr, "24">:$membrane_bits));
  let results = (outs Snn_SpikeBundle:$output);
  let assemblyFormat = "$input `reset` custom<Word>($reset) attr-dict `:` type($input) `->` type($output)";
}

def Snn_FixedLiOp : Snn_NeuronOp<"fixed_li"> {
  let summary = "A population of leaky integrators in fixed point that never spike.";
  let description = [{
    Integers alone, as `snn.fixed_lif`: in each step `v ← saturate(truncate(v · (2^decay_bits − decay) / 2^decay_bits) + i · 2^weight_shift)`; the membranes
    are the result. A decay of zero gives an accumulator. The output layer of a network read by its membranes. All membranes of the population count the same unit, so
    that answers are compared as they are; `unit` says what it stands for and has no part in the equations. The emulator asks of i what it asks for `snn.fixed_lif`.

    Constraints: neuron_c1, neuron_c2; fixed_c1; fixed_c2; (fixed_c3) initial_membrane is an integer of membrane_bits.

    Example:
    ```mlir
    func.func @readout(%i: !snn.current<10xf32>) -> !snn.current<10xf32> {
      %v = snn.fixed_li %i {layer = "dense2", decay = 0 : i64, membrane_bits = 16 : i64, unit = 0.0625 : f32} : !snn.current<10xf32> -> !snn.current<10xf32>
      return %v : !snn.current<10xf32>
    }
    ```
  }];
  let arguments = (ins Snn_Current:$input, Snn_Default<Snn_Zero>:$initial_membrane, OptionalAttr<StrAttr>:$layer,
                       I64Attr:$decay, DefaultValuedAttr<I64Attr, "12">:$decay_bits, DefaultValuedAttr<I64Attr, "0">:$weight_shift,
                       DefaultValuedAttr<I64Attr, "24">:$membrane_bits, DefaultValuedAttr<F32Attr, "1.0f">:$unit);
  let results = (outs Snn_Current:$output);
  let assemblyFormat = "$input attr-dict `:` type($input) `->` type($output)";
}

def Snn_CubaLifOp : Snn_NeuronOp<"cuba_lif"> {
  let summary = "A population of leaky integrate-and-fire neurons with current-based synapses.";
  let description = [{
    `tau_syn · dj/dt = −j + w_in · i`, `tau · dv/dt = (v_leak − v) + r · j`, i constant during a step. With `s = w_in · i`:
    - `euler`: `j ← j + (s − j) · rate_syn`, then `v ← v + ((v_leak − v) + r · j) · rate` with the new j; rates are 1 / tau;
    - `exact`: `v ← (v + ((v_leak − v) + r · s) · rate) + (r · (j − s)) · coupling`, then `j ← j + (s − j) · rate_syn`; rates are
      `1 − exp(−1 / tau)`, coupling is `tau_syn / (tau_syn − tau) · (exp(−1 / tau_syn) − exp(−1 / tau))`, or `exp(−1 / tau) / tau` where the two are equal.

    Then threshold, reset, refractory period as `snn.if`; the synaptic current j runs on. j starts at zero.

    Constraints: neuron_c1 to neuron_c5; lif_c1 for tau and tau_syn; (cuba_c1) discretization is euler or exact.

    Example:
    ```mlir
    func.func @cuba(%i: !snn.current<128xf32>) -> !snn.spike_bundle<128x!snn.spike_train<?xf32>> {
      %s = snn.cuba_lif %i reset zero {threshold = array<f32: 1.0>, tau = array<f32: 20.0>, tau_syn = array<f32: 5.0>}
        : !snn.current<128xf32> -> !snn.spike_bundle<128x!snn.spike_train<?xf32>>
      return %s : !snn.spike_bundle<128x!snn.spike_train<?xf32>>
    }
    ```
  }];
  let arguments = !con((ins Snn_Current:$input), Snn_FireArguments,
                       (ins DenseF32ArrayAttr:$tau, DenseF32ArrayAttr:$tau_syn, Snn_Default<Snn_One>:$r, Snn_Default<Snn_Zero>:$v_leak,
                            Snn_Default<Snn_One>:$w_in, Snn_Euler:$discretization));
  let results = (outs Snn_SpikeBundle:$output);
  let assemblyFormat = "$input `reset` custom<Word>($reset) attr-dict `:` type($input) `->` type($output)";
}

def Snn_DualCubaLifOp : Snn_NeuronOp<"dual_cuba_lif"> {
  let summary = "A population of leaky neurons with excitatory and inhibitory current receptors.";
  let description = [{
    `tau · dv/dt = (v_leak − v) + g_e + g_i`, `tau_exc · dg_e/dt = −g_e`, `tau_inh · dg_i/dt = −g_i`; a spike that arrives adds its weight
    to g at once (inhibitory weights are negative). In each step `g ← g + i` for both receptors, then
    `v ← (v + (v_leak − v) · rate) + (g_e · coupling_e + g_i · coupling_i)`, then `g ← g − g · rate_g`. Under `euler` rates are 1 / tau and couplings
    `1 / tau`; under `exact` rates are `1 − exp(−1 / tau)` and couplings `tau_g / (tau_g − tau) · (exp(−1 / tau_g) − exp(−1 / tau))`.

    Then threshold, reset, refractory period as `snn.if`; the receptors run on. (Vogels and Abbott, J. Neurosci. 2005.)

    Constraints: neuron_c1 to neuron_c5; lif_c1 for tau, tau_exc and tau_inh; (cuba_c1) discretization is euler or exact.

    Example:
    ```mlir
    func.func @dual_cuba(%e: !snn.current<128xf32>, %i: !snn.current<128xf32>) -> !snn.spike_bundle<128x!snn.spike_train<?xf32>> {
      %s = snn.dual_cuba_lif %e, %i reset zero {threshold = array<f32: -50.0>, v_reset = array<f32: -60.0>, v_leak = array<f32: -49.0>,
          refractory = array<i64: 50>, tau = array<f32: 200.0>, tau_exc = array<f32: 50.0>, tau_inh = array<f32: 100.0>, discretization = #snn<discretization exact>}
        : (!snn.current<128xf32>, !snn.current<128xf32>) -> !snn.spike_bundle<128x!snn.spike_train<?xf32>>
      return %s : !snn.spike_bundle<128x!snn.spike_train<?xf32>>
    }
    ```
  }];
  let arguments = !con((ins Snn_Current:$excitatory, Snn_Current:$inhibitory), Snn_FireArguments,
                       (ins DenseF32ArrayAttr:$tau, DenseF32ArrayAttr:$tau_exc, DenseF32ArrayAttr:$tau_inh,
                            Snn_Default<Snn_Zero>:$v_leak, Snn_Euler:$discretization));
  let results = (outs Snn_SpikeBundle:$output);
  let assemblyFormat = "$excitatory `,` $inhibitory `reset` custom<Word>($reset) attr-dict `:` functional-type(operands, results)";
}

def Snn_CobaLifOp : Snn_NeuronOp<"coba_lif"> {
  let summary = "A population of leaky neurons with excitatory and inhibitory conductances.";
  let description = [{
    `tau · dv/dt = (v_leak − v) + g_e · (e_exc − v) + g_i · (e_inh − v)`, conductances in units of the leak conductance, decaying with tau_exc and
    tau_inh; a spike that arrives adds its weight to g at once (both kinds of weights are positive). In each step `g ← g + i` for both receptors, then
    `v ← v + (((v_leak − v) + g_e · (e_exc − v)) + g_i · (e_inh − v)) · rate`, then `g ← g − g · rate_g`, rates 1 / tau: Euler steps, as there is no closed form.

    Then threshold, reset, refractory period as `snn.if`; the conductances run on. (Vogels and Abbott, J. Neurosci. 2005.)

    Constraints: neuron_c1 to neuron_c5; lif_c1 for tau, tau_exc and tau_inh; conductances follow from currents that are not negative.

    Example:
    ```mlir
    func.func @coba(%e: !snn.current<128xf32>, %i: !snn.current<128xf32>) -> !snn.spike_bundle<128x!snn.spike_train<?xf32>> {
      %s = snn.coba_lif %e, %i reset zero {threshold = array<f32: -50.0>, v_reset = array<f32: -60.0>, v_leak = array<f32: -40.0>,
          tau = array<f32: 200.0>, tau_exc = array<f32: 50.0>, tau_inh = array<f32: 100.0>, e_exc = array<f32: 0.0>, e_inh = array<f32: -80.0>}
        : (!snn.current<128xf32>, !snn.current<128xf32>) -> !snn.spike_bundle<128x!snn.spike_train<?xf32>>
      return %s : !snn.spike_bundle<128x!snn.spike_train<?xf32>>
    }
    ```
  }];
  let arguments = !con((ins Snn_Current:$excitatory, Snn_Current:$inhibitory), Snn_FireArguments,
                       (ins DenseF32ArrayAttr:$tau, DenseF32ArrayAttr:$tau_exc, DenseF32ArrayAttr:$tau_inh,
                            DenseF32ArrayAttr:$e_exc, DenseF32ArrayAttr:$e_inh, Snn_Default<Snn_Zero>:$v_leak));
  let results = (outs Snn_SpikeBundle:$output);
  let assemblyFormat = "$excitatory `,` $inhibitory `reset` custom<Word>($reset) attr-dict `:` functional-type(operands, results)";
}

def Snn_FirstSpikeOp : Snn_NeuronOp<"first_spike"> {
  let summary = "A population that says each value by the time of one spike.";
  let description = [{
    The current of an input stays on until the end of the sample. Before step `start` the membrane gathers it: `j ← j + i`, `v ← v + j`. From step `start` on
    inputs are ignored and the membrane rises by one per step: `v ← v + 1`, with one spike where `v ≥ window + 1` for the first time; after `window` such steps
    the neuron is silent for good. An input that spikes k steps before `start` thus adds k times its weight, and a membrane of k at `start` makes a spike
    k steps before the window ends (k rounded down, clipped to `window`; zero makes none): values travel as the time that is left.
    (Temporal coding with a linear ramp; Stanojevic et al., Neural Networks 2023.)

    Constraints: neuron_c1, neuron_c2 for initial_membrane; (first_spike_c1) start is zero or more, window at least one.

    Example:
    ```mlir
    func.func @temporal(%i: !snn.current<128xf32>) -> !snn.spike_bundle<128x!snn.spike_train<?xf32>> {
      %s = snn.first_spike %i {start = 32 : i64, window = 32 : i64, initial_membrane = array<f32: 0.5>}
        : !snn.current<128xf32> -> !snn.spike_bundle<128x!snn.spike_train<?xf32>>
      return %s : !snn.spike_bundle<128x!snn.spike_train<?xf32>>
    }
    ```
  }];
  let arguments = (ins Snn_Current:$input, I64Attr:$start, I64Attr:$window,
                       Snn_Default<Snn_Zero>:$initial_membrane, OptionalAttr<StrAttr>:$layer);
  let results = (outs Snn_SpikeBundle:$output);
  let assemblyFormat = "$input attr-dict `:` type($input) `->` type($output)";
}

def Snn_IntegratorOp : Snn_NeuronOp<"integrator"> {
  let summary = "A population of integrators that never spike.";
  let description = [{
    In each step `v ← v + r · i`; the membranes are the result. The output layer of a network read by its membranes. When `sustained`, the
    current of an input stays on as for `snn.first_spike`: `j ← j + i`, `v ← v + r · j`.

    Constraints: neuron_c1, neuron_c2.

    Example:
    ```mlir
    func.func @readout(%i: !snn.current<10xf32>) -> !snn.current<10xf32> {
      %v = snn.integrator %i {layer = "dense2"} : !snn.current<10xf32> -> !snn.current<10xf32>
      return %v : !snn.current<10xf32>
    }
    ```
  }];
  let arguments = (ins Snn_Current:$input, Snn_Default<Snn_Zero>:$initial_membrane, OptionalAttr<StrAttr>:$layer,
                       Snn_Default<Snn_One>:$r, UnitAttr:$sustained);
  let results = (outs Snn_Current:$output);
  let assemblyFormat = "$input attr-dict `:` type($input) `->` type($output)";
}

def Snn_LiOp : Snn_NeuronOp<"li"> {
  let summary = "A population of leaky integrators that never spike.";
  let description = [{
    The membrane of `snn.lif` without a threshold; the membranes are the result.

    Constraints: neuron_c1, neuron_c2; lif_c1; (cuba_c1) discretization is euler or exact.

    Example:
    ```mlir
    func.func @leaky_readout(%i: !snn.current<10xf32>) -> !snn.current<10xf32> {
      %v = snn.li %i {tau = array<f32: 20.0>} : !snn.current<10xf32> -> !snn.current<10xf32>
      return %v : !snn.current<10xf32>
    }
    ```
  }];
  let arguments = (ins Snn_Current:$input, DenseF32ArrayAttr:$tau, Snn_Default<Snn_One>:$r, Snn_Default<Snn_Zero>:$v_leak,
                       Snn_Default<Snn_Zero>:$initial_membrane, OptionalAttr<StrAttr>:$layer, Snn_Euler:$discretization);
  let results = (outs Snn_Current:$output);
  let assemblyFormat = "$input attr-dict `:` type($input) `->` type($output)";
}

def Snn_CubaLiOp : Snn_NeuronOp<"cuba_li"> {
  let summary = "A population of leaky integrators with current-based synapses that never spike.";
  let description = [{
    The equations of `snn.cuba_lif` without a threshold; the membranes are the result.

    Constraints: neuron_c1, neuron_c2; lif_c1 for tau and tau_syn; (cuba_c1) discretization is euler or exact.

    Example:
    ```mlir
    func.func @cuba_readout(%i: !snn.current<10xf32>) -> !snn.current<10xf32> {
      %v = snn.cuba_li %i {tau = array<f32: 20.0>, tau_syn = array<f32: 5.0>} : !snn.current<10xf32> -> !snn.current<10xf32>
      return %v : !snn.current<10xf32>
    }
    ```
  }];
  let arguments = (ins Snn_Current:$input, DenseF32ArrayAttr:$tau, DenseF32ArrayAttr:$tau_syn, Snn_Default<Snn_One>:$r,
                       Snn_Default<Snn_Zero>:$v_leak, Snn_Default<Snn_One>:$w_in, Snn_Default<Snn_Zero>:$initial_membrane,
                       OptionalAttr<StrAttr>:$layer, Snn_Euler:$discretization);
  let results = (outs Snn_Current:$output);
  let assemblyFormat = "$input attr-dict `:` type($input) `->` type($output)";
}

def Snn_RectifierOp : Snn_NeuronOp<"rectifier"> {
  let summary = "A population of rectifiers in time: the exact analog counterpart of spiking neurons.";
  let description = [{
    In each step `v ← v + r · i`, and the result is `y = max(v, 0) − o` with o what has been put out before, `o ← max(v, 0)`; v and o start at zero. At any step the
    results add up to the rectified sum of the inputs, without a threshold, saturation or a spike that cannot be taken back (a result may be negative). With
    `maximum` they add up to at most t · maximum after t steps: `o ← min(max(v, 0), m)`, `m ← m + maximum` before it; a clamped rectifier. In the
    place of an integrate-and-fire population of threshold θ, with `r = 1 / θ`, it puts out the spikes that a perfect neuron would have made, as real numbers:
    what a network gains by it is what that population costs.

    Constraints: neuron_c1, neuron_c2; (rectifier_c1) maximum is positive.

    Example:
    ```mlir
    func.func @twin(%i: !snn.current<128xf32>) -> !snn.current<128xf32> {
      %y = snn.rectifier %i {layer = "dense1"} : !snn.current<128xf32> -> !snn.current<128xf32>
      return %y : !snn.current<128xf32>
    }
    ```
  }];
  let arguments = (ins Snn_Current:$input, Snn_Default<Snn_One>:$r, OptionalAttr<DenseF32ArrayAttr>:$maximum,
                       OptionalAttr<StrAttr>:$layer);
  let results = (outs Snn_Current:$output);
  let assemblyFormat = "$input attr-dict `:` type($input) `->` type($output)";
}

#endif // DIALECTS_SNN_NEURONOPS_TD
