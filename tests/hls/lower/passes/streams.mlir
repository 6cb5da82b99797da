// RUN: spindle-opt %s --convert-affine-to-hls=target=zynq-7020-100mhz | FileCheck %s --check-prefix=KERNEL
// RUN: spindle-opt %s --convert-affine-to-hls=target=zynq-7020-100mhz --hls-schedule=target=zynq-7020-100mhz | FileCheck %s --check-prefix=SCHEDULE
// RUN: spindle-opt %s --convert-affine-to-hls=target=zynq-7020-100mhz --hls-schedule=target=zynq-7020-100mhz --convert-hls-to-rtl | FileCheck %s --check-prefix=RTL

// Streams become FIFOs: of a port where they are arguments. Loops that a stream joins do not wait for each other, those at one end of it do.
// KERNEL: hls.fifo @arg0 : i8 {argument = 0 : i64, depth = 2 : i64}
// KERNEL: hls.fifo @stream0 : i8 {depth = 5 : i64}
// KERNEL: hls.pipeline "nest0" interval 1 depth 1 {
// KERNEL: %[[token:.*]] = hls.pop @arg0 : i8
// KERNEL: hls.push %{{.*}}, @stream0 : i8
// KERNEL: dependences = [#hls.dependence<
// KERNEL: hls.pipeline "nest1" interval 1 depth 1 after ["nest0"] {
// KERNEL: hls.push %{{.*}}, @stream0 if %{{.*}} : i8
// KERNEL: hls.pipeline "nest2" interval 1 depth 1 {
// KERNEL: hls.pop @stream0 : i8

// SCHEDULE: hls.pipeline "nest0" interval 1
// SCHEDULE: hls.pop @arg0 {hls.start = 0 : i64} : i8
// SCHEDULE: hls.pipeline "nest2" interval 1
// SCHEDULE: hls.pop @stream0 {hls.start = 0 : i64} : i8

// An iteration begins where its token is there and its FIFO has room; the FIFO has words for those under way beyond its depth.
// RTL: rtl.extern @fifo_i8(in clk : i1, in rst : i1, in push : i1, in wdata : i8, in pop : i1, out room : i1, out valid : i1, out head : i8)
// RTL-SAME: module_name = "spindle_fifo"
// RTL: rtl.module @both_nest0(
// RTL-SAME: in %arg0_valid : i1, in %arg0_head : i8, in %stream0_room : i1
// RTL-SAME: out arg0_pop : i1, out stream0_push : i1, out stream0_wdata : i8
// RTL: rtl.module @both(
// RTL-SAME: in %arg0_data : i8, in %arg0_valid : i1
// RTL-SAME: out arg0_ready : i1
// RTL: rtl.instance "arg0" @fifo_i8 parameters {DEPTH = 2 : i64, MARGIN = 1 : i64, WIDTH = 8 : i64}
// RTL: rtl.instance "stream0" @fifo_i8 parameters {DEPTH = {{[5-9]}} : i64, MARGIN = {{[1-5]}} : i64, WIDTH = 8 : i64}
func.func @both(%in: !hls.stream<i8>, %x: memref<4xi8>, %y: memref<12xi8>) {
  %zero = arith.constant 0 : i8
  %s = hls.make_stream {depth = 5 : i64} : !hls.stream<i8>
  affine.for %i = 0 to 8 {
    %v = hls.read %in : !hls.stream<i8>
    hls.write %v, %s : !hls.stream<i8>
  }
  affine.for %i = 0 to 4 {
    %v = affine.load %x[%i] : memref<4xi8>
    %c = arith.cmpi sge, %v, %zero : i8
    scf.if %c {
      hls.write %v, %s : !hls.stream<i8>
    }
  }
  affine.for %i = 0 to 12 {
    %v = hls.read %s : !hls.stream<i8>
    affine.store %v, %y[%i] : memref<12xi8>
  }
  return
}
