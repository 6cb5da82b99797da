// RUN: spindle-opt %s --split-input-file --hls-prepare --system-search=inputs --system-outline --system-dispatch | FileCheck %s
// RUN: spindle-opt %s --split-input-file --hls-prepare --system-search=inputs --system-outline --system-dispatch=kind=centralised | FileCheck %s --check-prefix=CENTRAL

// Each input fills %t before it reads it: two buffers. Launches on different inputs may run at the
// same time, so none share a circuit, unless they are centralised.
//
// CHECK-LABEL: func.func @stages
// CHECK: system.channel buffers 2 : memref<8xi32>
// CHECK: affine.for %[[N:.*]] = 0 to 5
// CHECK: system.launch_func @stages_kernels::@stages_0 on 0 (%{{.*}}, %[[N]], %{{.*}} : memref<5x8xi32>, index, memref<8xi32>)
// CHECK: on 1
// CENTRAL-LABEL: func.func @stages
// CENTRAL: system.channel buffers 1
func.func @stages(%in: memref<5x8xi32>, %out: memref<5x8xi32>) {
  %t = memref.alloc() : memref<8xi32>
  affine.for %n = 0 to 5 {
    affine.for %i = 0 to 8 {
      %x = affine.load %in[%n, %i] : memref<5x8xi32>
      %y = arith.addi %x, %x : i32
      affine.store %y, %t[%i] : memref<8xi32>
    }
    affine.for %i = 0 to 8 {
      %x = affine.load %t[7 - %i] : memref<8xi32>
      affine.store %x, %out[%n, %i] : memref<5x8xi32>
    }
  }
  return
}

// -----

// What the first stage leaves in %t it reads with the next input: one buffer. So it is where the
// store does not reach every element.
//
// CHECK-LABEL: func.func @sums
// CHECK: system.channel buffers 1 : memref<8xi32>
// CHECK: system.channel buffers 1 : memref<9xi32>
func.func @sums(%in: memref<5x8xi32>, %out: memref<5x8xi32>) {
  %t = memref.alloc() : memref<8xi32>
  %u = memref.alloc() : memref<9xi32>
  affine.for %n = 0 to 5 {
    affine.for %i = 0 to 8 {
      %x = affine.load %in[%n, %i] : memref<5x8xi32>
      %old = affine.load %t[%i] : memref<8xi32>
      %y = arith.addi %x, %old : i32
      affine.store %y, %t[%i] : memref<8xi32>
      affine.store %y, %u[%i] : memref<9xi32>
    }
    affine.for %i = 0 to 8 {
      %x = affine.load %t[7 - %i] : memref<8xi32>
      %y = affine.load %u[%i] : memref<9xi32>
      %z = arith.addi %x, %y : i32
      affine.store %z, %out[%n, %i] : memref<5x8xi32>
    }
  }
  return
}

// -----

// %t is used twice: two arrays, so that the second half does not wait for the first. Centralised it
// is one.
//
// CHECK-LABEL: func.func @again
// CHECK-COUNT-2: system.channel buffers 2 : memref<8xi32>
// CHECK: @again_0 on 0 (%{{.*}}, %{{.*}}, %[[FIRST:.*]] :
// CHECK: @again_1 on 1 (%[[FIRST]], %
// CHECK: @again_2 on 2 (%{{.*}}, %{{.*}}, %[[SECOND:.*]] :
// CHECK: @again_3 on 3 (%[[SECOND]], %
// CENTRAL-LABEL: func.func @again
// CENTRAL: %[[ONE:.*]] = system.channel buffers 1
// CENTRAL-NOT: system.channel
// CENTRAL: @again_2 on {{[0-9]}} (%{{.*}}, %{{.*}}, %[[ONE]] :
func.func @again(%in: memref<5x8xi32>, %out: memref<5x8xi32>) {
  %t = memref.alloc() : memref<8xi32>
  affine.for %n = 0 to 5 {
    affine.for %i = 0 to 8 {
      %x = affine.load %in[%n, %i] : memref<5x8xi32>
      %y = arith.addi %x, %x : i32
      affine.store %y, %t[%i] : memref<8xi32>
    }
    affine.for %i = 0 to 8 {
      %x = affine.load %t[7 - %i] : memref<8xi32>
      affine.store %x, %out[%n, %i] : memref<5x8xi32>
    }
    affine.for %i = 0 to 8 {
      %x = affine.load %in[%n, %i] : memref<5x8xi32>
      %y = arith.muli %x, %x : i32
      affine.store %y, %t[%i] : memref<8xi32>
    }
    affine.for %i = 0 to 8 {
      %x = affine.load %t[%i] : memref<8xi32>
      affine.store %x, %in[%n, %i] : memref<5x8xi32>
    }
  }
  return
}
