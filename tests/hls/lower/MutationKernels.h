// Small kernels that between them need every part of a schedule and of a circuit.
#pragma once

namespace spindle::hls {

struct MutationKernel {
  const char *name, *program;
};

constexpr MutationKernel mutationKernels[] = {
    // A recurrence through memory.
    {"recurrence", R"(
func.func @kernel(%a: f64, %x: memref<6xf64>) {
  affine.for %i = 1 to 6 {
    %before = affine.load %x[%i - 1] : memref<6xf64>
    %old = affine.load %x[%i] : memref<6xf64>
    %scaled = arith.mulf %before, %a : f64
    %new = arith.addf %scaled, %old : f64
    affine.store %new, %x[%i] : memref<6xf64>
  }
  return
})"},
    // Units shared by two products; sums at a distance.
    {"product", R"(
func.func @kernel(%C: memref<2x3xf64>, %A: memref<2x4xf64>, %B: memref<4x3xf64>, %D: memref<4x3xf64>) {
  affine.for %i = 0 to 2 {
    affine.for %k = 0 to 4 {
      affine.for %j = 0 to 3 {
        %a = affine.load %A[%i, %k] : memref<2x4xf64>
        %b = affine.load %B[%k, %j] : memref<4x3xf64>
        %d = affine.load %D[%k, %j] : memref<4x3xf64>
        %c = affine.load %C[%i, %j] : memref<2x3xf64>
        %p = arith.mulf %a, %b : f64
        %q = arith.mulf %p, %d : f64
        %s = arith.subf %c, %q : f64
        affine.store %s, %C[%i, %j] : memref<2x3xf64>
      }
    }
  }
  return
})"},
    // Tasks of all kinds, conditions, a carried sum, a local array, a result, loops that may be
    // empty.
    {"tasks", R"(
func.func @kernel(%n: i32, %x: memref<5xi32>, %y: memref<5xi32>) -> i32 {
  %zero = arith.constant 0 : i32
  %local = memref.alloc() : memref<5xi32>
  affine.for %i = 0 to 5 {
    %a = affine.load %x[%i] : memref<5xi32>
    %b = arith.muli %a, %n : i32
    affine.store %b, %local[%i] : memref<5xi32>
  }
  affine.for %i = 0 to 3 {
    %start = affine.load %y[%i] : memref<5xi32>
    affine.store %start, %local[%i + 1] : memref<5xi32>
    affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) {
      %a = affine.load %local[%j] : memref<5xi32>
      %b = affine.load %y[%i] : memref<5xi32>
      %c = arith.addi %a, %b : i32
      affine.store %c, %y[%i] : memref<5xi32>
    }
  }
  %sum = affine.for %i = 0 to 5 iter_args(%s = %zero) -> i32 {
    %a = affine.load %local[%i] : memref<5xi32>
    %isPositive = arith.cmpi sgt, %a, %zero : i32
    %b = arith.select %isPositive, %a, %n : i32
    affine.if affine_set<(d0) : (d0 - 2 >= 0)>(%i) {
      affine.store %b, %x[%i] : memref<5xi32>
    }
    %t = arith.addi %s, %b : i32
    affine.yield %t : i32
  }
  return %sum : i32
})"},
    // Writes of an array inside that are four stages and more behind their iteration.
    {"delayed", R"(
func.func @kernel(%a: f64, %x: memref<5xf64>) {
  %local = memref.alloc() : memref<5xf64>
  affine.for %i = 0 to 5 {
    %v = affine.load %x[%i] : memref<5xf64>
    %p = arith.mulf %v, %a : f64
    affine.store %p, %local[%i] : memref<5xf64>
  }
  affine.for %i = 0 to 5 {
    %v = affine.load %local[%i] : memref<5xf64>
    affine.store %v, %x[4 - %i] : memref<5xf64>
  }
  return
})"},
    // A unit that takes several cycles.
    {"quotients", R"(
func.func @kernel(%x: memref<3xf64>, %y: memref<3xf64>) {
  affine.for %i = 0 to 3 {
    %a = affine.load %x[%i] : memref<3xf64>
    %b = affine.load %y[%i] : memref<3xf64>
    %q = arith.divf %a, %b : f64
    affine.store %q, %x[%i] : memref<3xf64>
  }
  return
})"}};

} // namespace spindle::hls
