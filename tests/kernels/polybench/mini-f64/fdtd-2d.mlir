// Electromagnetic waves in two dimensions by finite differences in time; fict is the field at the border per step
func.func @kernel_fdtd_2d(%ex: memref<20x30xf64>, %ey: memref<20x30xf64>, %hz: memref<20x30xf64>, %fict: memref<20xf64>) {
  %half = arith.constant 0.5 : f64
  %factor = arith.constant 0.7 : f64
  affine.for %t = 0 to 20 {
    affine.for %j = 0 to 30 {
      %f = affine.load %fict[%t] : memref<20xf64>
      affine.store %f, %ey[0, %j] : memref<20x30xf64>
    }
    affine.for %i = 1 to 20 {
      affine.for %j = 0 to 30 {
        %old = affine.load %ey[%i, %j] : memref<20x30xf64>
        %here = affine.load %hz[%i, %j] : memref<20x30xf64>
        %above = affine.load %hz[%i - 1, %j] : memref<20x30xf64>
        %difference = arith.subf %here, %above : f64
        %change = arith.mulf %half, %difference : f64
        %new = arith.subf %old, %change : f64
        affine.store %new, %ey[%i, %j] : memref<20x30xf64>
      }
    }
    affine.for %i = 0 to 20 {
      affine.for %j = 1 to 30 {
        %old = affine.load %ex[%i, %j] : memref<20x30xf64>
        %here = affine.load %hz[%i, %j] : memref<20x30xf64>
        %left = affine.load %hz[%i, %j - 1] : memref<20x30xf64>
        %difference = arith.subf %here, %left : f64
        %change = arith.mulf %half, %difference : f64
        %new = arith.subf %old, %change : f64
        affine.store %new, %ex[%i, %j] : memref<20x30xf64>
      }
    }
    affine.for %i = 0 to 19 {
      affine.for %j = 0 to 29 {
        %old = affine.load %hz[%i, %j] : memref<20x30xf64>
        %ex_right = affine.load %ex[%i, %j + 1] : memref<20x30xf64>
        %ex_here = affine.load %ex[%i, %j] : memref<20x30xf64>
        %ex_difference = arith.subf %ex_right, %ex_here : f64
        %ey_below = affine.load %ey[%i + 1, %j] : memref<20x30xf64>
        %partial = arith.addf %ex_difference, %ey_below : f64
        %ey_here = affine.load %ey[%i, %j] : memref<20x30xf64>
        %curl = arith.subf %partial, %ey_here : f64
        %change = arith.mulf %factor, %curl : f64
        %new = arith.subf %old, %change : f64
        affine.store %new, %hz[%i, %j] : memref<20x30xf64>
      }
    }
  }
  return
}
