// corr := correlation matrix of the columns of data, which are centred and reduced in place
func.func @kernel_correlation(%float_n: f64, %data: memref<32x28xf64>, %corr: memref<28x28xf64>, %mean: memref<28xf64>, %stddev: memref<28xf64>) {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %eps = arith.constant 0.1 : f64
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
  affine.for %j = 0 to 28 {
    affine.store %zero, %stddev[%j] : memref<28xf64>
    affine.for %i = 0 to 32 {
      %old = affine.load %stddev[%j] : memref<28xf64>
      %d = affine.load %data[%i, %j] : memref<32x28xf64>
      %m = affine.load %mean[%j] : memref<28xf64>
      %difference = arith.subf %d, %m : f64
      %square = arith.mulf %difference, %difference : f64
      %sum = arith.addf %old, %square : f64
      affine.store %sum, %stddev[%j] : memref<28xf64>
    }
    %sum = affine.load %stddev[%j] : memref<28xf64>
    %variance = arith.divf %sum, %float_n : f64
    %deviation = math.sqrt %variance : f64
    %is_small = arith.cmpf ole, %deviation, %eps : f64
    %usable = arith.select %is_small, %one, %deviation : f64
    affine.store %usable, %stddev[%j] : memref<28xf64>
  }
  %root_n = math.sqrt %float_n : f64
  affine.for %i = 0 to 32 {
    affine.for %j = 0 to 28 {
      %d = affine.load %data[%i, %j] : memref<32x28xf64>
      %m = affine.load %mean[%j] : memref<28xf64>
      %centred = arith.subf %d, %m : f64
      affine.store %centred, %data[%i, %j] : memref<32x28xf64>
      %deviation = affine.load %stddev[%j] : memref<28xf64>
      %divisor = arith.mulf %root_n, %deviation : f64
      %reduced = arith.divf %centred, %divisor : f64
      affine.store %reduced, %data[%i, %j] : memref<32x28xf64>
    }
  }
  affine.for %i = 0 to 27 {
    affine.store %one, %corr[%i, %i] : memref<28x28xf64>
    affine.for %j = affine_map<(d0) -> (d0 + 1)>(%i) to 28 {
      affine.store %zero, %corr[%i, %j] : memref<28x28xf64>
      affine.for %k = 0 to 32 {
        %old = affine.load %corr[%i, %j] : memref<28x28xf64>
        %left = affine.load %data[%k, %i] : memref<32x28xf64>
        %right = affine.load %data[%k, %j] : memref<32x28xf64>
        %product = arith.mulf %left, %right : f64
        %sum = arith.addf %old, %product : f64
        affine.store %sum, %corr[%i, %j] : memref<28x28xf64>
      }
      %c = affine.load %corr[%i, %j] : memref<28x28xf64>
      affine.store %c, %corr[%j, %i] : memref<28x28xf64>
    }
  }
  affine.store %one, %corr[27, 27] : memref<28x28xf64>
  return
}
