// cov := covariance matrix of the columns of data, which are centred in place
func.func @kernel_covariance(%float_n: f64, %data: memref<32x28xf64>, %cov: memref<28x28xf64>, %mean: memref<28xf64>) {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  affine.for %j = 0 to 28 {
    affine.store %zero, %mean[%j] : memref<28xf64>
    affine.for %i = 0 to 32 {
      %old = affine.load %mean[%j] : memref<28xf64>
      %d = affine.load %data[%i, %j] : memref<32x28xf64>
      %sum = arith.addf %old, %d : f64
      affine.store %sum, %mean[%j] : memref<28xf64>
    }
    %sum = affine.load %mean[%j] : memref<28xf64>
    %average = arith.divf %sum, %float_n : f64
    affine.store %average, %mean[%j] : memref<28xf64>
  }
  affine.for %i = 0 to 32 {
    affine.for %j = 0 to 28 {
      %d = affine.load %data[%i, %j] : memref<32x28xf64>
      %m = affine.load %mean[%j] : memref<28xf64>
      %centred = arith.subf %d, %m : f64
      affine.store %centred, %data[%i, %j] : memref<32x28xf64>
    }
  }
  %divisor = arith.subf %float_n, %one : f64
  affine.for %i = 0 to 28 {
    affine.for %j = affine_map<(d0) -> (d0)>(%i) to 28 {
      affine.store %zero, %cov[%i, %j] : memref<28x28xf64>
      affine.for %k = 0 to 32 {
        %old = affine.load %cov[%i, %j] : memref<28x28xf64>
        %left = affine.load %data[%k, %i] : memref<32x28xf64>
        %right = affine.load %data[%k, %j] : memref<32x28xf64>
        %product = arith.mulf %left, %right : f64
        %sum = arith.addf %old, %product : f64
        affine.store %sum, %cov[%i, %j] : memref<28x28xf64>
      }
      %sum = affine.load %cov[%i, %j] : memref<28x28xf64>
      %c = arith.divf %sum, %divisor : f64
      affine.store %c, %cov[%i, %j] : memref<28x28xf64>
      affine.store %c, %cov[%j, %i] : memref<28x28xf64>
    }
  }
  return
}
