// Deriche's recursive edge filter: along the rows there and back, then along the columns
func.func @kernel_deriche(%alpha: f64, %imgIn: memref<64x64xf64>, %imgOut: memref<64x64xf64>, %y1: memref<64x64xf64>, %y2: memref<64x64xf64>) {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %two = arith.constant 2.0 : f64
  %minus_two = arith.constant -2.0 : f64
  %minus_alpha = arith.negf %alpha : f64
  %exp_minus = math.exp %minus_alpha : f64
  %rest = arith.subf %one, %exp_minus : f64
  %rest2 = arith.mulf %rest, %rest : f64
  %two_alpha = arith.mulf %two, %alpha : f64
  %two_alpha_exp = arith.mulf %two_alpha, %exp_minus : f64
  %divisor1 = arith.addf %one, %two_alpha_exp : f64
  %exp_two = math.exp %two_alpha : f64
  %divisor = arith.subf %divisor1, %exp_two : f64
  %k = arith.divf %rest2, %divisor : f64
  %k_exp = arith.mulf %k, %exp_minus : f64
  %alpha_less = arith.subf %alpha, %one : f64
  %a2 = arith.mulf %k_exp, %alpha_less : f64
  %alpha_more = arith.addf %alpha, %one : f64
  %a3 = arith.mulf %k_exp, %alpha_more : f64
  %minus_k = arith.negf %k : f64
  %minus_two_alpha = arith.mulf %minus_two, %alpha : f64
  %exp_minus_two = math.exp %minus_two_alpha : f64
  %a4 = arith.mulf %minus_k, %exp_minus_two : f64
  %b1 = math.powf %two, %minus_alpha : f64
  %b2 = arith.negf %exp_minus_two : f64
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 64 iter_args(%x1 = %zero, %o1 = %zero, %o2 = %zero) -> (f64, f64, f64) {
      %x = affine.load %imgIn[%i, %j] : memref<64x64xf64>
      %part1 = arith.mulf %k, %x : f64
      %part2 = arith.mulf %a2, %x1 : f64
      %sum2 = arith.addf %part1, %part2 : f64
      %part3 = arith.mulf %b1, %o1 : f64
      %sum3 = arith.addf %sum2, %part3 : f64
      %part4 = arith.mulf %b2, %o2 : f64
      %y = arith.addf %sum3, %part4 : f64
      affine.store %y, %y1[%i, %j] : memref<64x64xf64>
      affine.yield %x, %y, %o1 : f64, f64, f64
    }
  }
  affine.for %i = 0 to 64 {
    affine.for %back = 0 to 64 iter_args(%x1 = %zero, %x2 = %zero, %o1 = %zero, %o2 = %zero) -> (f64, f64, f64, f64) {
      %part1 = arith.mulf %a3, %x1 : f64
      %part2 = arith.mulf %a4, %x2 : f64
      %sum2 = arith.addf %part1, %part2 : f64
      %part3 = arith.mulf %b1, %o1 : f64
      %sum3 = arith.addf %sum2, %part3 : f64
      %part4 = arith.mulf %b2, %o2 : f64
      %y = arith.addf %sum3, %part4 : f64
      affine.store %y, %y2[%i, 63 - %back] : memref<64x64xf64>
      %x = affine.load %imgIn[%i, 63 - %back] : memref<64x64xf64>
      affine.yield %x, %x1, %y, %o1 : f64, f64, f64, f64
    }
  }
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 64 {
      %there = affine.load %y1[%i, %j] : memref<64x64xf64>
      %back = affine.load %y2[%i, %j] : memref<64x64xf64>
      %sum = arith.addf %there, %back : f64
      affine.store %sum, %imgOut[%i, %j] : memref<64x64xf64>
    }
  }
  affine.for %j = 0 to 64 {
    affine.for %i = 0 to 64 iter_args(%x1 = %zero, %o1 = %zero, %o2 = %zero) -> (f64, f64, f64) {
      %x = affine.load %imgOut[%i, %j] : memref<64x64xf64>
      %part1 = arith.mulf %k, %x : f64
      %part2 = arith.mulf %a2, %x1 : f64
      %sum2 = arith.addf %part1, %part2 : f64
      %part3 = arith.mulf %b1, %o1 : f64
      %sum3 = arith.addf %sum2, %part3 : f64
      %part4 = arith.mulf %b2, %o2 : f64
      %y = arith.addf %sum3, %part4 : f64
      affine.store %y, %y1[%i, %j] : memref<64x64xf64>
      affine.yield %x, %y, %o1 : f64, f64, f64
    }
  }
  affine.for %j = 0 to 64 {
    affine.for %back = 0 to 64 iter_args(%x1 = %zero, %x2 = %zero, %o1 = %zero, %o2 = %zero) -> (f64, f64, f64, f64) {
      %part1 = arith.mulf %a3, %x1 : f64
      %part2 = arith.mulf %a4, %x2 : f64
      %sum2 = arith.addf %part1, %part2 : f64
      %part3 = arith.mulf %b1, %o1 : f64
      %sum3 = arith.addf %sum2, %part3 : f64
      %part4 = arith.mulf %b2, %o2 : f64
      %y = arith.addf %sum3, %part4 : f64
      affine.store %y, %y2[63 - %back, %j] : memref<64x64xf64>
      %x = affine.load %imgOut[63 - %back, %j] : memref<64x64xf64>
      affine.yield %x, %x1, %y, %o1 : f64, f64, f64, f64
    }
  }
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 64 {
      %there = affine.load %y1[%i, %j] : memref<64x64xf64>
      %back = affine.load %y2[%i, %j] : memref<64x64xf64>
      %sum = arith.addf %there, %back : f64
      affine.store %sum, %imgOut[%i, %j] : memref<64x64xf64>
    }
  }
  return
}
