// Alternating direction implicit solver of the heat equation: a tridiagonal system per column, then per row
func.func @kernel_adi(%u: memref<20x20xf64>, %v: memref<20x20xf64>, %p: memref<20x20xf64>, %q: memref<20x20xf64>) {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %two = arith.constant 2.0 : f64
  %n = arith.constant 20.0 : f64
  %steps = arith.constant 20.0 : f64
  %dx = arith.divf %one, %n : f64
  %dt = arith.divf %one, %steps : f64
  %dx2 = arith.mulf %dx, %dx : f64
  %two_dt = arith.mulf %two, %dt : f64
  %mul1 = arith.divf %two_dt, %dx2 : f64
  %mul2 = arith.divf %dt, %dx2 : f64
  %minus_mul1 = arith.negf %mul1 : f64
  %minus_mul2 = arith.negf %mul2 : f64
  %a = arith.divf %minus_mul1, %two : f64
  %b = arith.addf %one, %mul1 : f64
  %d = arith.divf %minus_mul2, %two : f64
  %e = arith.addf %one, %mul2 : f64
  %minus_a = arith.negf %a : f64
  %minus_d = arith.negf %d : f64
  %two_a = arith.mulf %two, %a : f64
  %two_d = arith.mulf %two, %d : f64
  %middle_a = arith.addf %one, %two_a : f64
  %middle_d = arith.addf %one, %two_d : f64
  affine.for %t = 0 to 20 {
    affine.for %i = 1 to 19 {
      affine.store %one, %v[0, %i] : memref<20x20xf64>
      affine.store %zero, %p[%i, 0] : memref<20x20xf64>
      %start = affine.load %v[0, %i] : memref<20x20xf64>
      affine.store %start, %q[%i, 0] : memref<20x20xf64>
      affine.for %j = 1 to 19 {
        %p_before = affine.load %p[%i, %j - 1] : memref<20x20xf64>
        %scaled_p = arith.mulf %a, %p_before : f64
        %divisor = arith.addf %scaled_p, %b : f64
        %new_p = arith.divf %minus_a, %divisor : f64
        affine.store %new_p, %p[%i, %j] : memref<20x20xf64>
        %before = affine.load %u[%j, %i - 1] : memref<20x20xf64>
        %before_part = arith.mulf %minus_d, %before : f64
        %here = affine.load %u[%j, %i] : memref<20x20xf64>
        %here_part = arith.mulf %middle_d, %here : f64
        %two_parts = arith.addf %before_part, %here_part : f64
        %after = affine.load %u[%j, %i + 1] : memref<20x20xf64>
        %after_part = arith.mulf %d, %after : f64
        %three_parts = arith.subf %two_parts, %after_part : f64
        %q_before = affine.load %q[%i, %j - 1] : memref<20x20xf64>
        %q_part = arith.mulf %a, %q_before : f64
        %right = arith.subf %three_parts, %q_part : f64
        %new_q = arith.divf %right, %divisor : f64
        affine.store %new_q, %q[%i, %j] : memref<20x20xf64>
      }
      affine.store %one, %v[19, %i] : memref<20x20xf64>
      affine.for %back = 0 to 18 {
        %p_here = affine.load %p[%i, 18 - %back] : memref<20x20xf64>
        %next = affine.load %v[19 - %back, %i] : memref<20x20xf64>
        %scaled = arith.mulf %p_here, %next : f64
        %q_here = affine.load %q[%i, 18 - %back] : memref<20x20xf64>
        %new = arith.addf %scaled, %q_here : f64
        affine.store %new, %v[18 - %back, %i] : memref<20x20xf64>
      }
    }
    affine.for %i = 1 to 19 {
      affine.store %one, %u[%i, 0] : memref<20x20xf64>
      affine.store %zero, %p[%i, 0] : memref<20x20xf64>
      %start = affine.load %u[%i, 0] : memref<20x20xf64>
      affine.store %start, %q[%i, 0] : memref<20x20xf64>
      affine.for %j = 1 to 19 {
        %p_before = affine.load %p[%i, %j - 1] : memref<20x20xf64>
        %scaled_p = arith.mulf %d, %p_before : f64
        %divisor = arith.addf %scaled_p, %e : f64
        %new_p = arith.divf %minus_d, %divisor : f64
        affine.store %new_p, %p[%i, %j] : memref<20x20xf64>
        %before = affine.load %v[%i - 1, %j] : memref<20x20xf64>
        %before_part = arith.mulf %minus_a, %before : f64
        %here = affine.load %v[%i, %j] : memref<20x20xf64>
        %here_part = arith.mulf %middle_a, %here : f64
        %two_parts = arith.addf %before_part, %here_part : f64
        %after = affine.load %v[%i + 1, %j] : memref<20x20xf64>
        %after_part = arith.mulf %a, %after : f64
        %three_parts = arith.subf %two_parts, %after_part : f64
        %q_before = affine.load %q[%i, %j - 1] : memref<20x20xf64>
        %q_part = arith.mulf %d, %q_before : f64
        %right = arith.subf %three_parts, %q_part : f64
        %new_q = arith.divf %right, %divisor : f64
        affine.store %new_q, %q[%i, %j] : memref<20x20xf64>
      }
      affine.store %one, %u[%i, 19] : memref<20x20xf64>
      affine.for %back = 0 to 18 {
        %p_here = affine.load %p[%i, 18 - %back] : memref<20x20xf64>
        %next = affine.load %u[%i, 19 - %back] : memref<20x20xf64>
        %scaled = arith.mulf %p_here, %next : f64
        %q_here = affine.load %q[%i, 18 - %back] : memref<20x20xf64>
        %new = arith.addf %scaled, %q_here : f64
        affine.store %new, %u[%i, 18 - %back] : memref<20x20xf64>
      }
    }
  }
  return
}
