// RUN: spindle-opt %s --hls-estimate-nests -verify-diagnostics -o /dev/null

func.func @limits(%C: memref<20x25xf64>, %A: memref<20x30xf64>) {
  // An addition into the same element in each iteration: load, add, store.
  // expected-remark @+1 {{600 iterations in 1 run, interval 8 (recurrence of addf), 4808 cycles}}
  affine.for %i = 0 to 20 { affine.for %k = 0 to 30 {
    %a = affine.load %A[%i, %k] : memref<20x30xf64>
    %c = affine.load %C[%i, 0] : memref<20x25xf64>
    %sum = arith.addf %c, %a : f64
    affine.store %sum, %C[%i, 0] : memref<20x25xf64>
  } }
  // Three words of an array with two ports.
  // expected-remark @+1 {{18 iterations in 1 run, interval 2 (ports of argument 1), 50 cycles}}
  affine.for %i = 1 to 19 {
    %a = affine.load %A[%i - 1, 0] : memref<20x30xf64>
    %b = affine.load %A[%i, 0] : memref<20x30xf64>
    %c = affine.load %A[%i + 1, 0] : memref<20x30xf64>
    %ab = arith.addf %a, %b : f64
    %abc = arith.addf %ab, %c : f64
    affine.store %abc, %C[%i, 0] : memref<20x25xf64>
  }
  return
}

// The bank of every load changes with k, but those of different rows never meet.
func.func @changing_banks(%a: memref<8x8xf32> {hls.partition = [#hls.partition<cyclic 4>, #hls.partition<cyclic 2>]}, %b: memref<8x8xf32>) {
  // expected-remark @+1 {{16 iterations in 1 run, interval 1 (issue)}}
  affine.for %k = 0 to 8 {
    affine.for %i = 0 to 2 {
      %0 = affine.load %a[%i * 4, %k] : memref<8x8xf32>
      %1 = affine.load %a[%i * 4 + 1, %k] : memref<8x8xf32>
      %2 = affine.load %a[%i * 4 + 2, %k] : memref<8x8xf32>
      %3 = affine.load %a[%i * 4 + 3, %k] : memref<8x8xf32>
      %4 = arith.addf %0, %1 : f32
      %5 = arith.addf %2, %3 : f32
      %6 = arith.addf %4, %5 : f32
      affine.store %6, %b[%i, %k] : memref<8x8xf32>
    }
  }
  return
}

// Nests beside loops that data end, and inside: there for each turn.
func.func @beside_open_loops(%a: memref<8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-remark @+1 {{8 iterations in 1 run, interval 1 (issue)}}
  affine.for %i = 0 to 8 {
    %x = affine.load %a[%i] : memref<8xf32>
    affine.store %x, %a[%i] : memref<8xf32>
  }
  scf.for %k = %c0 to %n step %c1 {
    // expected-remark @+1 {{8 iterations in 1 run, interval 1 (issue)}}
    affine.for %i = 0 to 8 {
      %x = affine.load %a[%i] : memref<8xf32>
      affine.store %x, %a[%i] : memref<8xf32>
    }
  }
  return
}
