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
func.func @neuron_c3(%i: !snn.current<4xf32>) {
  // expected-error@+1 {{threshold must be positive}}
  snn.if %i reset zero {threshold = array<f32: 0.0>} : !snn.current<4xf32> -> !snn.spike_bundle<4x!snn.spike_train<?xf32>>
  return
}
// -----
func.func @lif_c1(%i: !snn.current<4xf32>) {
  // expected-error@+1 {{tau must be at least one step}}
  snn.lif %i reset zero {threshold = array<f32: 1.0>, tau = array<f32: 0.5>} : !snn.current<4xf32> -> !snn.spike_bundle<4x!snn.spike_train<?xf32>>
  return
}
