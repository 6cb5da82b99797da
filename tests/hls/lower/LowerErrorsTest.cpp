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
