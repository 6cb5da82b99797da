// What snn-remove-dead-neurons refuses; what it does is tested where traces are made (tests/emulation/transforms).
// RUN: spindle-opt %s --snn-remove-dead-neurons --split-input-file --verify-diagnostics
// RUN: not spindle-opt %s --snn-remove-dead-neurons=trace=%s --split-input-file 2>&1 | FileCheck %s
// CHECK: cannot read the trace: {{.*}}remove-dead-neurons-refused.mlir: error: not an HDF5 file

// expected-error@+1 {{has no function @main}}
module {
}
// -----
// expected-error@+1 {{has no trace to remove neurons by, expected the option trace=30-spikes.h5 of a run of this network}}
module {
  func.func @main(%x: tensor<1xf32>) {
    return
  }
}
// -----
// expected-error@+1 {{has no function @main}}
module {
  func.func private @main(tensor<1xf32>) -> tensor<1xf32>
}
