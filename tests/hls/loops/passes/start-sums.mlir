// RUN: spindle-opt %s --hls-start-sums | FileCheck %s

// CHECK-LABEL: func @zero_first(
// CHECK-SAME: %[[p:.*]]: f32, %[[q:.*]]: f32
// CHECK: %[[bits:.*]] = arith.bitcast %[[p]] : f32 to i32
// CHECK: %[[minus:.*]] = arith.constant -2147483648 : i32
// CHECK: %[[zero:.*]] = arith.constant 0.000000e+00 : f32
// CHECK: %[[is:.*]] = arith.cmpi eq, %[[bits]], %[[minus]] : i32
// CHECK: %[[first:.*]] = arith.select %[[is]], %[[zero]], %[[p]] : f32
// CHECK: arith.addf %[[first]], %[[q]]
func.func @zero_first(%p: f32, %q: f32) -> f32 {
  %zero = arith.constant 0.0 : f32
  %first = arith.addf %zero, %p : f32
  %second = arith.addf %first, %q : f32
  return %second : f32
}

// CHECK-LABEL: func @zero_last(
// CHECK: arith.constant -9223372036854775808 : i64
// CHECK-NOT: arith.addf
func.func @zero_last(%p: f64) -> f64 {
  %zero = arith.constant 0.0 : f64
  %sum = arith.addf %p, %zero : f64
  return %sum : f64
}

// Other numbers stay; -0 changes nothing and is folded, and so is a condition that hides a zero.
// CHECK-LABEL: func @others(
// CHECK-COUNT-1: arith.addf
// CHECK-NOT: arith.addf
func.func @others(%p: f32) -> f32 {
  %one = arith.constant 1.0 : f32
  %minus = arith.constant -0.0 : f32
  %zero = arith.constant 0.0 : f32
  %index = arith.constant 0 : index
  %first = arith.cmpi eq, %index, %index : index
  %start = arith.select %first, %zero, %p : f32
  %a = arith.addf %one, %p : f32
  %b = arith.addf %minus, %a : f32
  %c = arith.addf %start, %b : f32
  return %c : f32
}
