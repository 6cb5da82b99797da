// RUN: spindle-opt %s --hls-pad-loops=at-least=8 | FileCheck %s

// CHECK-LABEL: func @triangle
func.func @triangle(%a: memref<20xf64>) {
  // CHECK: affine.for %[[i:.*]] = 0 to 20 {
  // CHECK-NEXT: affine.for %{{.*}} = 0 to
  affine.for %i = 0 to 20 {
    affine.for %j = 0 to affine_map<(d0) -> (d0 + 1)>(%i) {
      %v = affine.load %a[%j] : memref<20xf64>
      affine.store %v, %a[%i] : memref<20xf64>
    }
    // CHECK: } {hls.at_least = 8 : i64}
    // CHECK-NEXT: }
  }
  return
}

// A row that is long enough stays as it is.
// CHECK-LABEL: func @long
func.func @long(%a: memref<20xf64>) {
  // CHECK-NOT: hls.at_least
  affine.for %j = 0 to 8 {
    %v = affine.load %a[%j] : memref<20xf64>
    affine.store %v, %a[%j + 1] : memref<20xf64>
  }
  return
}
