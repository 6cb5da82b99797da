// RUN: spindle-opt %s --hls-unroll-and-jam --split-input-file --verify-diagnostics

func.func @reversed(%a: memref<9x9xf64>) {
  // expected-error@+1 {{cannot be unrolled and jammed by 2: an iteration would run before an earlier one that it depends on}}
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      // expected-note@+1 {{the later access}}
      %m = affine.load %a[%i, %j + 1] : memref<9x9xf64>
      // expected-note@+1 {{the earlier access}}
      affine.store %m, %a[%i + 1, %j] : memref<9x9xf64>
    }
  } {hls.unroll_and_jam = 2 : i64}
  return
}

// -----

func.func @gather(%a: memref<9xindex>) {
  // expected-error@+1 {{cannot be unrolled and jammed by 2: an iteration would run before an earlier one that it depends on}}
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      // expected-note@+1 {{the earlier access, as far as known}}
      %m = affine.load %a[%i] : memref<9xindex>
      // expected-note@+1 {{the later access}}
      memref.store %i, %a[%m] : memref<9xindex>
    }
  } {hls.unroll_and_jam = 2 : i64}
  return
}

// -----

func.func @carries(%a: memref<9xf64>, %s: f64) -> f64 {
  // expected-error@+1 {{cannot be unrolled and jammed: it carries values from iteration to iteration}}
  %r = affine.for %i = 0 to 8 iter_args(%acc = %s) -> (f64) {
    affine.yield %acc : f64
  } {hls.unroll_and_jam = 2 : i64}
  return %r : f64
}

// -----

func.func @siblings(%a: memref<9xf64>) {
  // expected-error@+1 {{cannot be unrolled and jammed: it has several loops side by side inside, expected one at most}}
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      %m = affine.load %a[%j] : memref<9xf64>
    }
    affine.for %j = 0 to 8 {
      %m = affine.load %a[%j] : memref<9xf64>
    }
  } {hls.unroll_and_jam = 2 : i64}
  return
}

// -----

func.func @bent(%a: memref<9xf64>) {
  affine.for %i = 0 to 8 {
    // expected-error@+1 {{cannot be jammed: its bound is no sum of multiples of the variable of the loop to unroll}}
    affine.for %j = 0 to affine_map<(d0) -> (d0 mod 3)>(%i) {
      %m = affine.load %a[%j] : memref<9xf64>
    }
  } {hls.unroll_and_jam = 2 : i64}
  return
}

// -----

func.func @differing(%a: memref<9xf64>, %s: f64) {
  affine.for %i = 0 to 8 {
    // expected-error@+1 {{cannot be jammed: it carries values and its bounds differ among the iterations to join}}
    %r = affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) iter_args(%acc = %s) -> (f64) {
      affine.yield %acc : f64
    }
    affine.store %r, %a[%i] : memref<9xf64>
  } {hls.unroll_and_jam = 2 : i64}
  return
}

// -----

func.func @deep(%a: memref<9xf64>) {
  affine.for %i = 0 to 8 {
    // expected-error@+1 {{cannot be jammed: its bounds differ among the iterations to join and there are loops inside}}
    affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) {
      affine.for %k = 0 to 8 {
        %m = affine.load %a[%j] : memref<9xf64>
      }
    }
  } {hls.unroll_and_jam = 2 : i64}
  return
}

// -----

func.func @minimum(%a: memref<9xf64>, %n: index) {
  // expected-error@+1 {{cannot be unrolled and jammed with a remainder, as its upper bound is a minimum: tile by a divisor of the trip count}}
  affine.for %i = 0 to min affine_map<()[s0] -> (s0, 9)>()[%n] {
    affine.for %j = 0 to 9 {
      %m = affine.load %a[%j] : memref<9xf64>
    }
  } {hls.unroll_and_jam = 2 : i64}
  return
}

// -----

func.func @maximum(%a: memref<9xf64>, %n: index) {
  // expected-error@+1 {{has a lower bound that is a maximum, expected one expression: normalise or split the loop before it is unrolled and jammed}}
  affine.for %i = max affine_map<()[s0] -> (s0, 0)>()[%n] to 9 {
    %m = affine.load %a[%i] : memref<9xf64>
  } {hls.unroll_and_jam = 2 : i64}
  return
}

// -----

func.func @varying(%a: memref<9xf64>, %n: index) {
  // expected-error@+1 {{cannot be unrolled and jammed completely: its trip count varies}}
  affine.for %i = 0 to %n {
    %m = affine.load %a[%i] : memref<9xf64>
  } {hls.unroll_and_jam = 0 : i64}
  return
}
