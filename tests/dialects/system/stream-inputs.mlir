// RUN: spindle-opt %s --split-input-file --hls-prepare --system-search=inputs --system-outline --system-stream-inputs | FileCheck %s
// RUN: spindle-opt %s --split-input-file --hls-prepare --system-search=inputs --system-outline --system-stream-inputs --system-dispatch="share=all" | FileCheck %s --check-prefix=DISPATCH

// What is read comes in by a stream and what is written goes out; weights stay. A kernel that does
// not use the number of the input any more loses it. Both streams of i32 have kernels of their own.
//
// CHECK-LABEL: func.func @stages
// CHECK-SAME: %[[IN:.*]]: !hls.stream<i32> {system.array = memref<5x2x8xi32>}, %[[OTHER:.*]]: !hls.stream<i32> {system.array = memref<5x2x8xi32>}
// CHECK-SAME: %{{.*}}: memref<8xi32>, %[[OUT:.*]]: !hls.stream<i32> {system.array = memref<5xf32>}
// CHECK: affine.for
// CHECK: system.launch_func @stages_kernels::@stages_in0 (%[[IN]], %[[X:.*]] : !hls.stream<i32>, memref<2x8xi32>)
// CHECK-NEXT: system.launch_func @stages_kernels::@stages_in1 (%[[OTHER]],
// CHECK-NEXT: system.launch_func @stages_kernels::@stages_0 (%[[X]], %{{.*}} : memref<2x8xi32>, memref<2x8xi32>, memref<8xi32>, memref<2x8xi32>)
// CHECK-NEXT: system.launch_func @stages_kernels::@stages_1 (
// CHECK-NEXT: system.launch_func @stages_kernels::@stages_out3 (%[[OUT]], %{{.*}} : !hls.stream<i32>, memref<f32>)
// CHECK: system.func @stages_in0(%[[S:.*]]: !hls.stream<i32>, %[[A:.*]]: memref<2x8xi32>)
// CHECK: %[[TOKEN:.*]] = hls.read %[[S]]
// CHECK-NEXT: affine.store %[[TOKEN]], %[[A]][%{{.*}}, %{{.*}}]
// CHECK: system.func @stages_out3(
// CHECK: %[[VALUE:.*]] = affine.load
// CHECK-NEXT: %[[BITS:.*]] = arith.bitcast %[[VALUE]] : f32 to i32
// CHECK-NEXT: hls.write %[[BITS]],
//
// DISPATCH-LABEL: func.func @stages
// DISPATCH: @stages_in0 on 0
// DISPATCH: @stages_in1 on 1
func.func @stages(%in: memref<5x2x8xi32>, %other: memref<5x2x8xi32>, %weights: memref<8xi32>, %out: memref<5xf32>) {
  %t = memref.alloc() : memref<2x8xi32>
  affine.for %n = 0 to 5 {
    affine.for %i = 0 to 2 {
      affine.for %j = 0 to 8 {
        %x = affine.load %in[%n, %i, %j] : memref<5x2x8xi32>
        %y = affine.load %other[%n, %i, %j] : memref<5x2x8xi32>
        %w = affine.load %weights[%j] : memref<8xi32>
        %s = arith.addi %x, %y : i32
        %z = arith.addi %s, %w : i32
        affine.store %z, %t[%i, %j] : memref<2x8xi32>
      }
    }
    %x = affine.load %t[0, 0] : memref<2x8xi32>
    %f = arith.sitofp %x : i32 to f32
    affine.store %f, %out[%n] : memref<5xf32>
  }
  return
}

// -----

// A result that tasks write together, one after the other, and an input of which data says the
// place; inputs take two buffers in turn.
//
// CHECK-LABEL: func.func @together
// CHECK-SAME: !hls.stream<i32> {system.array = memref<5x8xi32>}, %{{.*}}: !hls.stream<i32> {system.array = memref<5x2x8xi32>}
// CHECK: system.func @together_0(%[[X:.*]]: memref<8xi32>,
// CHECK: memref.load %[[X]][%{{[0-9a-z]+}}] : memref<8xi32>
// DISPATCH-LABEL: func.func @together
// DISPATCH-COUNT-2: system.channel buffers 2
func.func @together(%in: memref<5x8xi32>, %out: memref<5x2x8xi32>) {
  %last = arith.constant 7 : i32
  affine.for %n = 0 to 5 {
    affine.for %i = 0 to 8 {
      %x = affine.load %in[%n, %i] : memref<5x8xi32>
      %y = arith.andi %x, %last : i32
      %k = arith.index_cast %y : i32 to index
      %z = memref.load %in[%n, %k] : memref<5x8xi32>
      affine.store %z, %out[%n, 0, 7 - %i] : memref<5x2x8xi32>
    }
    affine.for %i = 0 to 4 {
      %x = affine.load %in[%n, %i] : memref<5x8xi32>
      affine.store %x, %out[%n, 1, %i * 2] : memref<5x2x8xi32>
    }
    affine.for %i = 4 to 8 {
      %x = affine.load %in[%n, %i] : memref<5x8xi32>
      affine.store %x, %out[%n, 1, %i * 2 - 7] : memref<5x2x8xi32>
    }
  }
  return
}
