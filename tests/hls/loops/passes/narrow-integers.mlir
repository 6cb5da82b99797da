// RUN: spindle-opt %s --hls-narrow-integers --cse | FileCheck %s

// A product of bytes needs 16 bits; a sum of an i32 from outside needs all.
// CHECK-LABEL: func @product(
// CHECK: %[[p:.*]] = arith.muli %{{.*}}, %{{.*}} : i16
// CHECK: %[[w:.*]] = arith.extsi %[[p]] : i16 to i32
// CHECK: arith.addi %{{.*}}, %[[w]] : i32
func.func @product(%a: i8, %b: i8, %s: i32) -> i32 {
  %x = arith.extsi %a : i8 to i32
  %y = arith.extsi %b : i8 to i32
  %p = arith.muli %x, %y : i32
  %t = arith.addi %s, %p : i32
  return %t : i32
}

// Two numbers of 8 bits make one of 9, without a sign where they have none.
// CHECK-LABEL: func @sums(
// CHECK: arith.addi %{{.*}}, %{{.*}} : i9
// CHECK: arith.extui %{{.*}} : i9 to i32
// CHECK: arith.subi %{{.*}}, %{{.*}} : i9
// CHECK: arith.extsi %{{.*}} : i9 to i32
func.func @sums(%a: i8, %b: i8) -> (i32, i32) {
  %x = arith.extui %a : i8 to i32
  %y = arith.extui %b : i8 to i32
  %s = arith.addi %x, %y : i32
  %d = arith.subi %x, %y : i32
  return %s, %d : i32, i32
}

// Of what is cut only the bits that are left are computed; masks do so, too.
// CHECK-LABEL: func @cut(
// CHECK: %[[a:.*]] = arith.trunci %{{.*}} : i32 to i8
// CHECK: %[[b:.*]] = arith.trunci %{{.*}} : i32 to i8
// CHECK: %[[s:.*]] = arith.addi %[[a]], %[[b]] : i8
// CHECK: arith.xori %[[s]], %[[a]] : i8
// CHECK-NOT: i32
// CHECK: return
func.func @cut(%a: i32, %b: i32) -> i8 {
  %s = arith.addi %a, %b : i32
  %x = arith.xori %s, %a : i32
  %t = arith.trunci %x : i32 to i8
  return %t : i8
}

// CHECK-LABEL: func @masked(
// CHECK: arith.addi %{{.*}}, %{{.*}} : i4
// CHECK-NOT: arith.andi
// CHECK: arith.extui %{{.*}} : i4 to i32
func.func @masked(%a: i32, %b: i32) -> i32 {
  %m = arith.constant 15 : i32
  %s = arith.addi %a, %b : i32
  %t = arith.andi %s, %m : i32
  return %t : i32
}

// A sum of 100 bytes has 15 bits.
// CHECK-LABEL: func @carried(
// CHECK: affine.for %{{.*}} iter_args(%[[sum:.*]] = %{{.*}}) -> (i15) {
// CHECK: %[[next:.*]] = arith.addi %[[sum]], %{{.*}} : i15
// CHECK: affine.yield %[[next]] : i15
// CHECK: arith.extui %{{.*}} : i15 to i32
func.func @carried(%a: memref<100xi8>) -> i32 {
  %zero = arith.constant 0 : i32
  %r = affine.for %i = 0 to 100 iter_args(%sum = %zero) -> (i32) {
    %x = affine.load %a[%i] : memref<100xi8>
    %y = arith.extui %x : i8 to i32
    %next = arith.addi %sum, %y : i32
    affine.yield %next : i32
  }
  return %r : i32
}

// A nest stays perfect: one type through all its loops.
// CHECK-LABEL: func @nest(
// CHECK: affine.for %{{.*}} iter_args(%[[outer:.*]] = %{{.*}}) -> (i[[bits:[0-9]+]]) {
// CHECK-NEXT: affine.for %{{.*}} iter_args(%{{.*}} = %[[outer]]) -> (i[[bits]]) {
// CHECK: affine.yield %{{.*}} : i[[bits]]
// CHECK-NEXT: }
// CHECK-NEXT: affine.yield %{{.*}} : i[[bits]]
func.func @nest(%a: memref<4x4xi8>) -> i32 {
  %zero = arith.constant 0 : i32
  %r = affine.for %i = 0 to 4 iter_args(%outer = %zero) -> (i32) {
    %inner = affine.for %j = 0 to 4 iter_args(%sum = %outer) -> (i32) {
      %x = affine.load %a[%i, %j] : memref<4x4xi8>
      %y = arith.extsi %x : i8 to i32
      %next = arith.addi %sum, %y : i32
      affine.yield %next : i32
    }
    affine.yield %inner : i32
  }
  return %r : i32
}

// Comparisons, quotients and choices of small numbers are small; a divisor that may be zero keeps
// all bits of a quotient.
// CHECK-LABEL: func @others(
// CHECK: arith.cmpi ult, %{{.*}}, %{{.*}} : i8
// CHECK: arith.select %{{.*}}, %{{.*}}, %{{.*}} : i8
// CHECK: arith.divui %{{.*}}, %{{.*}} : i32
// CHECK: arith.remui %{{.*}}, %{{.*}} : i8
// CHECK: arith.shrui %{{.*}}, %{{.*}} : i8
func.func @others(%a: i8, %b: i8) -> (i32, i32, i32, i32) {
  %two = arith.constant 2 : i32
  %x = arith.extui %a : i8 to i32
  %y = arith.extui %b : i8 to i32
  %c = arith.cmpi slt, %x, %y : i32
  %m = arith.select %c, %x, %y : i32
  %q = arith.divui %x, %y : i32
  %r = arith.remui %x, %y : i32
  %s = arith.shrui %x, %two : i32
  return %m, %q, %r, %s : i32, i32, i32, i32
}

// A constant array gives numbers from -3 to 5; what is one number is a constant.
memref.global "private" constant @weights : memref<4xi32> = dense<[-3, 5, 0, 1]>
// CHECK-LABEL: func @constants(
// CHECK: arith.trunci %{{.*}} : i32 to i5
// CHECK: arith.addi
// CHECK-SAME: i5
// CHECK: arith.constant true
func.func @constants(%k: index, %a: i4) -> (i32, i1) {
  %w = memref.get_global @weights : memref<4xi32>
  %ten = arith.constant 10 : i32
  %x = memref.load %w[%k] : memref<4xi32>
  %y = arith.extsi %a : i4 to i32
  %s = arith.addi %x, %y : i32
  %c = arith.cmpi slt, %x, %ten : i32
  return %s, %c : i32, i1
}

// What a condition yields, as narrow as both branches.
// CHECK-LABEL: func @branches(
// CHECK: scf.if %{{.*}} -> (i8) {
// CHECK: arith.extsi %{{.*}} : i8 to i32
func.func @branches(%c: i1, %a: i8, %b: i8) -> i32 {
  %r = scf.if %c -> (i32) {
    %x = arith.extsi %a : i8 to i32
    scf.yield %x : i32
  } else {
    %y = arith.extsi %b : i8 to i32
    scf.yield %y : i32
  }
  return %r : i32
}
