// The neuron level parses, prints and parses again to the same text, and so does bytecode. First the listing of Curzel 2023, figure 5.11,
// corrected.
// RUN: spindle-opt %s | FileCheck %s
// RUN: spindle-opt %s > %t.once
// RUN: spindle-opt %t.once > %t.twice
// RUN: diff %t.once %t.twice
// RUN: spindle-opt %s --emit-bytecode | spindle-opt | diff %t.once -
!train = !snn.spike_train<?xf32>
!bundle = !snn.spike_bundle<?x!snn.spike_train<?xf32>>
module attributes {snn.lif.k = 1.0 : f32, snn.lif.vth = 30.0 : f32, snn.lif.vrest = -20.0 : f32} {
  // CHECK-LABEL: func.func @dense_2
  func.func @dense_2(%data: tensor<2xf32>, %w0: tensor<2xf32>, %w1: tensor<2xf32>, %b0: f32, %b1: f32) -> tensor<2xindex> {
    // CHECK: snn.tensor_to_spike_train_bundle(%arg0 : tensor<2xf32>) : !snn.spike_bundle<?x!snn.spike_train<?xf32>>
    %in = snn.tensor_to_spike_train_bundle(%data : tensor<2xf32>) : !bundle
    // CHECK: snn.spike_bundle_select(%0[0] : !snn.spike_bundle<?x!snn.spike_train<?xf32>>) : !snn.spike_train<?xf32>
    %in0 = snn.spike_bundle_select(%in[0] : !bundle) : !train
    %in1 = snn.spike_bundle_select(%in[1] : !bundle) : !train
    // CHECK: snn.neuron(%1 : !snn.spike_train<?xf32>) : !snn.spike_train<?xf32>
    %v00 = snn.neuron(%in0 : !train) : !train
    %v01 = snn.neuron(%in1 : !train) : !train
    // CHECK: snn.spike_bundle_collect(%3 : !snn.spike_train<?xf32>, %4 : !snn.spike_train<?xf32>) : !snn.spike_bundle<?x!snn.spike_train<?xf32>>
    %v0 = snn.spike_bundle_collect(%v00 : !train, %v01 : !train) : !bundle
    // CHECK: snn.neuron(%5 : !snn.spike_bundle<?x!snn.spike_train<?xf32>>, %arg1 : tensor<2xf32>, %arg3 : f32) : !snn.spike_train<?xf32>
    %v10 = snn.neuron(%v0 : !bundle, %w0 : tensor<2xf32>, %b0 : f32) : !train
    %v11 = snn.neuron(%v0 : !bundle, %w1 : tensor<2xf32>, %b1 : f32) : !train
    %v1 = snn.spike_bundle_collect(%v10 : !train, %v11 : !train) : !bundle
    // CHECK: snn.get_order(%8 : !snn.spike_bundle<?x!snn.spike_train<?xf32>>) : tensor<?xindex>
    %order = snn.get_order(%v1 : !bundle) : tensor<?xindex>
    %out = tensor.cast %order : tensor<?xindex> to tensor<2xindex>
    return %out : tensor<2xindex>
  }
  // CHECK-LABEL: func.func @bias_without_weights
  func.func @bias_without_weights(%in: !train, %b: f32) -> !train {
    // CHECK: snn.neuron(%arg0 : !snn.spike_train<?xf32>, %arg1 : f32) reset subtract {until = 1.000000e+01 : f32} : !snn.spike_train<?xf32>
    %out = snn.neuron(%in : !train, %b : f32) reset subtract {until = 10.0 : f32} : !train
    return %out : !train
  }
  // CHECK-LABEL: func.func @no_trains
  func.func @no_trains() -> !snn.spike_bundle<0x!train> {
    // CHECK: snn.spike_bundle_collect() : !snn.spike_bundle<0x!snn.spike_train<?xf32>>
    %none = snn.spike_bundle_collect() : !snn.spike_bundle<0x!train>
    return %none : !snn.spike_bundle<0x!train>
  }
}
