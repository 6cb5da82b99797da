// RUN: spindle-opt %s --hls-prepare="top=scale bind=0=8" | FileCheck %s
// RUN: not spindle-opt %s --hls-prepare="top=scale bind=0" 2>&1 | FileCheck %s --check-prefix=BIND
// RUN: not spindle-opt %s --hls-prepare="top=missing" 2>&1 | FileCheck %s --check-prefix=TOP

// BIND: '0': expected ARGUMENT=VALUE or ARGUMENT=NxM, such as 0=20
// TOP: no function 'missing' to synthesise, there: twice, scale

// CHECK-NOT: @twice
// CHECK: func.func @scale(%[[n:.*]]: i32 {hls.bound}, %[[a:.*]]: memref<8xf64>)
// CHECK-NEXT: affine.for %[[i:.*]] = 0 to 8 {
// CHECK-NEXT: %[[x:.*]] = affine.load %[[a]][%[[i]]]
// CHECK-NEXT: %[[y:.*]] = arith.addf %[[x]], %[[x]]
// CHECK-NEXT: affine.store %[[y]], %[[a]][%[[i]]]
func.func private @twice(%x: f64) -> f64 {
  %y = arith.addf %x, %x fastmath<reassoc> : f64
  return %y : f64
}
func.func @scale(%n: i32, %a: memref<?xf64>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    %at = arith.index_cast %i : i32 to index
    %x = memref.load %a[%at] : memref<?xf64>
    %y = func.call @twice(%x) : (f64) -> f64
    memref.store %y, %a[%at] : memref<?xf64>
  }
  return
}
