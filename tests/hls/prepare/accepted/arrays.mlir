// Views of arrays are accesses to the arrays.
// absent: subview
// absent: shape
// absent: cast
// absent: copy
// expect: affine.load %arg0[%arg2 + 2, %arg3 * 2 + 1]
func.func @views(%a: memref<8x8xf32>, %b: memref<64xf32>) {
  %s = memref.subview %a[2, 1] [4, 4] [1, 2] : memref<8x8xf32> to memref<4x4xf32, strided<[8, 2], offset: 17>>
  %e = memref.expand_shape %b [[0, 1]] output_shape [8, 8] : memref<64xf32> into memref<8x8xf32>
  %r = memref.reinterpret_cast %a to offset: [0], sizes: [64], strides: [1] : memref<8x8xf32> to memref<64xf32, strided<[1]>>
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 4 {
      %x = affine.load %s[%i, %j] : memref<4x4xf32, strided<[8, 2], offset: 17>>
      affine.store %x, %e[%i + 1, %j] : memref<8x8xf32>
      %y = memref.load %r[%i] : memref<64xf32, strided<[1]>>
      affine.store %y, %e[%i, 7] : memref<8x8xf32>
    }
  }
  %e2 = memref.subview %e[4, 4] [4, 4] [1, 1] : memref<8x8xf32> to memref<4x4xf32, strided<[8, 1], offset: 36>>
  memref.copy %s, %e2 : memref<4x4xf32, strided<[8, 2], offset: 17>> to memref<4x4xf32, strided<[8, 1], offset: 36>>
  return
}
// -----
// Rows of a flattened array: what ranges settle is no division.
// expect: affine.load %arg0[%arg1, %arg2]
// absent: floordiv
// absent: mod 8
func.func @collapsed(%a: memref<6x8xf32>) {
  %flat = memref.collapse_shape %a [[0, 1]] : memref<6x8xf32> into memref<48xf32>
  affine.for %i = 0 to 6 {
    affine.for %j = 0 to 8 {
      %x = affine.load %flat[%i * 8 + %j] : memref<48xf32>
      %y = arith.addf %x, %x : f32
      affine.store %y, %flat[%i * 8 + %j] : memref<48xf32>
    }
  }
  return
}
// -----
// Local arrays of any kind, a scalar as an array, a constant array, small numbers.
// expect: memref.get_global @table
// absent: alloca
// absent: dealloc
memref.global "private" constant @table : memref<4xi8> = dense<[1, -2, 3, 100]>
func.func @locals(%a: memref<4xi8>, %flags: memref<4xi1>, %count: memref<i32>) {
  %table = memref.get_global @table : memref<4xi8>
  %heap = memref.alloc() : memref<4xi8>
  affine.for %i = 0 to 4 {
    %stack = memref.alloca() : memref<i8>
    %x = affine.load %a[%i] : memref<4xi8>
    %t = affine.load %table[%i] : memref<4xi8>
    %y = arith.addi %x, %t : i8
    affine.store %y, %stack[] : memref<i8>
    %z = affine.load %stack[] : memref<i8>
    affine.store %z, %heap[%i] : memref<4xi8>
    %f = affine.load %flags[%i] : memref<4xi1>
    %n = affine.load %count[] : memref<i32>
    %one = arith.extui %f : i1 to i32
    %m = arith.addi %n, %one : i32
    affine.store %m, %count[] : memref<i32>
    %g = arith.cmpi slt, %x, %t : i8
    affine.store %g, %flags[%i] : memref<4xi1>
  }
  memref.copy %heap, %a : memref<4xi8> to memref<4xi8>
  memref.dealloc %heap : memref<4xi8>
  return
}
// -----
// Addresses that are data.
// expect: memref.load
func.func @gather(%a: memref<16xi32>, %b: memref<16xf32>) {
  %mask = arith.constant 15 : i32
  affine.for %i = 0 to 16 {
    %x = affine.load %a[%i] : memref<16xi32>
    %low = arith.andi %x, %mask : i32
    %at = arith.index_cast %low : i32 to index
    %y = memref.load %b[%at] : memref<16xf32>
    %back = affine.apply affine_map<(d0) -> (15 - d0)>(%at)
    memref.store %y, %b[%back] : memref<16xf32>
  }
  return
}
// -----
// Extents that are not written are as large as the accesses need (cgeist leaves the first one open).
// bind: 0=6,1=5
// expect: (%arg0: i32 {hls.bound}, %arg1: i32 {hls.bound}, %arg2: f64, %arg3: memref<6x5xf64>, %arg4: memref<7xf64>)
// expect: affine.for %arg5 = 0 to 6
module attributes {dlti.dl_spec = #dlti.dl_spec<i32 = dense<32> : vector<2xi64>>, llvm.data_layout = "e-m:e-i64:64", llvm.target_triple = "x86_64-unknown-linux-gnu"} {
  func.func @open(%n: i32, %m: i32, %alpha: f64, %a: memref<?x5xf64>, %x: memref<?xf64>) attributes {llvm.linkage = #llvm.linkage<external>} {
    %0 = arith.index_cast %n : i32 to index
    %1 = arith.index_cast %m : i32 to index
    affine.for %i = 0 to %0 {
      affine.for %j = 0 to %1 {
        %2 = affine.load %a[%i, %j] : memref<?x5xf64>
        %3 = arith.mulf %alpha, %2 : f64
        %4 = affine.load %x[%i + 1] : memref<?xf64>
        %5 = arith.addf %4, %3 : f64
        affine.store %5, %x[%i] : memref<?xf64>
      }
    }
    return
  }
}
// -----
// Extents that the program asks for are bound.
// bind: 0=7
// expect: affine.for %arg1 = 0 to 7
func.func @asked(%a: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %end = memref.dim %a, %c0 : memref<?xf32>
  affine.for %i = 0 to %end {
    %x = affine.load %a[%i] : memref<?xf32>
    %y = arith.addf %x, %x : f32
    affine.store %y, %a[%i] : memref<?xf32>
  }
  return
}
// -----
// Nothing but two arrays stands before the loops.
// expect: memref.alloc() : memref<9xi32>
func.func @two(%x: memref<8xi32>, %y: memref<8xi32>) {
  %t = memref.alloc() : memref<8xi32>
  %u = memref.alloc() : memref<9xi32>
  affine.for %i = 0 to 8 {
    %value = affine.load %x[%i] : memref<8xi32>
    affine.store %value, %t[%i] : memref<8xi32>
    affine.store %value, %u[%i + 1] : memref<9xi32>
  }
  affine.for %i = 0 to 8 {
    %value = affine.load %t[7 - %i] : memref<8xi32>
    %other = affine.load %u[%i + 1] : memref<9xi32>
    %sum = arith.addi %value, %other : i32
    affine.store %sum, %y[%i] : memref<8xi32>
  }
  return
}
// -----
// Transposed arrays, parts of them, and rows whose number is a counter.
// absent: memref.transpose
// absent: subview
// expect: affine.load %arg0[%arg3, %arg2]
func.func @transposed(%a: memref<4x6xf32>, %b: memref<6x4xf32>) {
  %t = memref.transpose %a (i, j) -> (j, i) : memref<4x6xf32> to memref<6x4xf32, strided<[1, 6]>>
  affine.for %i = 0 to 6 {
    affine.for %j = 0 to 4 {
      %x = affine.load %t[%i, %j] : memref<6x4xf32, strided<[1, 6]>>
      affine.store %x, %b[%i, %j] : memref<6x4xf32>
    }
    %row = memref.subview %t[%i, 0] [1, 4] [1, 1] : memref<6x4xf32, strided<[1, 6]>> to memref<4xf32, strided<[6], offset: ?>>
    affine.for %j = 0 to 3 {
      %x = affine.load %row[%j] : memref<4xf32, strided<[6], offset: ?>>
      affine.store %x, %row[%j + 1] : memref<4xf32, strided<[6], offset: ?>>
    }
  }
  return
}
// -----
// An array of the file without contents is a local one.
// expect: memref.alloc
// absent: memref.get_global
memref.global "private" @buf : memref<8xi32> = uninitialized
func.func @scratch(%x: memref<8xi32>) {
  %s = memref.get_global @buf : memref<8xi32>
  affine.for %i = 0 to 8 {
    %a = affine.load %x[%i] : memref<8xi32>
    affine.store %a, %s[7 - %i] : memref<8xi32>
  }
  affine.for %i = 0 to 8 {
    %a = affine.load %s[%i] : memref<8xi32>
    affine.store %a, %x[%i] : memref<8xi32>
  }
  return
}
// -----
// One that is written begins with its contents in every run, which are constant.
// expect: memref.get_global
// expect: memref.global "private" constant @state
memref.global "private" @state : memref<4xi32> = dense<[1,2,3,4]>
func.func @lfsr(%x: memref<8xi32>) {
  %s = memref.get_global @state : memref<4xi32>
  affine.for %i = 0 to 8 {
    %a = affine.load %s[0] : memref<4xi32>
    %b = affine.load %s[3] : memref<4xi32>
    %c = arith.xori %a, %b : i32
    affine.for %j = 0 to 3 {
      %t = affine.load %s[%j + 1] : memref<4xi32>
      affine.store %t, %s[%j] : memref<4xi32>
    }
    affine.store %c, %s[3] : memref<4xi32>
    affine.store %c, %x[%i] : memref<8xi32>
  }
  return
}
// -----
// An array of the program that it changes has its contents anew in each run.
// absent: memref.store
memref.global "private" @state : memref<4xi32> = dense<[1, 2, 3, 4]>
func.func @changed_global(%x: memref<8xi32>) {
  %s = memref.get_global @state : memref<4xi32>
  affine.for %i = 0 to 8 {
    %a = affine.load %s[0] : memref<4xi32>
    %b = affine.load %s[3] : memref<4xi32>
    %c = arith.xori %a, %b : i32
    affine.for %j = 0 to 3 {
      %t = affine.load %s[%j + 1] : memref<4xi32>
      affine.store %t, %s[%j] : memref<4xi32>
    }
    affine.store %c, %s[3] : memref<4xi32>
    affine.store %c, %x[%i] : memref<8xi32>
  }
  return
}
// -----
// Tiles of a tensor, each written by an iteration of its own.
// absent: scf.forall
func.func @forall_tensors(%a: tensor<8x8xf32>, %o: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = scf.forall (%i, %j) in (2, 4) shared_outs(%q = %o) -> tensor<8x8xf32> {
    %u = affine.apply affine_map<(d0) -> (d0 * 4)>(%i)
    %v = affine.apply affine_map<(d0) -> (d0 * 2)>(%j)
    %s = tensor.extract_slice %a[%u, %v] [4, 2] [1, 1] : tensor<8x8xf32> to tensor<4x2xf32>
    %t = tensor.extract_slice %q[%u, %v] [4, 2] [1, 1] : tensor<8x8xf32> to tensor<4x2xf32>
    %e = linalg.add ins(%s, %t : tensor<4x2xf32>, tensor<4x2xf32>) outs(%t : tensor<4x2xf32>) -> tensor<4x2xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %e into %q[%u, %v] [4, 2] [1, 1] : tensor<4x2xf32> into tensor<8x8xf32>
    }
  }
  return %r : tensor<8x8xf32>
}
// -----
// A clone and its array, neither of which is written (else what they hold is undefined).
func.func @clone(%a: memref<8xi32>, %b: memref<8xi32>) {
  %c = bufferization.clone %a : memref<8xi32> to memref<8xi32>
  affine.for %i = 0 to 8 {
    %x = affine.load %c[7 - %i] : memref<8xi32>
    %y = affine.load %a[%i] : memref<8xi32>
    %z = arith.addi %x, %y : i32
    affine.store %z, %b[%i] : memref<8xi32>
  }
  memref.dealloc %c : memref<8xi32>
  return
}
// -----
// A clone of every second column.
func.func @clone_part(%a: memref<8x8xi32>, %b: memref<8x4xi32>) {
  %s = memref.subview %a[0, 0] [8, 4] [1, 2] : memref<8x8xi32> to memref<8x4xi32, strided<[8, 2]>>
  %c = bufferization.clone %s : memref<8x4xi32, strided<[8, 2]>> to memref<8x4xi32, strided<[8, 2]>>
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 4 {
      %x = affine.load %c[%i, %j] : memref<8x4xi32, strided<[8, 2]>>
      affine.store %x, %b[%i, %j] : memref<8x4xi32>
    }
  }
  return
}
// -----
// The same elements as another array, written through both.
func.func @reshaped(%a: memref<4x6xi32>, %b: memref<2x12xi32>) {
  %shape = memref.alloc() : memref<2xindex>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c12 = arith.constant 12 : index
  memref.store %c2, %shape[%c0] : memref<2xindex>
  memref.store %c12, %shape[%c1] : memref<2xindex>
  %v = memref.reshape %a(%shape) : (memref<4x6xi32>, memref<2xindex>) -> memref<2x12xi32>
  affine.for %i = 0 to 2 {
    affine.for %j = 0 to 12 {
      %x = affine.load %v[%i, %j] : memref<2x12xi32>
      affine.store %x, %b[%i, 11 - %j] : memref<2x12xi32>
      %y = arith.addi %x, %x : i32
      affine.store %y, %v[1 - %i, %j] : memref<2x12xi32>
    }
  }
  return
}
// -----
// Constants of which the file lists what is not zero.
// absent: sparse
memref.global "private" constant @few : memref<2x3xf32> = sparse<[[0, 1], [1, 2]], [1.5, -2.0]>
func.func @listed(%x: tensor<4xi32>, %y: memref<2x3xf32>) -> tensor<4xi32> {
  %c = arith.constant sparse<[[1], [3]], [5, 6]> : tensor<4xi32>
  %all = arith.constant sparse<[], []> : tensor<4xi32>
  %0 = arith.addi %x, %c : tensor<4xi32>
  %1 = arith.ori %0, %all : tensor<4xi32>
  %few = memref.get_global @few : memref<2x3xf32>
  affine.for %i = 0 to 2 {
    affine.for %j = 0 to 3 {
      %a = affine.load %few[%i, %j] : memref<2x3xf32>
      %b = affine.load %y[%i, %j] : memref<2x3xf32>
      %s = arith.addf %a, %b : f32
      affine.store %s, %y[%i, %j] : memref<2x3xf32>
    }
  }
  return %1 : tensor<4xi32>
}
// -----
// What says something of an array and changes nothing.
func.func @aligned(%a: memref<4xi8>, %b: memref<4xi8>) {
  %c = memref.assume_alignment %a, 64 : memref<4xi8>
  %d, %e = memref.distinct_objects %c, %b : memref<4xi8>, memref<4xi8>
  affine.for %i = 0 to 4 {
    %v = affine.load %d[%i] : memref<4xi8>
    affine.store %v, %e[3 - %i] : memref<4xi8>
  }
  return
}
// -----
// Memory spaces are those of a processor.
// absent: space
// absent: "shared"
// absent: , 4>
memref.global "private" constant @weights : memref<8xi16, 4> = dense<[3, -1, 4, 1, -5, 9, 2, -6]>
func.func private @scale(%from: memref<8xi16, "global">, %to: memref<8xi16, "shared">) {
  %weights = memref.get_global @weights : memref<8xi16, 4>
  affine.for %i = 0 to 8 {
    %x = affine.load %from[%i] : memref<8xi16, "global">
    %w = affine.load %weights[%i] : memref<8xi16, 4>
    %y = arith.muli %x, %w : i16
    affine.store %y, %to[%i] : memref<8xi16, "shared">
  }
  return
}
func.func @elsewhere(%a: memref<8xi16, "global">, %b: memref<4xi16, 1>, %t: tensor<4xi16>) -> tensor<4xi16> {
  %l = memref.alloc() : memref<8xi16, "shared">
  func.call @scale(%a, %l) : (memref<8xi16, "global">, memref<8xi16, "shared">) -> ()
  %generic = memref.memory_space_cast %l : memref<8xi16, "shared"> to memref<8xi16>
  %half = memref.subview %generic[4] [4] [1] : memref<8xi16> to memref<4xi16, strided<[1], offset: 4>>
  memref.copy %half, %b : memref<4xi16, strided<[1], offset: 4>> to memref<4xi16, 1>
  %copy = bufferization.alloc_tensor() copy(%t) {memory_space = 2 : i64} : tensor<4xi16>
  %0 = arith.addi %copy, %t : tensor<4xi16>
  return %0 : tensor<4xi16>
}
// -----
// A larger alignment than that of any memory.
// absent: assume
func.func @far_aligned(%a: memref<8xf32>) {
  %b = memref.assume_alignment %a, 65536 : memref<8xf32>
  %c = arith.constant 1.0 : f32
  affine.for %i = 0 to 8 {
    affine.store %c, %b[%i] : memref<8xf32>
  }
  return
}
// -----
// Data layouts of other versions of MLIR.
module attributes {dlti.dl_spec = #dlti.dl_spec<#dlti.dl_entry<f16, dense<16> : vector<2xi32>>, #dlti.dl_entry<i64, dense<64> : vector<2xi32>>, #dlti.dl_entry<"dlti.endianness", "little">>} {
  func.func @laid_out(%a: memref<8xf32>, %n: i64) -> i64 {
    %c = arith.constant 1.0 : f32
    affine.for %i = 0 to 8 {
      affine.store %c, %a[%i] : memref<8xf32>
    }
    return %n : i64
  }
}
