// arg2[i][j] = arg0[i][j] * arg1 for j != 1, result0 = the sum of these products. arg0 : memref<5x3xi32>, its rows in two banks in turn;
// arg2 : memref<5x3xi8>, its columns 0, 1 in one bank and 2 in another.
rtl.module @scale(in %clk : i1, in %rst : i1, in %start : i1, in %arg1 : i32,
                  in %arg0_b0_p0_rdata : i32, in %arg0_b0_p1_rdata : i32, in %arg0_b1_p0_rdata : i32, in %arg0_b1_p1_rdata : i32,
                  in %arg2_b0_p0_rdata : i8, in %arg2_b1_p0_rdata : i8,
                  out idle : i1, out done : i1, out result0 : i32,
                  out arg0_b0_p0_en : i1, out arg0_b0_p0_we : i1, out arg0_b0_p0_addr : i4, out arg0_b0_p0_wdata : i32,
                  out arg0_b0_p1_en : i1, out arg0_b0_p1_we : i1, out arg0_b0_p1_addr : i4, out arg0_b0_p1_wdata : i32,
                  out arg0_b1_p0_en : i1, out arg0_b1_p0_we : i1, out arg0_b1_p0_addr : i4, out arg0_b1_p0_wdata : i32,
                  out arg0_b1_p1_en : i1, out arg0_b1_p1_we : i1, out arg0_b1_p1_addr : i4, out arg0_b1_p1_wdata : i32,
                  out arg2_b0_p0_en : i1, out arg2_b0_p0_we : i1, out arg2_b0_p0_addr : i4, out arg2_b0_p0_wdata : i8,
                  out arg2_b1_p0_en : i1, out arg2_b1_p0_we : i1, out arg2_b1_p0_addr : i4, out arg2_b1_p0_wdata : i8) {
  %true = arith.constant true
  %false = arith.constant false
  %z2 = arith.constant 0 : i2
  %one2 = arith.constant 1 : i2
  %two2 = arith.constant 2 : i2
  %z3 = arith.constant 0 : i3
  %one3 = arith.constant 1 : i3
  %four3 = arith.constant 4 : i3
  %three4 = arith.constant 3 : i4
  %z4 = arith.constant 0 : i4
  %one4 = arith.constant 1 : i4
  %z32 = arith.constant 0 : i32

  %idle, %run, %flush, %finish = rtl.machine "control" %clk reset %rst {
    idle: %start -> run, run: %last -> flush, flush: %true -> finish, finish: %true -> idle
  }
  %jend = arith.cmpi eq, %j, %two2 : i2
  %iend = arith.cmpi eq, %i, %four3 : i3
  %last = arith.andi %jend, %iend : i1
  %j1 = arith.addi %j, %one2 : i2
  %jn = arith.select %jend, %z2, %j1 : i2
  %j = rtl.reg %jn, %clk enable %run reset %rst to 0 {name = "j"} : i2
  %i1 = arith.addi %i, %one3 : i3
  %in = arith.select %last, %z3, %i1 : i3
  %row = arith.andi %run, %jend : i1
  %i = rtl.reg %in, %clk enable %row reset %rst to 0 {name = "i"} : i3

  // Row i is row i / 2 of bank i mod 2.
  %odd = rtl.extract %i from 0 : i3 -> i1
  %even = arith.xori %odd, %true : i1
  %half = rtl.extract %i from 1 : i3 -> i2
  %half4 = arith.extui %half : i2 to i4
  %j4 = arith.extui %j : i2 to i4
  %base = arith.muli %half4, %three4 : i4
  %addr0 = arith.addi %base, %j4 : i4
  %en00 = arith.andi %run, %even : i1
  %en01 = arith.andi %run, %odd : i1

  %v = rtl.delay %run by 1, %clk reset %rst : i1
  %odd1 = rtl.delay %odd by 1, %clk : i1
  %ilate = rtl.delay %i by 1, %clk : i3
  %jlate = rtl.delay %j by 1, %clk : i2
  %x = arith.select %odd1, %arg0_b1_p0_rdata, %arg0_b0_p0_rdata : i32
  %factor = rtl.reg %arg1, %clk enable %start : i32
  %product = arith.muli %x, %factor : i32
  %small = arith.trunci %product : i32 to i8
  %middle = arith.cmpi eq, %jlate, %one2 : i2
  %outer = arith.xori %middle, %true : i1
  %stores = arith.andi %v, %outer : i1
  %total = arith.addi %sum, %product : i32
  %fresh = arith.select %start, %z32, %total : i32
  %counts = arith.ori %start, %stores : i1
  %sum = rtl.reg %fresh, %clk enable %counts : i32

  // Column j is column j mod 2 of bank j / 2.
  %right = arith.cmpi eq, %jlate, %two2 : i2
  %left = arith.xori %right, %true : i1
  %jlow = rtl.extract %jlate from 0 : i2 -> i1
  %addr2 = rtl.concat %ilate, %jlow : i3, i1 -> i4
  %en20 = arith.andi %stores, %left : i1
  %en21 = arith.andi %stores, %right : i1

  rtl.output %idle, %finish, %sum,
    %en00, %false, %addr0, %z32, %false, %false, %z4, %z32,
    %en01, %false, %addr0, %z32, %false, %false, %z4, %z32,
    %en20, %true, %addr2, %small, %en21, %true, %addr2, %small
    : i1, i1, i32, i1, i1, i4, i32, i1, i1, i4, i32, i1, i1, i4, i32, i1, i1, i4, i32, i1, i1, i4, i8, i1, i1, i4, i8
}
