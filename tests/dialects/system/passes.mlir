// RUN: spindle-opt %s --split-input-file --hls-prepare --system-search | FileCheck %s --check-prefix=SEARCH
// RUN: spindle-opt %s --split-input-file --hls-prepare --system-search --system-outline | FileCheck %s --check-prefix=OUTLINE
// RUN: spindle-opt %s --split-input-file --hls-prepare --system-search --system-outline --system-dispatch | FileCheck %s --check-prefix=DATAFLOW
// RUN: spindle-opt %s --split-input-file --hls-prepare --system-search --system-outline --system-dispatch="kind=centralised share=none" | FileCheck %s --check-prefix=CENTRAL
// RUN: spindle-opt %s --split-input-file --hls-prepare --system-search --system-outline --system-dispatch="share=none" | FileCheck %s --check-prefix=NONE
// RUN: spindle-opt %s --split-input-file --hls-prepare --system-search --system-outline --system-dispatch="share=all" | FileCheck %s --check-prefix=ALL
// RUN: spindle-opt %s --split-input-file --hls-prepare --system-search=groups=2 --system-outline | FileCheck %s --check-prefix=TWO

// Each fill goes to its product; equal products are one kernel, and the last one, which waits for
// both others, may have the circuit of the first.
//
// SEARCH-LABEL: func.func @products
// SEARCH-COUNT-3: system.launch {
// SEARCH-NOT: system.launch
// SEARCH-LABEL: func.func @mean
//
// OUTLINE-LABEL: func.func @products
// OUTLINE: %[[E:.*]] = memref.alloc
// OUTLINE: %[[F:.*]] = memref.alloc
// OUTLINE: system.launch_func @products_kernels::@products_0 (%[[E]], %{{.*}}, %{{.*}} :
// OUTLINE: system.launch_func @products_kernels::@products_1 (%[[F]],
// OUTLINE: system.launch_func @products_kernels::@products_2 (%{{.*}}, %[[E]], %[[F]] :
// OUTLINE: system.module @products_kernels
// OUTLINE-COUNT-3: system.func
//
// DATAFLOW-LABEL: func.func @products
// DATAFLOW-COUNT-2: system.channel buffers 1
// DATAFLOW: @products_0 on 0
// DATAFLOW: @products_0 on 1
// DATAFLOW: @products_0 on 0
// DATAFLOW: system.func @products_0
// DATAFLOW-NOT: system.func
// DATAFLOW-LABEL: func.func @mean
//
// CENTRAL-LABEL: func.func @products
// CENTRAL-COUNT-3: @products_0 on 0
// NONE-LABEL: func.func @products
// NONE: @products_0 on 0
// NONE: @products_0 on 1
// NONE: @products_0 on 2
// ALL-LABEL: func.func @products
// ALL-COUNT-3: @products_0 on 0
//
// Three equal groups in two launches.
// TWO-LABEL: func.func @products
// TWO-COUNT-2: system.launch_func
// TWO-NOT: system.launch_func
// TWO-LABEL: func.func @mean
func.func @products(%A: memref<8x8xi32>, %B: memref<8x8xi32>, %C: memref<8x8xi32>, %D: memref<8x8xi32>, %G: memref<8x8xi32>) {
  %E = memref.alloc() : memref<8x8xi32>
  %F = memref.alloc() : memref<8x8xi32>
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%E : memref<8x8xi32>)
  linalg.fill ins(%zero : i32) outs(%F : memref<8x8xi32>)
  linalg.fill ins(%zero : i32) outs(%G : memref<8x8xi32>)
  linalg.matmul ins(%A, %B : memref<8x8xi32>, memref<8x8xi32>) outs(%E : memref<8x8xi32>)
  linalg.matmul ins(%C, %D : memref<8x8xi32>, memref<8x8xi32>) outs(%F : memref<8x8xi32>)
  linalg.matmul ins(%E, %F : memref<8x8xi32>, memref<8x8xi32>) outs(%G : memref<8x8xi32>)
  return
}

// -----

// A value that one nest hands to the next keeps both, and what is between them, in one kernel; an
// array of one kernel is its own; what is computed from arguments is computed inside.
//
// OUTLINE-LABEL: func.func @mean
// OUTLINE-NOT: memref.alloc
// OUTLINE: system.launch_func @mean_kernels::@mean_0 (%{{.*}}, %{{.*}}, %{{.*}} : memref<8xi32>, i32, memref<8xi32>)
// OUTLINE-NOT: system.launch_func
// OUTLINE: system.func @mean_0
// OUTLINE: memref.alloc() : memref<8xi32>
// OUTLINE: arith.muli
func.func @mean(%x: memref<8xi32>, %scale: i32, %y: memref<8xi32>) {
  %t = memref.alloc() : memref<8xi32>
  %zero = arith.constant 0 : i32
  %twice = arith.muli %scale, %scale : i32
  %sum = affine.for %i = 0 to 8 iter_args(%s = %zero) -> i32 {
    %value = affine.load %x[%i] : memref<8xi32>
    %next = arith.addi %s, %value : i32
    affine.yield %next : i32
  }
  affine.for %i = 0 to 8 {
    %value = affine.load %x[%i] : memref<8xi32>
    %scaled = arith.muli %value, %twice : i32
    affine.store %scaled, %t[7 - %i] : memref<8xi32>
  }
  affine.for %i = 0 to 8 {
    %value = affine.load %t[%i] : memref<8xi32>
    %less = arith.subi %value, %sum : i32
    affine.store %less, %y[%i] : memref<8xi32>
  }
  return
}

// -----

// tosa: a constant belongs to the kernel that reads it.
//
// OUTLINE-LABEL: func.func @layers
// OUTLINE-COUNT-2: system.launch_func
// OUTLINE: system.module @layers_kernels
// OUTLINE: memref.global "private" constant
// OUTLINE: system.func @layers_0
// OUTLINE: memref.get_global
// OUTLINE: system.func @layers_1
func.func @layers(%x: tensor<1x4x4xi8>) -> tensor<1x4x4xi32> {
  %weights = "tosa.const"() {values = dense<[[[1, 2, 3, 4], [5, 6, 7, 8], [1, 1, 1, 1], [-1, 2, -3, 4]]]> : tensor<1x4x4xi8>} : () -> tensor<1x4x4xi8>
  %zero = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %product = tosa.matmul %x, %weights, %zero, %zero : (tensor<1x4x4xi8>, tensor<1x4x4xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4xi32>
  %relu = tosa.clamp %product {min_val = 0 : i32, max_val = 100 : i32} : (tensor<1x4x4xi32>) -> tensor<1x4x4xi32>
  return %relu : tensor<1x4x4xi32>
}
