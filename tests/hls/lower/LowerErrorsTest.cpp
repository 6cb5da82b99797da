// What the lowering refuses, with the place in the program.
#include "hw/hls/lower/ScheduleKernel.h"
#include "hw/hls/lower/kernel/BuildKernel.h"
#include "hw/hls/lower/rtl/KernelModule.h"
#include "hw/program/ProgramFile.h"
#include "tests/hls/lower/ScheduledKernel.h"

#include "gtest/gtest.h"

using namespace spindle;
using namespace spindle::hls;

namespace {

/// The error of the first stage that has one, from the loop form to the circuit.
std::string errorOf(const std::string &program, const Target &target = zynqTarget()) {
  std::unique_ptr<mlir::MLIRContext> context = makeProgramContext();
  context->loadDialect<HlsDialect>();
  auto lower = [&]() -> llvm::Error {
    SPINDLE_ASSIGN(auto module, parseProgram(*context, program, "kernel.mlir"));
    auto functions = module->getOps<mlir::func::FuncOp>();
    SPINDLE_ASSIGN(KernelOp kernel, buildKernel(*functions.begin(), target));
    SPINDLE_RETURN_IF_ERROR(scheduleKernel(kernel, target, {}));
    SPINDLE_ASSIGN(auto design, buildKernelModule(kernel, "kernel"));
    return llvm::Error::success();
  };
  llvm::Error error = lower();
  return error ? toText(std::move(error)) : "none";
}

std::string errorOfBody(const std::string &body) {
  return errorOf("func.func @kernel(%n: index, %x: memref<8xf32>, %m: memref<8xindex>) {\n" + body +
                 "\nreturn\n}");
}

TEST(LowerErrors, ArraysWithoutASizeOrContents) {
  EXPECT_EQ(errorOfBody("%a = memref.alloc(%n) : memref<?xf32>\n%c = arith.constant 0.0 : f32\n"
                        "affine.store %c, %a[0] : memref<?xf32>"),
            "kernel.mlir:2:6: error: a local array of dynamic shape, expected a static one");
  EXPECT_EQ(errorOf("func.func @kernel(%x: memref<8xf32>) {\n"
                    "%a = memref.get_global @data : memref<8xf32>\n"
                    "%v = affine.load %a[0] : memref<8xf32>\n"
                    "affine.store %v, %x[0] : memref<8xf32>\nreturn\n}\n"
                    "memref.global @data : memref<8xf32> = uninitialized"),
            "kernel.mlir:2:6: error: a global array without contents, expected a constant one");
}

/// A producer and a consumer of six tokens.
std::string processes(const std::string &inProducer, const std::string &inConsumer) {
  return "func.func @kernel(%x: memref<8xi8>, %y: memref<8xi8>) {\n"
         "%s = hls.make_stream {depth = 2 : i64} : !hls.stream<i8>\n"
         "affine.for %i = 0 to 6 {\n%v = affine.load %x[%i] : memref<8xi8>\n"
         "hls.write %v, %s : !hls.stream<i8>\n" +
         inProducer +
         "}\naffine.for %i = 0 to 6 {\n%v = hls.read %s : !hls.stream<i8>\n"
         "affine.store %v, %y[%i] : memref<8xi8>\n" +
         inConsumer + "}\nreturn\n}";
}

TEST(LowerErrors, ProcessesThatShareMoreThanStreams) {
  EXPECT_EQ(errorOf(processes("", "")), "none");
  EXPECT_EQ(errorOf(processes("affine.store %v, %y[%i] : memref<8xi8>\n", "")),
            "kernel.mlir:8:1: error: takes tokens of stream 'stream0' and waits for an array or a "
            "value of the loop that puts them there, which ends later: expected processes that "
            "share nothing but streams");
  std::string reads = "%a = affine.load %x[%i + 1] : memref<8xi8>\n"
                      "%b = affine.load %x[%i + 2] : memref<8xi8>\n"
                      "%c = arith.addi %a, %b : i8\naffine.store %c, %y[%i] : memref<8xi8>\n";
  EXPECT_EQ(errorOf(processes("", reads)),
            "kernel.mlir:7:1: error: tasks that run at the same time, as those of a program with "
            "streams, need more ports of arg0 bank 0 than its 2: expected an array for each");
}

TEST(LowerErrors, TokensThatNoIterationCanTake) {
  std::string head = "func.func @kernel(%s: !hls.stream<i8>, %x: memref<8xi8>) {\n"
                     "affine.for %i = 0 to 6 {\n%v = hls.read %s : !hls.stream<i8>\n";
  EXPECT_EQ(errorOf(head + "%w = hls.read %s : !hls.stream<i8>\n%z = arith.addi %v, %w : i8\n"
                           "affine.store %z, %x[%i] : memref<8xi8>\n}\nreturn\n}"),
            "kernel.mlir:4:6: error: a stream is read twice in an iteration, expected one hls.read "
            "(give both readings a loop, or read into one value under either condition)");
  EXPECT_EQ(errorOf("func.func @kernel(%s: !hls.stream<i8>, %x: memref<8xi8>) {\n"
                    "%zero = arith.constant 0 : i8\naffine.for %i = 0 to 6 {\n"
                    "%v = affine.load %x[%i] : memref<8xi8>\n"
                    "%c = arith.cmpi sgt, %v, %zero : i8\nscf.if %c {\n"
                    "%t = hls.read %s : !hls.stream<i8>\n"
                    "affine.store %t, %x[%i] : memref<8xi8>\n}\n}\nreturn\n}"),
            "kernel.mlir:7:6: error: whether a token of stream 'arg0' is read is not known when an "
            "iteration begins: expected a condition of counters, values of the iteration before "
            "and tokens alone");
}

TEST(LowerErrors, Jumps) {
  EXPECT_EQ(errorOf("func.func @kernel() {\ncf.br ^end\n^end:\nreturn\n}"),
            "kernel.mlir:1:1: error: a function with jumps, expected structured loops");
}

TEST(LowerErrors, LoopsThatAreNotInLoopForm) {
  for (const char *loop :
       {"scf.for %i = %n to %n step %n {\n}",
        "%o = arith.constant 1 : index\nscf.for unsigned %i = %n to %n step %o {\n}",
        "%o = arith.constant 1 : i32\nscf.for %i = %o to %o step %o : i32 {\n}"})
    EXPECT_EQ(errorOfBody(loop), std::string("kernel.mlir:") + (loop[0] == 's' ? "2" : "3") +
                                     ":1: error: a loop counts otherwise than by signed indices in "
                                     "steps of 1: bring it into loop form by --hls-prepare");
}

TEST(LowerErrors, AccessesOfViews) {
  EXPECT_EQ(errorOfBody("%v = memref.cast %x : memref<8xf32> to memref<?xf32>\n"
                        "%c = arith.constant 0.0 : f32\n"
                        "affine.for %i = 0 to 8 {\n"
                        "affine.store %c, %v[0] : memref<?xf32>\n}"),
            "kernel.mlir:2:6: error: operation 'memref.cast' cannot be synthesised here");
}

TEST(LowerErrors, OperationsWithoutHardware) {
  EXPECT_EQ(errorOfBody("affine.for %i = 0 to 8 {\n"
                        "%v = affine.load %x[%i] : memref<8xf32>\n"
                        "memref.assume_alignment %x, 4 : memref<8xf32>\n"
                        "affine.store %v, %x[%i] : memref<8xf32>\n}"),
            "kernel.mlir:4:1: error: operation 'memref.assume_alignment' cannot be synthesised "
            "here");
  EXPECT_EQ(errorOfBody("affine.for %i = 0 to 8 {\n"
                        "%v = affine.load %x[%i] : memref<8xf32>\n"
                        "%w = math.tanh %v : f32\n"
                        "affine.store %w, %x[%i] : memref<8xf32>\n}"),
            "kernel.mlir:4:6: error: target 'zynq-7020-100mhz' has no unit for 'tanh' of f32");
}

TEST(LowerErrors, ModulesOfUnknownPorts) {
  Target target = zynqTarget();
  for (FunctionalUnit &unit : target.units)
    if (unit.name == "addf_f32")
      unit.module = "adder";
  EXPECT_EQ(errorOf("func.func @kernel(%x: memref<8xf32>) {\n"
                    "affine.for %i = 0 to 8 {\n"
                    "%v = affine.load %x[%i] : memref<8xf32>\n"
                    "%w = arith.addf %v, %v : f32\n"
                    "affine.store %w, %x[%i] : memref<8xf32>\n}\nreturn\n}",
                    target),
            "target 'zynq-7020-100mhz': error: nothing is known of the ports of module 'adder'");
}

} // namespace
