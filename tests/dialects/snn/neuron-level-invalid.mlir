// Each constraint of the neuron level, broken once.
// RUN: spindle-opt %s --split-input-file --verify-diagnostics

func.func @train_c1(%t: tensor<3xf32>) {
  // expected-error@+1 {{result #0 must be spike train of unknown length, but got '!snn.spike_train<3xf32>'}}
  snn.tensor_to_spike_train(%t : tensor<3xf32>) : !snn.spike_train<3xf32>
  return
}
// -----
func.func @train_c1_bundle(%t: tensor<2x3xf32>) {
  // expected-error@+1 {{result #0 must be bundle of spike trains of unknown length, but got '!snn.spike_bundle<2x!snn.spike_train<3xf32>>'}}
  snn.tensor_to_spike_train_bundle(%t : tensor<2x3xf32>) : !snn.spike_bundle<2x!snn.spike_train<3xf32>>
  return
}
// -----
func.func @tensor_to_spike_train_c1(%t: tensor<3x2xf32>) {
  // expected-error@+1 {{tensor has shape 3x2, expected one dimension}}
  snn.tensor_to_spike_train(%t : tensor<3x2xf32>) : !snn.spike_train<?xf32>
  return
}
// -----
func.func @spike_train_to_tensor_c1(%t: !snn.spike_train<?xf32>) {
  // expected-error@+1 {{tensor has shape 3x?, expected one dimension}}
  snn.spike_train_to_tensor(%t : !snn.spike_train<?xf32>) : tensor<3x?xf32>
  return
}
// -----
func.func @tensor_to_bundle_c1(%t: tensor<3xf32>) {
  // expected-error@+1 {{tensor of rank 1 and bundle of rank 2, expected a tensor of the bundle's rank (one time per train) or one more (a list per train)}}
  snn.tensor_to_spike_train_bundle(%t : tensor<3xf32>) : !snn.spike_bundle<3x1x!snn.spike_train<?xf32>>
  return
}
// -----
func.func @bundle_to_tensor_c1(%b: !snn.spike_bundle<3x!snn.spike_train<?xf32>>) {
  // expected-error@+1 {{tensor of rank 3 and bundle of rank 1}}
  snn.spike_bundle_to_tensor(%b : !snn.spike_bundle<3x!snn.spike_train<?xf32>>) : tensor<3x1x1xf32>
  return
}
// -----
func.func @bundle_c1(%t: tensor<3x5xf32>) {
  // expected-error@+1 {{result has shape 4, expected 3 or ? for an extent}}
  snn.tensor_to_spike_train_bundle(%t : tensor<3x5xf32>) : !snn.spike_bundle<4x!snn.spike_train<?xf32>>
  return
}
// -----
func.func @select_c1(%b: !snn.spike_bundle<3x2x!snn.spike_train<?xf32>>) {
  // expected-error@+1 {{1 indices into a bundle of rank 2}}
  snn.spike_bundle_select(%b[1] : !snn.spike_bundle<3x2x!snn.spike_train<?xf32>>) : !snn.spike_train<?xf32>
  return
}
// -----
func.func @select_c2(%b: !snn.spike_bundle<?x2x!snn.spike_train<?xf32>>) {
  // expected-error@+1 {{index 2 of dimension 1 is outside the shape ?x2}}
  snn.spike_bundle_select(%b[9, 2] : !snn.spike_bundle<?x2x!snn.spike_train<?xf32>>) : !snn.spike_train<?xf32>
  return
}
// -----
func.func @collect_c1(%t: !snn.spike_train<?xf32>) {
  // expected-error@+1 {{bundle has shape 1x2, expected extents that hold 1 trains}}
  snn.spike_bundle_collect(%t : !snn.spike_train<?xf32>) : !snn.spike_bundle<1x2x!snn.spike_train<?xf32>>
  return
}
// -----
func.func @insert_c1(%t: !snn.spike_train<?xf32>, %b: !snn.spike_bundle<3x!snn.spike_train<?xf32>>) {
  // expected-error@+1 {{axis is 1, expected a dimension of a bundle of rank 1}}
  snn.spike_bundle_insert(%t : !snn.spike_train<?xf32> into %b[0] : !snn.spike_bundle<3x!snn.spike_train<?xf32>>) {axis = 1 : i64} : !snn.spike_bundle<4x!snn.spike_train<?xf32>>
  return
}
// -----
func.func @insert_c2(%t: !snn.spike_train<?xf32>, %b: !snn.spike_bundle<3x2x!snn.spike_train<?xf32>>) {
  // expected-error@+1 {{inserts '!snn.spike_train<?xf32>', expected a bundle of shape 2}}
  snn.spike_bundle_insert(%t : !snn.spike_train<?xf32> into %b[0] : !snn.spike_bundle<3x2x!snn.spike_train<?xf32>>) : !snn.spike_bundle<4x2x!snn.spike_train<?xf32>>
  return
}
// -----
func.func @insert_c2_train(%t: !snn.spike_bundle<3x!snn.spike_train<?xf32>>, %b: !snn.spike_bundle<3x!snn.spike_train<?xf32>>) {
  // expected-error@+1 {{inserts '!snn.spike_bundle<3x!snn.spike_train<?xf32>>', expected a train}}
  snn.spike_bundle_insert(%t : !snn.spike_bundle<3x!snn.spike_train<?xf32>> into %b[0] : !snn.spike_bundle<3x!snn.spike_train<?xf32>>) : !snn.spike_bundle<4x!snn.spike_train<?xf32>>
  return
}
// -----
func.func @insert_c3(%t: !snn.spike_train<?xf32>, %b: !snn.spike_bundle<3x!snn.spike_train<?xf32>>) {
  // expected-error@+1 {{position 4 is beyond the extent 3}}
  snn.spike_bundle_insert(%t : !snn.spike_train<?xf32> into %b[4] : !snn.spike_bundle<3x!snn.spike_train<?xf32>>) : !snn.spike_bundle<4x!snn.spike_train<?xf32>>
  return
}
// -----
func.func @remove_c1(%b: !snn.spike_bundle<3x!snn.spike_train<?xf32>>) {
  // expected-error@+1 {{axis is 3, expected a dimension of a bundle of rank 1}}
  snn.spike_bundle_remove(%b[0] : !snn.spike_bundle<3x!snn.spike_train<?xf32>>) {axis = 3 : i64} : !snn.spike_bundle<2x!snn.spike_train<?xf32>>
  return
}
// -----
func.func @remove_c2(%b: !snn.spike_bundle<3x!snn.spike_train<?xf32>>) {
  // expected-error@+1 {{position 3 is outside the extent 3}}
  snn.spike_bundle_remove(%b[3] : !snn.spike_bundle<3x!snn.spike_train<?xf32>>) : !snn.spike_bundle<2x!snn.spike_train<?xf32>>
  return
}
// -----
func.func @slice_c1(%b: !snn.spike_bundle<3x!snn.spike_train<?xf32>>) {
  // expected-error@+1 {{offsets and sizes must not be negative, strides must be positive}}
  snn.spike_bundle_slice(%b[0] [1] [0] : !snn.spike_bundle<3x!snn.spike_train<?xf32>>) : !snn.spike_bundle<1x!snn.spike_train<?xf32>>
  return
}
// -----
func.func @slice_c1(%b: !snn.spike_bundle<3x!snn.spike_train<?xf32>>) {
  // expected-error@+1 {{takes offsets, sizes and strides of 1 numbers each}}
  snn.spike_bundle_slice(%b[0] [1, 1] [1] : !snn.spike_bundle<3x!snn.spike_train<?xf32>>) : !snn.spike_bundle<1x!snn.spike_train<?xf32>>
  return
}
// -----
func.func @slice_c2(%b: !snn.spike_bundle<3x!snn.spike_train<?xf32>>) {
  // expected-error@+1 {{reaches index 3 of dimension 0, outside the shape 3}}
  snn.spike_bundle_slice(%b[1] [2] [2] : !snn.spike_bundle<3x!snn.spike_train<?xf32>>) : !snn.spike_bundle<2x!snn.spike_train<?xf32>>
  return
}
// -----
func.func @slice_far(%b: !snn.spike_bundle<3x!snn.spike_train<?xf32>>) {
  // expected-error@+1 {{reaches index 9223372036854775807 of dimension 0, outside the shape 3}}
  snn.spike_bundle_slice(%b[1] [3] [9223372036854775807] : !snn.spike_bundle<3x!snn.spike_train<?xf32>>) : !snn.spike_bundle<3x!snn.spike_train<?xf32>>
  return
}
// -----
func.func @permute_c1(%b: !snn.spike_bundle<3x4x!snn.spike_train<?xf32>>) {
  // expected-error@+1 {{permutation must name each of the 2 dimensions once}}
  snn.spike_bundle_permute(%b permutation [1, 1] : !snn.spike_bundle<3x4x!snn.spike_train<?xf32>>) : !snn.spike_bundle<4x4x!snn.spike_train<?xf32>>
  return
}
// -----
func.func @order_c1(%b: !snn.spike_bundle<3x4x!snn.spike_train<?xf32>>) {
  // expected-error@+1 {{result has shape 3, expected 12 or ? for an extent}}
  snn.get_order(%b : !snn.spike_bundle<3x4x!snn.spike_train<?xf32>>) : tensor<3xindex>
  return
}
// -----
func.func @order_c1(%b: !snn.spike_bundle<3x4x!snn.spike_train<?xf32>>) {
  // expected-error@+1 {{result has shape 3x4, expected 12 or ? for an extent}}
  snn.get_rev_order(%b : !snn.spike_bundle<3x4x!snn.spike_train<?xf32>>) : tensor<3x4xindex>
  return
}
// -----
func.func @operands(%t: !snn.spike_train<?xf32>, %w: tensor<1xf32>) {
  // expected-error@+1 {{expected the input, then weights (a tensor) if there are any, then a bias (f32) if there is one}}
  snn.neuron(%t : !snn.spike_train<?xf32>, %w : tensor<1xf32>, %w : tensor<1xf32>) : !snn.spike_train<?xf32>
  return
}
// -----
func.func @neuron_level_c1(%t: !snn.spike_train<?xf32>, %w: tensor<2xf32>) {
  // expected-error@+1 {{weights are 'tensor<2xf32>', expected one for each train of '!snn.spike_train<?xf32>'}}
  snn.neuron(%t : !snn.spike_train<?xf32>, %w : tensor<2xf32>) {k = 1.0 : f32, vth = 1.0 : f32, vrest = 0.0 : f32} : !snn.spike_train<?xf32>
  return
}
// -----
module attributes {snn.lif.k = 1.0 : f32} {
  func.func @neuron_level_c2(%t: !snn.spike_train<?xf32>) {
    // expected-error@+1 {{vrest is missing, expected an f32 attribute vrest here or snn.lif.vrest of the module}}
    snn.neuron(%t : !snn.spike_train<?xf32>) {vth = 1.0 : f32} : !snn.spike_train<?xf32>
    return
  }
}
// -----
func.func @neuron_level_c3(%t: !snn.spike_train<?xf32>) {
  // expected-error@+1 {{k must not be negative}}
  snn.neuron(%t : !snn.spike_train<?xf32>) {k = -1.0 : f32, vth = 1.0 : f32, vrest = 0.0 : f32} : !snn.spike_train<?xf32>
  return
}
// -----
func.func @neuron_level_c3(%t: !snn.spike_train<?xf32>) {
  // expected-error@+1 {{vth must be finite}}
  snn.neuron(%t : !snn.spike_train<?xf32>) {k = 1.0 : f32, vth = 0x7F800000 : f32, vrest = 0.0 : f32} : !snn.spike_train<?xf32>
  return
}
// -----
func.func @neuron_level_c3(%t: !snn.spike_train<?xf32>) {
  // expected-error@+1 {{step must be positive}}
  snn.neuron(%t : !snn.spike_train<?xf32>) {k = 1.0 : f32, vth = 1.0 : f32, vrest = 0.0 : f32, step = 0.0 : f32} : !snn.spike_train<?xf32>
  return
}
// -----
func.func @neuron_level_c3(%t: !snn.spike_train<?xf32>) {
  // expected-error@+1 {{steps and max_spikes must be 1 to 16777216}}
  snn.neuron(%t : !snn.spike_train<?xf32>) {k = 1.0 : f32, vth = 1.0 : f32, vrest = 0.0 : f32, max_spikes = 0 : i64} : !snn.spike_train<?xf32>
  return
}
// -----
func.func @neuron_level_c4(%t: !snn.spike_train<?xf32>) {
  // expected-error@+1 {{steps and r need step: without it the neuron runs in continuous time}}
  snn.neuron(%t : !snn.spike_train<?xf32>) {k = 1.0 : f32, vth = 1.0 : f32, vrest = 0.0 : f32, steps = 4 : i64} : !snn.spike_train<?xf32>
  return
}
// -----
func.func @neuron_level_c4(%t: !snn.spike_train<?xf32>) {
  // expected-error@+1 {{until is for continuous time, with step the run has a number of steps}}
  snn.neuron(%t : !snn.spike_train<?xf32>) {k = 1.0 : f32, vth = 1.0 : f32, vrest = 0.0 : f32, step = 1.0 : f32, until = 4.0 : f32} : !snn.spike_train<?xf32>
  return
}
// -----
func.func @neuron_level_c5(%t: !snn.spike_train<?xf32>) {
  // expected-error@+1 {{initial_membrane must be below vth}}
  snn.neuron(%t : !snn.spike_train<?xf32>) {k = 1.0 : f32, vth = 1.0 : f32, vrest = 0.0 : f32, initial_membrane = 1.0 : f32} : !snn.spike_train<?xf32>
  return
}
// -----
func.func @neuron_level_c6(%t: !snn.spike_train<?xf32>) {
  // expected-error@+1 {{reset by subtraction needs a positive vth}}
  snn.neuron(%t : !snn.spike_train<?xf32>) reset subtract {k = 1.0 : f32, vth = -1.0 : f32, vrest = -2.0 : f32} : !snn.spike_train<?xf32>
  return
}
