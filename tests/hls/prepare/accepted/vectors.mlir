// Vectors as MLIR's vectorisers and people write them.
func.func @loads(%a: memref<16xf32>, %b: memref<16xf32>, %c: memref<16xf32>) {
  affine.for %i = 0 to 16 step 4 {
    %x = vector.load %a[%i] : memref<16xf32>, vector<4xf32>
    %y = affine.vector_load %b[%i] : memref<16xf32>, vector<4xf32>
    %sum = arith.addf %x, %y : vector<4xf32>
    %product = vector.fma %x, %y, %sum : vector<4xf32>
    vector.store %product, %c[%i] : memref<16xf32>, vector<4xf32>
  }
  return
}
// -----
// A tail shorter than a vector: reads outside are the padding, writes outside are none.
func.func @tail(%a: memref<10xi32>, %b: memref<10xi32>) {
  %c3 = arith.constant 3 : i32
  %factor = vector.broadcast %c3 : i32 to vector<4xi32>
  affine.for %i = 0 to 10 step 4 {
    %zero = arith.constant 0 : i32
    %x = vector.transfer_read %a[%i], %zero : memref<10xi32>, vector<4xi32>
    %y = arith.muli %x, %factor : vector<4xi32>
    vector.transfer_write %y, %b[%i] : vector<4xi32>, memref<10xi32>
  }
  return
}
// -----
func.func @dot(%a: memref<12xf64>, %b: memref<12xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %start = arith.constant dense<0.0> : vector<4xf64>
  %sums = affine.for %i = 0 to 12 step 4 iter_args(%sum = %start) -> (vector<4xf64>) {
    %x = vector.load %a[%i] : memref<12xf64>, vector<4xf64>
    %y = vector.load %b[%i] : memref<12xf64>, vector<4xf64>
    %product = arith.mulf %x, %y : vector<4xf64>
    %next = arith.addf %sum, %product : vector<4xf64>
    affine.yield %next : vector<4xf64>
  }
  %all = vector.reduction <add>, %sums, %zero : vector<4xf64> into f64
  return %all : f64
}
// -----
// A product of matrices, one tile of it.
func.func @tile(%a: memref<4x8xi16>, %b: memref<8x4xi16>, %c: memref<4x4xi16>) {
  %zero = arith.constant 0 : index
  %none = arith.constant 0 : i16
  %x = vector.transfer_read %a[%zero, %zero], %none {in_bounds = [true, true]} : memref<4x8xi16>, vector<4x8xi16>
  %y = vector.transfer_read %b[%zero, %zero], %none {in_bounds = [true, true], permutation_map = affine_map<(i, j) -> (j, i)>} : memref<8x4xi16>, vector<4x8xi16>
  %z = vector.transfer_read %c[%zero, %zero], %none {in_bounds = [true, true]} : memref<4x4xi16>, vector<4x4xi16>
  %sums = vector.contract {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %y, %z : vector<4x8xi16>, vector<4x8xi16> into vector<4x4xi16>
  vector.transfer_write %sums, %c[%zero, %zero] {in_bounds = [true, true]} : vector<4x4xi16>, memref<4x4xi16>
  return
}
// -----
// Masks of a number of elements that is data, an element by a position that is data.
func.func @masked(%a: memref<8xi32>, %n: i32, %b: memref<8xi32>) -> i32 {
  %zero = arith.constant 0 : index
  %seven = arith.constant 7 : i32
  %low = arith.andi %n, %seven : i32
  %count = arith.index_cast %low : i32 to index
  %mask = vector.create_mask %count : vector<8xi1>
  %others = arith.constant dense<[1, 2, 3, 4, 5, 6, 7, 8]> : vector<8xi32>
  %x = vector.maskedload %a[%zero], %mask, %others : memref<8xi32>, vector<8xi1>, vector<8xi32> into vector<8xi32>
  %turned = vector.shuffle %x, %others [7, 6, 5, 4, 3, 2, 1, 0] : vector<8xi32>, vector<8xi32>
  vector.maskedstore %b[%zero], %mask, %turned : memref<8xi32>, vector<8xi1>, vector<8xi32>
  %most = vector.mask %mask { vector.reduction <maxsi>, %x : vector<8xi32> into i32 } : vector<8xi1> -> i32
  %one = vector.extract %x[%count] : i32 from vector<8xi32>
  %sum = arith.addi %most, %one : i32
  return %sum : i32
}
// -----
func.func @tensors(%a: tensor<6xf32>, %b: tensor<6xf32>) -> tensor<6xf32> {
  %zero = arith.constant 0 : index
  %none = arith.constant 0.0 : f32
  %x = vector.transfer_read %a[%zero], %none {in_bounds = [true]} : tensor<6xf32>, vector<6xf32>
  %y = vector.transfer_read %b[%zero], %none {in_bounds = [true]} : tensor<6xf32>, vector<6xf32>
  %z = arith.mulf %x, %y : vector<6xf32>
  %empty = tensor.empty() : tensor<6xf32>
  %c = vector.transfer_write %z, %empty[%zero] {in_bounds = [true]} : vector<6xf32>, tensor<6xf32>
  return %c : tensor<6xf32>
}
// -----
// Through a function, a condition and a while loop.
func.func private @double(%x: vector<2xi32>) -> vector<2xi32> {
  %y = arith.addi %x, %x : vector<2xi32>
  return %y : vector<2xi32>
}
func.func @passed(%a: memref<2xi32>, %flag: i1) {
  %zero = arith.constant 0 : index
  %limit = arith.constant 100 : i32
  %x = vector.load %a[%zero] : memref<2xi32>, vector<2xi32>
  %y = scf.if %flag -> (vector<2xi32>) {
    %z = func.call @double(%x) : (vector<2xi32>) -> vector<2xi32>
    scf.yield %z : vector<2xi32>
  } else {
    scf.yield %x : vector<2xi32>
  }
  %one = arith.constant dense<1> : vector<2xi32>
  %end = scf.while (%v = %y) : (vector<2xi32>) -> vector<2xi32> {
    %first = vector.extract %v[0] : i32 from vector<2xi32>
    %goes = arith.cmpi slt, %first, %limit : i32
    scf.condition(%goes) %v : vector<2xi32>
  } do {
  ^bb0(%v: vector<2xi32>):
    %w = arith.addi %v, %one : vector<2xi32>
    scf.yield %w : vector<2xi32>
  }
  vector.store %end, %a[%zero] : memref<2xi32>, vector<2xi32>
  return
}
// -----
// Operations with two results for each element.
// absent: vector
func.func @halves(%a: memref<4xi32>, %b: memref<4xi32>, %carries: memref<4xi32>) {
  %zero = arith.constant 0 : index
  %x = vector.load %a[%zero] : memref<4xi32>, vector<4xi32>
  %y = vector.load %b[%zero] : memref<4xi32>, vector<4xi32>
  %low, %high = arith.mului_extended %x, %y : vector<4xi32>
  %less, %more = arith.mulsi_extended %x, %high : vector<4xi32>
  %sum, %carry = arith.addui_extended %low, %more : vector<4xi32>, vector<4xi1>
  %wide = arith.extui %carry : vector<4xi1> to vector<4xi32>
  vector.store %sum, %a[%zero] : memref<4xi32>, vector<4xi32>
  vector.store %less, %b[%zero] : memref<4xi32>, vector<4xi32>
  vector.store %wide, %carries[%zero] : memref<4xi32>, vector<4xi32>
  return
}
