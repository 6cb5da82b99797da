// tmp := alpha A B, D := tmp C + beta D
func.func @kernel_2mm(%alpha: f64, %beta: f64, %tmp: memref<16x18xf64>, %A: memref<16x22xf64>, %B: memref<22x18xf64>, %C: memref<18x24xf64>, %D: memref<16x24xf64>) {
  %zero = arith.constant 0.0 : f64
  affine.for %i = 0 to 16 {
    affine.for %j = 0 to 18 {
      affine.store %zero, %tmp[%i, %j] : memref<16x18xf64>
      affine.for %k = 0 to 22 {
        %a = affine.load %A[%i, %k] : memref<16x22xf64>
        %alpha_a = arith.mulf %alpha, %a : f64
        %b = affine.load %B[%k, %j] : memref<22x18xf64>
        %product = arith.mulf %alpha_a, %b : f64
        %old = affine.load %tmp[%i, %j] : memref<16x18xf64>
        %sum = arith.addf %old, %product : f64
        affine.store %sum, %tmp[%i, %j] : memref<16x18xf64>
      }
    }
  }
  affine.for %i = 0 to 16 {
    affine.for %j = 0 to 24 {
      %d = affine.load %D[%i, %j] : memref<16x24xf64>
      %scaled = arith.mulf %d, %beta : f64
      affine.store %scaled, %D[%i, %j] : memref<16x24xf64>
      affine.for %k = 0 to 18 {
        %t = affine.load %tmp[%i, %k] : memref<16x18xf64>
        %c = affine.load %C[%k, %j] : memref<18x24xf64>
        %product = arith.mulf %t, %c : f64
        %old = affine.load %D[%i, %j] : memref<16x24xf64>
        %sum = arith.addf %old, %product : f64
        affine.store %sum, %D[%i, %j] : memref<16x24xf64>
      }
    }
  }
  return
}
