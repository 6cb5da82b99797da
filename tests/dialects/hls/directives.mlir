// RUN: spindle-opt %s --split-input-file --verify-diagnostics | FileCheck %s

// What a directive may hold is printed as it was given.
// CHECK: func.func @known(%{{.*}}: memref<8xf32> {hls.partition = [#hls.partition<cyclic 2>]}, %{{.*}}: i32 {hls.bound})
// CHECK: affine.load {{.*}}{hls.bank = 1 : i64}
// CHECK: {hls.unroll = 2 : i64}
func.func @known(%a: memref<8xf32> {hls.partition = [#hls.partition<cyclic 2>]}, %n: i32 {hls.bound}) {
  affine.for %i = 0 to 4 {
    %x = affine.load %a[2 * %i + 1] {hls.bank = 1} : memref<8xf32>
    affine.store %x, %a[2 * %i] : memref<8xf32>
  } {hls.unroll = 2}
  return
}

// -----

func.func @misspelt() {
  // expected-error@+1 {{attribute 'hls.unrol' is not known, expected one of hls.start, hls.unit, hls.least_interval, hls.least_depth, hls.partition, hls.bank, hls.copy, hls.unroll, hls.unroll_and_jam, hls.tile, hls.buffer, hls.at_least, hls.interval, hls.independent, hls.declared, hls.widened, hls.index_arguments, hls.index_results}}
  affine.for %i = 0 to 4 {
  } {hls.unrol = 2}
  return
}

// -----

func.func @text() {
  // expected-error@+1 {{attribute 'hls.tile' is "8", expected a number of iterations, 0 for all}}
  affine.for %i = 0 to 4 {
  } {hls.tile = "8"}
  return
}

// -----

func.func @negative() {
  // expected-error@+1 {{attribute 'hls.unroll' is -1 : i64, expected a number of iterations, 0 for all}}
  affine.for %i = 0 to 4 {
  } {hls.unroll = -1}
  return
}

// -----

func.func @interval() {
  // expected-error@+1 {{attribute 'hls.interval' is 0 : i64, expected a number of cycles of at least 1}}
  affine.for %i = 0 to 4 {
  } {hls.interval = 0}
  return
}

// -----

// expected-error@+1 {{attribute 'hls.bank' is not known, expected one of hls.partition, hls.bound, hls.index}}
func.func private @argument(memref<8xf32> {hls.bank = 1})

// -----

// expected-error@+1 {{attribute 'hls.partition' is [{factor = 2 : i64, kind = "cyclic"}], expected one #hls.partition for each dimension}}
func.func private @dictionary(memref<8xf32> {hls.partition = [{kind = "cyclic", factor = 2}]})

// -----

// expected-error@+1 {{attribute 'hls.index' is 1 : i64, expected no value}}
func.func private @result() -> (i64 {hls.index = 1})

// -----

// CHECK-LABEL: func.func @independent
// CHECK: {hls.independent = #hls.independent}
// CHECK: {hls.independent = #hls.independent<[0, 2]>}
func.func @independent(%a: memref<8xf32>, %n: index, %b: tensor<8xf32>) {
  affine.for %i = 0 to 4 {
  } {hls.independent = #hls.independent}
  scf.for %i = %n to %n step %n {
  } {hls.independent = #hls.independent<[0, 2]>}
  return
}

// -----

func.func @scalar(%a: memref<8xf32>, %n: index) {
  // expected-error@+1 {{attribute 'hls.independent' names argument 1, expected the numbers of arrays among the arguments of the function}}
  affine.for %i = 0 to 4 {
  } {hls.independent = #hls.independent<[0, 1]>}
  return
}

// -----

func.func @beyond(%a: memref<8xf32>) {
  // expected-error@+1 {{attribute 'hls.independent' names argument 7, expected the numbers of arrays among the arguments of the function}}
  affine.for %i = 0 to 4 {
  } {hls.independent = #hls.independent<[7]>}
  return
}

// -----

func.func @unit() {
  // expected-error@+1 {{attribute 'hls.independent' is unit, expected #hls.independent, or #hls.independent<[0, 2]> for some arguments}}
  affine.for %i = 0 to 4 {
  } {hls.independent}
  return
}

// -----

func.func @open(%c: i1) {
  // expected-error@+1 {{attribute 'hls.independent' of scf.while, expected an affine.for or scf.for that has it}}
  scf.while : () -> () {
    scf.condition(%c)
  } do {
    scf.yield
  } attributes {hls.independent = #hls.independent}
  return
}
