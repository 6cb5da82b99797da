// RUN: spindle-opt %s --hls-expand-arrays | FileCheck %s
// RUN: spindle-opt %s --hls-expand-arrays=most-words=31 | FileCheck %s --check-prefix=FEW

// A row that each iteration fills and reads: the caller finds the last one in its array.
// CHECK-LABEL: func @argument(
// CHECK-SAME: %[[a:.*]]: memref<4x8xf32>, %[[row:.*]]: memref<8xf32>
// CHECK: %[[wide:.*]] = memref.alloc() : memref<4x8xf32>
// CHECK: affine.for %[[i:.*]] = 1 to 5
// CHECK: affine.store %{{.*}}, %[[wide]][%[[i]] - 1, %{{.*}}]
// CHECK: affine.load %[[wide]][%[[i]] - 1, -%{{.*}} + 7]
// CHECK: affine.for %[[p:.*]] = 0 to 8
// CHECK: %[[word:.*]] = affine.load %[[wide]][3, %[[p]]]
// CHECK: affine.store %[[word]], %[[row]][%[[p]]]
// FEW-LABEL: func @argument(
// FEW-NOT: memref.alloc
func.func @argument(%a: memref<4x8xf32>, %row: memref<8xf32>) {
  affine.for %i = 1 to 5 {
    affine.for %p = 0 to 8 {
      %x = affine.load %a[%i - 1, %p] : memref<4x8xf32>
      affine.store %x, %row[%p] : memref<8xf32>
    }
    affine.for %p = 0 to 8 {
      %x = affine.load %row[7 - %p] : memref<8xf32>
      affine.store %x, %a[%i - 1, %p] : memref<4x8xf32>
    }
  }
  return
}

// Nobody sees the local row behind the loops. Part of it is enough where only that part is read.
// CHECK-LABEL: func @local(
// FEW-LABEL: func @local(
// CHECK: memref.alloc() : memref<2x3x8xf32>
// CHECK-NOT: memref.alloc
// CHECK: affine.for
// CHECK: affine.for
// CHECK-COUNT-2: affine.for %{{.*}} = 2 to 6
// CHECK-NOT: affine.for
func.func @local(%a: memref<2x3x8xf32>) {
  %row = memref.alloc() : memref<8xf32>
  affine.for %i = 0 to 2 {
    affine.for %j = 0 to 3 {
      affine.for %p = 2 to 6 {
        %x = affine.load %a[%i, %j, 9 - %p] : memref<2x3x8xf32>
        affine.store %x, %row[%p] : memref<8xf32>
      }
      affine.for %p = 2 to 6 {
        %x = affine.load %row[%p] : memref<8xf32>
        affine.store %x, %a[%i, %j, %p] : memref<2x3x8xf32>
      }
    }
  }
  return
}

// A sum in the row: the zero comes first in the same iteration of p.
// CHECK-LABEL: func @sums(
// CHECK: memref.alloc() : memref<4x8xf32>
func.func @sums(%a: memref<4x8xf32>, %c: memref<8x8xf32>, %row: memref<8xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 4 {
    affine.for %p = 0 to 8 {
      affine.store %zero, %row[%p] : memref<8xf32>
      affine.for %s = 0 to 8 {
        %old = affine.load %row[%p] : memref<8xf32>
        %x = affine.load %a[%i, %s] : memref<4x8xf32>
        %y = affine.load %c[%s, %p] : memref<8x8xf32>
        %product = arith.mulf %x, %y : f32
        %new = arith.addf %old, %product : f32
        affine.store %new, %row[%p] : memref<8xf32>
      }
    }
    affine.for %p = 0 to 8 {
      %x = affine.load %row[%p] : memref<8xf32>
      affine.store %x, %a[%i, %p] : memref<4x8xf32>
    }
  }
  return
}

// The first word is what the iteration before has left.
// CHECK-LABEL: func @carried(
// CHECK-NOT: memref.alloc
func.func @carried(%a: memref<4x8xf32>, %row: memref<8xf32>) {
  affine.for %i = 0 to 4 {
    affine.for %p = 1 to 8 {
      %x = affine.load %a[%i, %p] : memref<4x8xf32>
      affine.store %x, %row[%p] : memref<8xf32>
    }
    affine.for %p = 0 to 8 {
      %x = affine.load %row[%p] : memref<8xf32>
      affine.store %x, %a[%i, %p] : memref<4x8xf32>
    }
  }
  return
}

// Read before it is written; written under a condition; as far as the row before has come.
// CHECK-LABEL: func @late(
// CHECK-NOT: memref.alloc
func.func @late(%a: memref<4x8xf32>, %row: memref<8xf32>, %guarded: memref<8xf32>, %triangle: memref<8xf32>) {
  affine.for %i = 0 to 4 {
    affine.for %p = 0 to 8 {
      %x = affine.load %row[%p] : memref<8xf32>
      affine.store %x, %a[%i, %p] : memref<4x8xf32>
    }
    affine.for %p = 0 to 8 {
      %x = affine.load %a[%i, %p] : memref<4x8xf32>
      affine.store %x, %row[%p] : memref<8xf32>
      affine.if affine_set<(d0, d1) : (d0 - d1 >= 0)>(%i, %p) {
        affine.store %x, %guarded[%p] : memref<8xf32>
      }
    }
    affine.for %p = 0 to affine_map<(d0) -> (d0 + 1)>(%i) {
      %x = affine.load %a[%i, %p] : memref<4x8xf32>
      affine.store %x, %triangle[%p] : memref<8xf32>
    }
    affine.for %p = 0 to 8 {
      %x = affine.load %guarded[%p] : memref<8xf32>
      %y = affine.load %triangle[%p] : memref<8xf32>
      %z = arith.addf %x, %y : f32
      affine.store %z, %a[%i, %p] : memref<4x8xf32>
    }
  }
  return
}

// The caller sees words of the row that only some iterations write.
// CHECK-LABEL: func @seen(
// CHECK-NOT: memref.alloc
func.func @seen(%a: memref<4x8xf32>, %row: memref<8xf32>) {
  affine.for %i = 0 to 4 {
    affine.for %p = 0 to 4 {
      %x = affine.load %a[%i, %p] : memref<4x8xf32>
      affine.store %x, %row[%p] : memref<8xf32>
    }
    affine.for %p = 0 to 4 {
      %x = affine.load %row[%p] : memref<8xf32>
      affine.store %x, %a[%i, %p] : memref<4x8xf32>
      affine.store %x, %row[%i + %p] : memref<8xf32>
    }
  }
  return
}
