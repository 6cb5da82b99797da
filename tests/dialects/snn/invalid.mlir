// Each constraint, broken once.
// RUN: spindle-opt %s --split-input-file --verify-diagnostics

// expected-error@+1 {{element type is 'f64', expected f32}}
func.func private @element(!snn.spike_train<?xf64>)
// -----
// expected-error@+1 {{a spike train has one dimension}}
func.func private @train(!snn.spike_train<2x3xf32>)
// -----
// expected-error@+1 {{a spike bundle holds spike trains, found 'f32'}}
func.func private @bundle(!snn.spike_bundle<2xf32>)
// -----
// expected-error@+1 {{a spike bundle has at least one dimension}}
func.func private @bundle(!snn.spike_bundle<!snn.spike_train<?xf32>>)
// -----
// expected-error@+1 {{a current has a static shape of at least one dimension}}
func.func private @current(!snn.current<?xf32>)
// -----
func.func @dense_c1(%x: tensor<2x2xf32>, %w: tensor<3x4xf32>) {
  // expected-error@+1 {{input has shape 2x2, expected one dimension}}
  snn.dense %x, %w : (tensor<2x2xf32>, tensor<3x4xf32>) -> tensor<3xf32>
  return
}
// -----
func.func @dense_c2(%x: tensor<4xf32>, %w: tensor<4x3xf32>) {
  // expected-error@+1 {{weight has shape 4x3, expected outputs x 4}}
  snn.dense %x, %w : (tensor<4xf32>, tensor<4x3xf32>) -> tensor<3xf32>
  return
}
// -----
func.func @dense_c3(%x: tensor<4xf32>, %w: tensor<3x4xf32>, %b: tensor<4xf32>) {
  // expected-error@+1 {{bias has shape 4, expected 3 values}}
  snn.dense %x, %w, %b : (tensor<4xf32>, tensor<3x4xf32>, tensor<4xf32>) -> tensor<3xf32>
  return
}
// -----
func.func @synapse_c1(%x: tensor<4xf32>, %w: tensor<3x4xf32>) {
  // expected-error@+1 {{output is '!snn.current<3xf32>', expected 'tensor<3xf32>'}}
  snn.dense %x, %w : (tensor<4xf32>, tensor<3x4xf32>) -> !snn.current<3xf32>
  return
}
// -----
func.func @conv2d_c1(%x: tensor<4x4xf32>, %w: tensor<2x1x3x3xf32>) {
  // expected-error@+1 {{input has shape 4x4, expected channels x rows x columns}}
  snn.conv2d %x, %w : (tensor<4x4xf32>, tensor<2x1x3x3xf32>) -> tensor<2x2x2xf32>
  return
}
// -----
func.func @conv2d_c2(%x: tensor<1x4x4xf32>, %w: tensor<2x3x3xf32>) {
  // expected-error@+1 {{weight has shape 2x3x3, expected four dimensions}}
  snn.conv2d %x, %w : (tensor<1x4x4xf32>, tensor<2x3x3xf32>) -> tensor<2x2x2xf32>
  return
}
// -----
func.func @conv2d_c2(%x: tensor<3x4x4xf32>, %w: tensor<2x1x3x3xf32>) {
  // expected-error@+1 {{weight has shape 2x1x3x3, expected filters that read 3 channels}}
  snn.conv2d %x, %w : (tensor<3x4x4xf32>, tensor<2x1x3x3xf32>) -> tensor<2x2x2xf32>
  return
}
// -----
func.func @conv2d_c3(%x: tensor<3x4x4xf32>, %w: tensor<2x1x3x3xf32>) {
  // expected-error@+1 {{groups is 2, which does not divide 3 channels and 2 filters}}
  snn.conv2d %x, %w {groups = 2 : i64} : (tensor<3x4x4xf32>, tensor<2x1x3x3xf32>) -> tensor<2x2x2xf32>
  return
}
// -----
func.func @conv2d_c4(%x: tensor<1x4x4xf32>, %w: tensor<2x1x3x3xf32>) {
  // expected-error@+1 {{strides takes 2 numbers of at least 1}}
  snn.conv2d %x, %w {strides = array<i64: 0, 1>} : (tensor<1x4x4xf32>, tensor<2x1x3x3xf32>) -> tensor<2x2x2xf32>
  return
}
// -----
func.func @conv2d_c5(%x: tensor<1x4x4xf32>, %w: tensor<2x1x3x3xf32>) {
  // expected-error@+1 {{output is 'tensor<2x4x4xf32>', expected 'tensor<2x2x2xf32>'}}
  snn.conv2d %x, %w : (tensor<1x4x4xf32>, tensor<2x1x3x3xf32>) -> tensor<2x4x4xf32>
  return
}
// -----
func.func @conv2d_kernel(%x: tensor<1x2x2xf32>, %w: tensor<2x1x3x3xf32>) {
  // expected-error@+1 {{kernel of 3x3 does not fit the padded input of 1x2x2}}
  snn.conv2d %x, %w : (tensor<1x2x2xf32>, tensor<2x1x3x3xf32>) -> tensor<2x1x1xf32>
  return
}
// -----
func.func @conv2d_c6(%x: tensor<1x4x4xf32>, %w: tensor<2x1x3x3xf32>, %b: tensor<3xf32>) {
  // expected-error@+1 {{bias has shape 3, expected 2 values}}
  snn.conv2d %x, %w, %b : (tensor<1x4x4xf32>, tensor<2x1x3x3xf32>, tensor<3xf32>) -> tensor<2x2x2xf32>
  return
}
// -----
func.func @avg_pool2d_c1(%x: tensor<16xf32>) {
  // expected-error@+1 {{input has shape 16, expected channels x rows x columns}}
  snn.avg_pool2d %x {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>} : tensor<16xf32> -> tensor<4xf32>
  return
}
// -----
func.func @avg_pool2d_c2(%x: tensor<1x4x4xf32>) {
  // expected-error@+1 {{padding must be smaller than the kernel, a window would hold no input}}
  snn.avg_pool2d %x {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 2, 0, 0, 0>} : tensor<1x4x4xf32> -> tensor<1x3x2xf32>
  return
}
// -----
func.func @avg_pool2d_c3_room(%x: tensor<1x2x2xf32>) {
  // expected-error@+1 {{kernel of 3x3 does not fit the padded input of 1x2x2}}
  snn.avg_pool2d %x {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>} : tensor<1x2x2xf32> -> tensor<1x1x1xf32>
  return
}
// -----
func.func @avg_pool2d_c3(%x: tensor<1x4x4xf32>) {
  // expected-error@+1 {{output is 'tensor<1x3x3xf32>', expected 'tensor<1x2x2xf32>'}}
  snn.avg_pool2d %x {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>} : tensor<1x4x4xf32> -> tensor<1x3x3xf32>
  return
}
// -----
func.func @scale_c1(%x: tensor<2x4xf32>, %f: tensor<2xf32>) {
  // expected-error@+1 {{output is 'tensor<8xf32>', expected 'tensor<2x4xf32>'}}
  snn.scale %x, %f : (tensor<2x4xf32>, tensor<2xf32>) -> tensor<8xf32>
  return
}
// -----
func.func @scale_c2(%x: tensor<2x4xf32>, %f: tensor<4xf32>) {
  // expected-error@+1 {{factor and bias take one value per channel (2) or one per element (8)}}
  snn.scale %x, %f : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  return
}
// -----
func.func @reshape_c1(%x: tensor<2x4xf32>) {
  // expected-error@+1 {{input has 8 elements, output 9}}
  snn.reshape %x : tensor<2x4xf32> -> tensor<9xf32>
  return
}
// -----
func.func @synapse_c2(%x: tensor<2x4xf32>) {
  // expected-error@+1 {{output is '!snn.current<8xf32>', expected 'tensor<8xf32>'}}
  snn.reshape %x : tensor<2x4xf32> -> !snn.current<8xf32>
  return
}
// -----
func.func @transpose_c1(%x: tensor<2x4xf32>) {
  // expected-error@+1 {{permutation must name each of the 2 dimensions once}}
  snn.transpose %x {permutation = array<i64: 0, 0>} : tensor<2x4xf32> -> tensor<2x2xf32>
  return
}
// -----
func.func @transpose_c1(%x: tensor<2x4xf32>) {
  // expected-error@+1 {{permutation must name each of the 2 dimensions once}}
  snn.transpose %x {permutation = array<i64: 0>} : tensor<2x4xf32> -> tensor<2xf32>
  return
}
// -----
func.func @transpose_c2(%x: tensor<2x4xf32>) {
  // expected-error@+1 {{output is 'tensor<2x4xf32>', expected 'tensor<4x2xf32>'}}
  snn.transpose %x {permutation = array<i64: 1, 0>} : tensor<2x4xf32> -> tensor<2x4xf32>
  return
}
// -----
func.func @encode_c1(%x: tensor<4xf32>) {
  // expected-error@+1 {{input and output must have the same shape}}
  snn.encode direct %x : tensor<4xf32> -> !snn.current<5xf32>
  return
}
// -----
func.func @encode_c2(%x: tensor<4xf32>) {
  // expected-error@+1 {{poisson encoding makes spikes, the output is '!snn.current<4xf32>'}}
  snn.encode poisson %x : tensor<4xf32> -> !snn.current<4xf32>
  return
}
// -----
func.func @encode_c2(%x: tensor<4xf32>) {
  // expected-error@+1 {{direct encoding makes current, the output is}}
  snn.encode direct %x : tensor<4xf32> -> !snn.spike_bundle<4x!snn.spike_train<?xf32>>
  return
}
// -----
func.func @encode_c3(%x: tensor<4xf32>) {
  // expected-error@+1 {{maximum must be positive}}
  snn.encode direct %x {maximum = 0.0 : f32} : tensor<4xf32> -> !snn.current<4xf32>
  return
}
// -----
func.func @decode_c1(%x: !snn.current<4xf32>) {
  // expected-error@+1 {{input and output must have the same shape}}
  snn.decode membrane %x : !snn.current<4xf32> -> tensor<2x2xf32>
  return
}
// -----
func.func @decode_c2(%x: !snn.current<4xf32>) {
  // expected-error@+1 {{count decoding reads spikes, the input is '!snn.current<4xf32>'}}
  snn.decode count %x : !snn.current<4xf32> -> tensor<4xf32>
  return
}
// -----
func.func @decode_c3(%s: !snn.spike_bundle<4x!snn.spike_train<?xf32>>) {
  // expected-error@+1 {{maximum must be 1 to 2^24 for count decoding, absent for the others}}
  snn.decode count %s {maximum = 0 : i64} : !snn.spike_bundle<4x!snn.spike_train<?xf32>> -> tensor<4xf32>
  return
}
// -----
func.func @decode_c3_of_times(%s: !snn.spike_bundle<4x!snn.spike_train<?xf32>>) {
  // expected-error@+1 {{maximum must be 1 to 2^24 for count decoding, absent for the others}}
  snn.decode first_spike %s {maximum = 4 : i64} : !snn.spike_bundle<4x!snn.spike_train<?xf32>> -> tensor<4xf32>
  return
}
// -----
func.func @neuron_c1(%i: !snn.current<2x3xf32>) {
  // expected-error@+1 {{threshold has 4 values, expected 1, 2 (one per channel) or 6 (one per neuron)}}
  snn.if %i reset zero {threshold = array<f32: 1.0, 1.0, 1.0, 1.0>} : !snn.current<2x3xf32> -> !snn.spike_bundle<2x3x!snn.spike_train<?xf32>>
  return
}
// -----
func.func @neuron_c1(%i: !snn.current<2xf32>) {
  // expected-error@+1 {{initial_membrane must be finite}}
  snn.if %i reset zero {threshold = array<f32: 1.0>, initial_membrane = array<f32: 0x7F800000>} : !snn.current<2xf32> -> !snn.spike_bundle<2x!snn.spike_train<?xf32>>
  return
}
// -----
func.func @neuron_c2(%i: !snn.current<4xf32>) {
  // expected-error@+1 {{input and output must have the same shape}}
  snn.integrator %i : !snn.current<4xf32> -> !snn.current<2x2xf32>
  return
}
// -----
func.func @rectifier_c1(%i: !snn.current<4xf32>) {
  // expected-error@+1 {{maximum must be positive}}
  snn.rectifier %i {maximum = array<f32: 0.0>} : !snn.current<4xf32> -> !snn.current<4xf32>
  return
}
// -----
func.func @rectifier_neuron_c1(%i: !snn.current<4xf32>) {
  // expected-error@+1 {{r has 3 values, expected 1, 4 (one per channel) or 4 (one per neuron)}}
  snn.rectifier %i {r = array<f32: 1.0, 2.0, 3.0>} : !snn.current<4xf32> -> !snn.current<4xf32>
  return
}
// -----
func.func @rectifier_neuron_c2(%i: !snn.current<4xf32>) {
  // expected-error@+1 {{input and output must have the same shape}}
  snn.rectifier %i : !snn.current<4xf32> -> !snn.current<2x2xf32>
  return
}
// -----
func.func @max_pool2d_c3(%i: !snn.current<1x4x4xf32>) {
  // expected-error@+1 {{output is '!snn.spike_bundle<1x2x2x!snn.spike_train<?xf32>>', expected '!snn.current<1x2x2xf32>'}}
  snn.max_pool2d %i {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>} : !snn.current<1x4x4xf32> -> !snn.spike_bundle<1x2x2x!snn.spike_train<?xf32>>
  return
}
// -----
func.func @neuron_c3(%i: !snn.current<4xf32>) {
  // expected-error@+1 {{threshold must exceed v_reset}}
  snn.if %i reset zero {threshold = array<f32: 0.0>} : !snn.current<4xf32> -> !snn.spike_bundle<4x!snn.spike_train<?xf32>>
  return
}
// -----
func.func @fixed_c1_bits(%i: !snn.current<4xf32>) {
  // expected-error@+1 {{decay_bits must be 1 to 28, decay 0 to 2^decay_bits}}
  snn.fixed_lif %i reset zero {threshold = array<f32: 1.0>, decay = 0 : i64, decay_bits = 29 : i64} : !snn.current<4xf32> -> !snn.spike_bundle<4x!snn.spike_train<?xf32>>
  return
}
// -----
func.func @fixed_c1_decay(%i: !snn.current<4xf32>) {
  // expected-error@+1 {{decay_bits must be 1 to 28, decay 0 to 2^decay_bits}}
  snn.fixed_lif %i reset zero {threshold = array<f32: 1.0>, decay = 9 : i64, decay_bits = 3 : i64} : !snn.current<4xf32> -> !snn.spike_bundle<4x!snn.spike_train<?xf32>>
  return
}
// -----
func.func @fixed_c2(%i: !snn.current<4xf32>) {
  // expected-error@+1 {{weight_shift must be 0 to 23, membrane_bits 2 to 25}}
  snn.fixed_lif %i reset zero {threshold = array<f32: 1.0>, decay = 0 : i64, membrane_bits = 26 : i64} : !snn.current<4xf32> -> !snn.spike_bundle<4x!snn.spike_train<?xf32>>
  return
}
// -----
func.func @fixed_c3(%i: !snn.current<4xf32>) {
  // expected-error@+1 {{threshold, v_reset and initial_membrane must be integers of 8 bits}}
  snn.fixed_lif %i reset zero {threshold = array<f32: 128.0>, decay = 0 : i64, membrane_bits = 8 : i64} : !snn.current<4xf32> -> !snn.spike_bundle<4x!snn.spike_train<?xf32>>
  return
}
// -----
func.func @fixed_c3_integers(%i: !snn.current<4xf32>) {
  // expected-error@+1 {{threshold, v_reset and initial_membrane must be integers of 24 bits}}
  snn.fixed_lif %i reset zero {threshold = array<f32: 1.5>, decay = 0 : i64} : !snn.current<4xf32> -> !snn.spike_bundle<4x!snn.spike_train<?xf32>>
  return
}
// -----
func.func @fixed_c1_synapse(%i: !snn.current<4xf32>) {
  // expected-error@+1 {{decay_bits must be 1 to 28, decay 0 to 2^decay_bits}}
  snn.fixed_cuba_lif %i reset zero {threshold = array<f32: 1.0>, decay = 0 : i64, decay_syn = 9 : i64, decay_bits = 3 : i64} : !snn.current<4xf32> -> !snn.spike_bundle<4x!snn.spike_train<?xf32>>
  return
}
// -----
func.func @fixed_c3_readout(%i: !snn.current<4xf32>) {
  // expected-error@+1 {{initial_membrane must be integers of 8 bits}}
  %v = snn.fixed_li %i {initial_membrane = array<f32: 128.0>, decay = 0 : i64, membrane_bits = 8 : i64} : !snn.current<4xf32> -> !snn.current<4xf32>
  return
}
// -----
func.func @quantize_c1(%x: tensor<4xf32>) {
  // expected-error@+1 {{unit must be positive and finite}}
  %q = snn.quantize %x {unit = 0.0 : f32, low = 0 : i64, high = 255 : i64} : tensor<4xf32>
  return
}
// -----
func.func @quantize_c2(%x: tensor<4xf32>) {
  // expected-error@+1 {{low must be at most high, both within 2^24 by amount}}
  %q = snn.quantize %x {unit = 1.0 : f32, low = 3 : i64, high = 2 : i64} : tensor<4xf32>
  return
}
// -----
func.func @encode_c5_kind(%x: tensor<4xf32>) {
  // expected-error@+1 {{integers come with regular or latency encoding}}
  %s = snn.encode poisson %x {integers, maximum = 255.0 : f32} : tensor<4xf32> -> !snn.spike_bundle<4x!snn.spike_train<?xf32>>
  return
}
// -----
func.func @encode_c5_maximum(%x: tensor<4xf32>) {
  // expected-error@+1 {{maximum must be an integer up to 4095 for integers}}
  %s = snn.encode regular %x {integers, maximum = 254.5 : f32} : tensor<4xf32> -> !snn.spike_bundle<4x!snn.spike_train<?xf32>>
  return
}
// -----
func.func @encode_c5_steps(%x: tensor<4xf32>) {
  // expected-error@+1 {{steps are too many for integers, 2 * steps * maximum must be less than 2^24}}
  %s = snn.encode latency %x {integers, maximum = 4095.0 : f32, steps = 3000 : i64} : tensor<4xf32> -> !snn.spike_bundle<4x!snn.spike_train<?xf32>>
  return
}
// -----
func.func @lif_c1(%i: !snn.current<4xf32>) {
  // expected-error@+1 {{tau must be at least one step}}
  snn.lif %i reset zero {threshold = array<f32: 1.0>, tau = array<f32: 0.5>} : !snn.current<4xf32> -> !snn.spike_bundle<4x!snn.spike_train<?xf32>>
  return
}
// -----
func.func @neuron_c3_subtract(%i: !snn.current<4xf32>) {
  // expected-error@+1 {{threshold must be positive}}
  snn.if %i reset subtract {threshold = array<f32: 0.0>} : !snn.current<4xf32> -> !snn.spike_bundle<4x!snn.spike_train<?xf32>>
  return
}
// -----
func.func @neuron_c4(%i: !snn.current<4xf32>) {
  // expected-error@+1 {{refractory must be zero or more steps}}
  snn.if %i reset zero {threshold = array<f32: 1.0>, refractory = array<i64: -1>} : !snn.current<4xf32> -> !snn.spike_bundle<4x!snn.spike_train<?xf32>>
  return
}
// -----
func.func @neuron_c5(%i: !snn.current<4xf32>) {
  // expected-error@+1 {{max_spikes above one needs reset subtract or exact_crossing}}
  snn.if %i reset zero {threshold = array<f32: 1.0>, max_spikes = 2 : i64} : !snn.current<4xf32> -> !snn.spike_bundle<4x!snn.spike_train<?xf32>>
  return
}
// -----
func.func @neuron_c5_zero(%i: !snn.current<4xf32>) {
  // expected-error@+1 {{max_spikes must be at least one}}
  snn.if %i reset zero {threshold = array<f32: 1.0>, max_spikes = 0 : i64} : !snn.current<4xf32> -> !snn.spike_bundle<4x!snn.spike_train<?xf32>>
  return
}
// -----
func.func @lif_c1_exact(%i: !snn.current<4xf32>) {
  // expected-error@+1 {{tau must be positive}}
  snn.lif %i reset zero {threshold = array<f32: 1.0>, tau = array<f32: 0.0>, discretization = #snn<discretization exact>} : !snn.current<4xf32> -> !snn.spike_bundle<4x!snn.spike_train<?xf32>>
  return
}
// -----
func.func @cuba_c1(%i: !snn.current<4xf32>) {
  // expected-error@+1 {{crossings have no closed form here, expected discretization euler or exact}}
  snn.cuba_lif %i reset zero {threshold = array<f32: 1.0>, tau = array<f32: 9.0>, tau_syn = array<f32: 2.0>, discretization = #snn<discretization exact_crossing>} : !snn.current<4xf32> -> !snn.spike_bundle<4x!snn.spike_train<?xf32>>
  return
}
// -----
func.func @coba_tau(%i: !snn.current<4xf32>) {
  // expected-error@+1 {{tau_inh must be at least one step}}
  snn.coba_lif %i, %i reset zero {threshold = array<f32: 1.0>, tau = array<f32: 9.0>, tau_exc = array<f32: 2.0>, tau_inh = array<f32: 0.5>, e_exc = array<f32: 2.0>, e_inh = array<f32: 2.0>} : (!snn.current<4xf32>, !snn.current<4xf32>) -> !snn.spike_bundle<4x!snn.spike_train<?xf32>>
  return
}
// -----
func.func @first_spike_c1(%i: !snn.current<4xf32>) {
  // expected-error@+1 {{start must be zero or more steps, window at least one}}
  snn.first_spike %i {start = 4 : i64, window = 0 : i64} : !snn.current<4xf32> -> !snn.spike_bundle<4x!snn.spike_train<?xf32>>
  return
}
// -----
func.func @relu_c1(%x: tensor<4xf32>) {
  // expected-error@+1 {{maximum must be positive}}
  snn.relu %x {maximum = 0.0 : f32} : tensor<4xf32>
  return
}
// -----
func.func @relu_c2(%x: tensor<4xf32>) {
  // expected-error@+1 {{levels must be at least one and come with a maximum}}
  snn.relu %x {levels = 4 : i64} : tensor<4xf32>
  return
}
// -----
func.func @encode_c4(%x: tensor<4xf32>) {
  // expected-error@+1 {{steps must be at least one for latency encoding, absent for the others}}
  snn.encode latency %x : tensor<4xf32> -> !snn.spike_bundle<4x!snn.spike_train<?xf32>>
  return
}
// -----
func.func @max_pool2d_c1(%s: !snn.spike_bundle<4x!snn.spike_train<?xf32>>) {
  // expected-error@+1 {{input has shape 4, expected channels x rows x columns}}
  snn.max_pool2d %s {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>} : !snn.spike_bundle<4x!snn.spike_train<?xf32>> -> !snn.spike_bundle<4x!snn.spike_train<?xf32>>
  return
}
// -----
func.func @sum_pool2d_c2(%x: tensor<1x4x4xf32>) {
  // expected-error@+1 {{padding must be smaller than the kernel, a window would hold no input}}
  snn.sum_pool2d %x {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 2, 0, 0, 0>} : tensor<1x4x4xf32> -> tensor<1x3x2xf32>
  return
}
// -----
func.func @add_c1(%x: tensor<4xf32>, %y: tensor<2x2xf32>) {
  // expected-error@+1 {{inputs must have the same shape}}
  snn.add %x, %y : (tensor<4xf32>, tensor<2x2xf32>) -> tensor<4xf32>
  return
}
// -----
func.func @add_c2(%x: tensor<4xf32>, %s: !snn.spike_bundle<4x!snn.spike_train<?xf32>>) {
  // expected-error@+1 {{joins activations with a signal in time}}
  snn.add %x, %s : (tensor<4xf32>, !snn.spike_bundle<4x!snn.spike_train<?xf32>>) -> tensor<4xf32>
  return
}
// -----
func.func @concat_c1() {
  // expected-error@+1 {{expected at least one input}}
  "snn.concat"() : () -> tensor<4xf32>
  return
}
// -----
func.func @concat_c3_rank(%x: tensor<2x4xf32>, %y: tensor<8xf32>) {
  // expected-error@+1 {{inputs must have the same number of dimensions}}
  snn.concat %x, %y : (tensor<2x4xf32>, tensor<8xf32>) -> tensor<4x4xf32>
  return
}
// -----
func.func @concat_c3(%x: tensor<2x4xf32>, %y: tensor<2x3xf32>) {
  // expected-error@+1 {{inputs must have the same extents but along the axis}}
  snn.concat %x, %y : (tensor<2x4xf32>, tensor<2x3xf32>) -> tensor<4x4xf32>
  return
}
// -----
func.func @concat_c4(%x: !snn.current<4xf32>, %s: !snn.spike_bundle<4x!snn.spike_train<?xf32>>) {
  // expected-error@+1 {{output is '!snn.current<4xf32>', expected '!snn.current<8xf32>'}}
  snn.concat %x, %s : (!snn.current<4xf32>, !snn.spike_bundle<4x!snn.spike_train<?xf32>>) -> !snn.current<4xf32>
  return
}
// -----
func.func @concat_axis(%x: tensor<2x4xf32>) {
  // expected-error@+1 {{axis is 2, expected a dimension of the inputs}}
  snn.concat %x {axis = 2 : i64} : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return
}
// -----
func.func @sparse_c1(%x: tensor<4xf32>, %w: tensor<3xf32>) {
  // expected-error@+1 {{offsets must be 3 ascending numbers from 0 to the 3 weights}}
  snn.sparse %x, %w {offsets = array<i64: 0, 1, 2>, indices = array<i32: 3, 0, 2>} : (tensor<4xf32>, tensor<3xf32>) -> tensor<2xf32>
  return
}
// -----
func.func @sparse_c2(%x: tensor<4xf32>, %w: tensor<3xf32>) {
  // expected-error@+1 {{indices of output 1 must ascend within the 4 inputs}}
  snn.sparse %x, %w {offsets = array<i64: 0, 1, 3>, indices = array<i32: 3, 2, 2>} : (tensor<4xf32>, tensor<3xf32>) -> tensor<2xf32>
  return
}
// -----
func.func @sparse_c2_count(%x: tensor<4xf32>, %w: tensor<3xf32>) {
  // expected-error@+1 {{there are 2 indices, expected one per weight: 3}}
  snn.sparse %x, %w {offsets = array<i64: 0, 1, 3>, indices = array<i32: 3, 2>} : (tensor<4xf32>, tensor<3xf32>) -> tensor<2xf32>
  return
}
// -----
func.func @sparse_c3(%x: tensor<4xf32>, %w: tensor<1x3xf32>) {
  // expected-error@+1 {{weight must have one dimension}}
  snn.sparse %x, %w {offsets = array<i64: 0, 1, 3>, indices = array<i32: 3, 0, 2>} : (tensor<4xf32>, tensor<1x3xf32>) -> tensor<2xf32>
  return
}
// -----
func.func @sparse_c4(%x: tensor<4xf32>, %w: tensor<3xf32>, %b: tensor<3xf32>) {
  // expected-error@+1 {{bias must have one value per output: 2}}
  snn.sparse %x, %w, %b {offsets = array<i64: 0, 1, 3>, indices = array<i32: 3, 0, 2>} : (tensor<4xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2xf32>
  return
}
// -----
func.func @delayed_sparse_c2(%x: !snn.spike_bundle<4x!snn.spike_train<?xf32>>, %w: tensor<3xf32>) {
  // expected-error@+1 {{offsets must be 3 ascending numbers from 0 to the 3 weights}}
  snn.delayed_sparse %x, %w {offsets = array<i64: 0, 1, 2>, indices = array<i32: 3, 2, 0>, delays = array<i16: 1, 7, 0>} : (!snn.spike_bundle<4x!snn.spike_train<?xf32>>, tensor<3xf32>) -> !snn.current<2xf32>
  return
}
// -----
func.func @delayed_sparse_c3_count(%x: !snn.spike_bundle<4x!snn.spike_train<?xf32>>, %w: tensor<3xf32>) {
  // expected-error@+1 {{there are 3 indices and 2 delays, expected one per weight: 3}}
  snn.delayed_sparse %x, %w {offsets = array<i64: 0, 1, 3>, indices = array<i32: 3, 2, 0>, delays = array<i16: 1, 7>} : (!snn.spike_bundle<4x!snn.spike_train<?xf32>>, tensor<3xf32>) -> !snn.current<2xf32>
  return
}
// -----
func.func @delayed_sparse_c3_index(%x: !snn.spike_bundle<4x!snn.spike_train<?xf32>>, %w: tensor<3xf32>) {
  // expected-error@+1 {{index 4 of output 1 is none of the 4 inputs}}
  snn.delayed_sparse %x, %w {offsets = array<i64: 0, 1, 3>, indices = array<i32: 3, 4, 0>, delays = array<i16: 1, 7, 0>} : (!snn.spike_bundle<4x!snn.spike_train<?xf32>>, tensor<3xf32>) -> !snn.current<2xf32>
  return
}
// -----
func.func @delayed_sparse_c3_delay(%x: !snn.spike_bundle<4x!snn.spike_train<?xf32>>, %w: tensor<3xf32>) {
  // expected-error@+1 {{delay of output 1 is -1, expected zero or more steps}}
  snn.delayed_sparse %x, %w {offsets = array<i64: 0, 1, 3>, indices = array<i32: 3, 2, 0>, delays = array<i16: 1, 7, -1>} : (!snn.spike_bundle<4x!snn.spike_train<?xf32>>, tensor<3xf32>) -> !snn.current<2xf32>
  return
}
// -----
func.func @delayed_sparse_c3_order(%x: !snn.spike_bundle<4x!snn.spike_train<?xf32>>, %w: tensor<3xf32>) {
  // expected-error@+1 {{synapses of output 1 must stand by descending delays, then by ascending indices}}
  snn.delayed_sparse %x, %w {offsets = array<i64: 0, 1, 3>, indices = array<i32: 3, 2, 0>, delays = array<i16: 1, 7, 8>} : (!snn.spike_bundle<4x!snn.spike_train<?xf32>>, tensor<3xf32>) -> !snn.current<2xf32>
  return
}
// -----
func.func @delayed_sparse_c3_indices(%x: !snn.spike_bundle<4x!snn.spike_train<?xf32>>, %w: tensor<3xf32>) {
  // expected-error@+1 {{synapses of output 1 must stand by descending delays, then by ascending indices}}
  snn.delayed_sparse %x, %w {offsets = array<i64: 0, 1, 3>, indices = array<i32: 3, 2, 0>, delays = array<i16: 1, 7, 7>} : (!snn.spike_bundle<4x!snn.spike_train<?xf32>>, tensor<3xf32>) -> !snn.current<2xf32>
  return
}
// -----
func.func @delayed_sparse_c3_twice(%x: !snn.spike_bundle<4x!snn.spike_train<?xf32>>, %w: tensor<3xf32>) {
  // expected-error@+1 {{output 1 reads input 2 twice}}
  snn.delayed_sparse %x, %w {offsets = array<i64: 0, 1, 3>, indices = array<i32: 3, 2, 2>, delays = array<i16: 1, 7, 0>} : (!snn.spike_bundle<4x!snn.spike_train<?xf32>>, tensor<3xf32>) -> !snn.current<2xf32>
  return
}
// -----
func.func @delayed_sparse_c4(%x: !snn.spike_bundle<4x!snn.spike_train<?xf32>>, %w: tensor<1x3xf32>) {
  // expected-error@+1 {{weight must have one dimension}}
  snn.delayed_sparse %x, %w {offsets = array<i64: 0, 1, 3>, indices = array<i32: 3, 2, 0>, delays = array<i16: 1, 7, 0>} : (!snn.spike_bundle<4x!snn.spike_train<?xf32>>, tensor<1x3xf32>) -> !snn.current<2xf32>
  return
}
// -----
func.func @delayed_sparse_c5(%x: !snn.spike_bundle<4x!snn.spike_train<?xf32>>, %w: tensor<3xf32>, %b: tensor<3xf32>) {
  // expected-error@+1 {{bias must have one value per output: 2}}
  snn.delayed_sparse %x, %w, %b {offsets = array<i64: 0, 1, 3>, indices = array<i32: 3, 2, 0>, delays = array<i16: 1, 7, 0>} : (!snn.spike_bundle<4x!snn.spike_train<?xf32>>, tensor<3xf32>, tensor<3xf32>) -> !snn.current<2xf32>
  return
}
// -----
func.func @random_c1(%x: tensor<4xf32>, %w: tensor<1xf32>) {
  // expected-error@+1 {{expected either probability or fan_in}}
  snn.random %x, %w {key = 1 : i64, probability = 0.5, fan_in = 1 : i64, source_range = array<i64: 0, 4>, target_range = array<i64: 0, 3>} : (tensor<4xf32>, tensor<1xf32>) -> tensor<3xf32>
  return
}
// -----
func.func @random_c1_probability(%x: tensor<4xf32>, %w: tensor<1xf32>) {
  // expected-error@+1 {{probability is 1.500000e+00, expected 0 to 1}}
  snn.random %x, %w {key = 1 : i64, probability = 1.5, source_range = array<i64: 0, 4>, target_range = array<i64: 0, 3>} : (tensor<4xf32>, tensor<1xf32>) -> tensor<3xf32>
  return
}
// -----
func.func @random_c1_fan_in(%x: tensor<4xf32>, %w: tensor<1xf32>) {
  // expected-error@+1 {{fan_in is 4, expected 0 to 3}}
  snn.random %x, %w {key = 1 : i64, fan_in = 4 : i64, autapses = false, source_range = array<i64: 0, 4>, target_range = array<i64: 0, 3>} : (tensor<4xf32>, tensor<1xf32>) -> tensor<3xf32>
  return
}
// -----
func.func @random_c2(%x: tensor<4xf32>, %w: tensor<1xf32>) {
  // expected-error@+1 {{source_range must be begin and end of a range of the 4 inputs}}
  snn.random %x, %w {key = 1 : i64, probability = 0.5, source_range = array<i64: 0, 5>, target_range = array<i64: 0, 3>} : (tensor<4xf32>, tensor<1xf32>) -> tensor<3xf32>
  return
}
// -----
func.func @random_c3(%x: tensor<4xf32>, %w: tensor<1xf32>) {
  // expected-error@+1 {{target_range must be begin and end of a range of rows}}
  snn.random %x, %w {key = 1 : i64, probability = 0.5, source_range = array<i64: 0, 4>, target_range = array<i64: 3, 2>} : (tensor<4xf32>, tensor<1xf32>) -> tensor<3xf32>
  return
}
// -----
func.func @random_c3_first(%x: tensor<4xf32>, %w: tensor<1xf32>) {
  // expected-error@+1 {{first is -1, expected a row, zero or more}}
  snn.random %x, %w {key = 1 : i64, probability = 0.5, first = -1 : i64, source_range = array<i64: 0, 4>, target_range = array<i64: 0, 3>} : (tensor<4xf32>, tensor<1xf32>) -> tensor<3xf32>
  return
}
// -----
func.func @random_c4(%x: tensor<4xf32>, %w: tensor<2xf32>) {
  // expected-error@+1 {{weight must be one value, which all synapses share}}
  snn.random %x, %w {key = 1 : i64, probability = 0.5, source_range = array<i64: 0, 4>, target_range = array<i64: 0, 3>} : (tensor<4xf32>, tensor<2xf32>) -> tensor<3xf32>
  return
}
// -----
func.func @random_c5(%x: tensor<4xf32>, %w: tensor<1xf32>, %b: tensor<2xf32>) {
  // expected-error@+1 {{bias must have one value per output: 3}}
  snn.random %x, %w, %b {key = 1 : i64, probability = 0.5, source_range = array<i64: 0, 4>, target_range = array<i64: 0, 3>} : (tensor<4xf32>, tensor<1xf32>, tensor<2xf32>) -> tensor<3xf32>
  return
}
// -----
func.func @random_output(%x: tensor<4xf32>, %w: tensor<1xf32>) {
  // expected-error@+1 {{output is '!snn.current<3xf32>', expected 'tensor<3xf32>'}}
  snn.random %x, %w {key = 1 : i64, probability = 0.5, source_range = array<i64: 0, 4>, target_range = array<i64: 0, 3>} : (tensor<4xf32>, tensor<1xf32>) -> !snn.current<3xf32>
  return
}
// -----
func.func @delay_c1(%x: tensor<4xf32>) {
  // expected-error@+1 {{input must run in time, an activation has no steps}}
  snn.delay %x {steps = array<i64: 1>} : tensor<4xf32> -> tensor<4xf32>
  return
}
// -----
func.func @delay_c3(%s: !snn.spike_bundle<4x!snn.spike_train<?xf32>>) {
  // expected-error@+1 {{steps must be zero or more}}
  snn.delay %s {steps = array<i64: -1>} : !snn.spike_bundle<4x!snn.spike_train<?xf32>> -> !snn.spike_bundle<4x!snn.spike_train<?xf32>>
  return
}
// -----
func.func @delay_c3_count(%s: !snn.spike_bundle<2x3x!snn.spike_train<?xf32>>) {
  // expected-error@+1 {{steps has 3 values, expected 1, 2 (one per channel) or 6 (one per element)}}
  snn.delay %s {steps = array<i64: 1, 1, 1>} : !snn.spike_bundle<2x3x!snn.spike_train<?xf32>> -> !snn.spike_bundle<2x3x!snn.spike_train<?xf32>>
  return
}
// -----
func.func @feedback_c1() {
  // expected-error@+1 {{steps must be at least one}}
  snn.feedback "lif1" {steps = 0 : i64} : !snn.spike_bundle<4x!snn.spike_train<?xf32>>
  return
}
// -----
func.func @feedback_c2() {
  // expected-error@+1 {{expected one spiking population of the function with layer 'lif1' and this shape, found 0}}
  snn.feedback "lif1" : !snn.spike_bundle<4x!snn.spike_train<?xf32>>
  return
}
// -----
func.func @gather_c1(%s: !snn.spike_bundle<2x!snn.spike_train<?xf32>>) {
  // expected-error@+1 {{the 2 spikes from 3 on must lie within the 4 of the output}}
  snn.gather %s {first = 3 : i64} : !snn.spike_bundle<2x!snn.spike_train<?xf32>> -> !snn.spike_bundle<4x!snn.spike_train<?xf32>>
  return
}
