// RUN: spindle-opt %s --convert-affine-to-hls --hls-schedule=pairs --split-input-file | FileCheck %s
// RUN: spindle-opt %s --convert-affine-to-hls --hls-schedule='pairs target=ice40-hx8k-25mhz' --split-input-file | FileCheck %s --check-prefix=NONE
// RUN: spindle-opt %s --convert-affine-to-hls --hls-schedule='pairs limits=muli_i16=3' --split-input-file | FileCheck %s --check-prefix=NONE

// The products with %e0 are one, the third has nobody. What used the first one comes after both; the
// accesses of %y keep their order.
// CHECK-LABEL: hls.kernel @three
// CHECK: hls.unit @multiply_pair_i16_9x16x16_0 does ["multiply_pair"] on i16 by "spindle_muli_pair"
// CHECK: %[[both:.*]] = hls.multiply_pair %{{.*}}, %{{.*}} by %{{.*}} {hls.start = {{.*}}, hls.unit = @multiply_pair_i16_9x16x16_0} : i16 -> i32
// CHECK: arith.shrui %[[both]]
// CHECK: hls.store
// CHECK: hls.load @arg3
// CHECK: dependences = [#hls.dependence<
// NONE-LABEL: hls.kernel @three
// NONE-NOT: hls.multiply_pair
func.func @three(%a: memref<8xi8>, %b: memref<8xi8>, %c: memref<8xi8>, %y: memref<8xi16>) {
  affine.for %i = 0 to 8 {
    %x0 = affine.load %a[%i] : memref<8xi8>
    %x2 = affine.load %c[%i] : memref<8xi8>
    %e0 = arith.extsi %x0 : i8 to i16
    %e2 = arith.extsi %x2 : i8 to i16
    %p = arith.muli %e0, %e2 : i16
    %old = affine.load %y[%i] : memref<8xi16>
    %s = arith.addi %old, %p : i16
    affine.store %s, %y[%i] : memref<8xi16>
    %x1 = affine.load %b[%i] : memref<8xi8>
    %e1 = arith.extui %x1 : i8 to i16
    %q = arith.muli %e2, %e1 : i16
    %again = affine.load %y[%i] : memref<8xi16>
    %t = arith.addi %again, %q : i16
    %r = arith.muli %e0, %e0 : i16
    %u = arith.xori %t, %r : i16
    affine.store %u, %y[%i] : memref<8xi16>
  }
  return
}

// -----

// Bytes without sign: no room for the sign of a product is left. One product waits for the other,
// and 16 bits by 16 bits leave no room for a second product: both stay alone.
// CHECK-LABEL: hls.kernel @plain
// CHECK: hls.multiply_pair %{{.*}}, %{{.*}} by %{{.*}} unsigned
// CHECK-NOT: hls.multiply_pair
// CHECK-COUNT-4: arith.muli
// NONE-LABEL: hls.kernel @plain
func.func @plain(%a: memref<8x3xi8>, %w: memref<8x3xi16>, %y: memref<8x4xi16>) {
  affine.for %i = 0 to 8 {
    %x0 = affine.load %a[%i, 0] : memref<8x3xi8>
    %x1 = affine.load %a[%i, 1] : memref<8x3xi8>
    %x2 = affine.load %a[%i, 2] : memref<8x3xi8>
    %e0 = arith.extui %x0 : i8 to i16
    %e1 = arith.extui %x1 : i8 to i16
    %e2 = arith.extui %x2 : i8 to i16
    %p = arith.muli %e0, %e2 : i16
    %q = arith.muli %e1, %e2 : i16
    affine.store %p, %y[%i, 0] : memref<8x4xi16>
    affine.store %q, %y[%i, 1] : memref<8x4xi16>
    %v0 = affine.load %w[%i, 0] : memref<8x3xi16>
    %v1 = affine.load %w[%i, 1] : memref<8x3xi16>
    %v2 = affine.load %w[%i, 2] : memref<8x3xi16>
    %r = arith.muli %v0, %v2 : i16
    %s = arith.muli %v1, %v2 : i16
    %t = arith.xori %r, %s : i16
    affine.store %t, %y[%i, 2] : memref<8x4xi16>
    %c0 = arith.andi %v0, %e0 : i16
    %m = arith.muli %c0, %v1 : i16
    %n = arith.muli %c0, %m : i16
    affine.store %n, %y[%i, 3] : memref<8x4xi16>
  }
  return
}

// -----

// The second product waits for the first one through memory: they stay alone.
// CHECK-LABEL: hls.kernel @through_memory
// CHECK-NOT: hls.multiply_pair
// NONE-LABEL: hls.kernel @through_memory
func.func @through_memory(%a: memref<8xi8>, %k: index, %y: memref<9xi8>) {
  affine.for %i = 0 to 8 {
    %x = affine.load %a[%i] : memref<8xi8>
    %e = arith.extsi %x : i8 to i16
    %y0 = affine.load %y[%i + 1] : memref<9xi8>
    %f = arith.extsi %y0 : i8 to i16
    %p = arith.muli %e, %f : i16
    %t = arith.trunci %p : i16 to i8
    memref.store %t, %y[%k] : memref<9xi8>
    %y1 = affine.load %y[%i] : memref<9xi8>
    %g = arith.extsi %y1 : i8 to i16
    %q = arith.muli %e, %g : i16
    %u = arith.trunci %q : i16 to i8
    affine.store %u, %y[%i] : memref<9xi8>
  }
  return
}
