// What the circuit and the reports take from locations.
#include "hw/hls/lower/kernel/SourceNames.h"
#include "tests/hls/lower/CircuitRun.h"
#include "tests/hls/lower/ScheduledKernel.h"

#include "dialects/rtl/SystemVerilog.h"
#include "hw/hls/lower/DescribeSchedule.h"

#include "gmock/gmock.h"

using namespace spindle;
using namespace spindle::hls;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

namespace {

TEST(SourceNames, IdentifiersOfAnyText) {
  EXPECT_EQ(identifierOf("A"), "A");
  EXPECT_EQ(identifierOf("model/conv1::weights:0"), "model_conv1_weights_0");
  EXPECT_EQ(identifierOf("__a  b__"), "a_b");
  EXPECT_EQ(identifierOf("3x"), "_3x");
  EXPECT_EQ(identifierOf("\xc3\xa9"), "");
  EXPECT_EQ(identifierOf("a\n\"; endmodule"), "a_endmodule");
  EXPECT_EQ(identifierOf(std::string(100, 'a')), std::string(32, 'a'));
  EXPECT_EQ(identifierOf(std::string(31, 'a') + "-b"), std::string(31, 'a'));
}

TEST(SourceNames, LinesAndNamesOfLocations) {
  mlir::MLIRContext context;
  mlir::Location unknown = mlir::UnknownLoc::get(&context);
  mlir::Location line = mlir::FileLineColLoc::get(&context, "/home/me/gemm.mlir", 12, 5);
  mlir::Location caller = mlir::FileLineColLoc::get(&context, "main.mlir", 3, 1);
  mlir::Location named = mlir::NameLoc::get(mlir::StringAttr::get(&context, "A b"), line);
  EXPECT_EQ(lineSuffix(unknown), "");
  EXPECT_EQ(lineSuffix(line), "_l12");
  EXPECT_EQ(lineSuffix(named), "_l12");
  EXPECT_EQ(lineSuffix(mlir::FileLineColLoc::get(&context, "-", 0, 0)), "");
  EXPECT_EQ(lineSuffix(mlir::FusedLoc::get(&context, {unknown, line, caller})), "_l12");
  EXPECT_EQ(lineSuffix(mlir::CallSiteLoc::get(line, caller)), "_l12");
  EXPECT_EQ(nameIn(line), "");
  EXPECT_EQ(nameIn(named), "A_b");
  EXPECT_EQ(nameIn(mlir::FusedLoc::get(&context, {line, named})), "A_b");
  EXPECT_EQ(sourceOf(unknown), "");
  EXPECT_EQ(sourceOf(named), "gemm.mlir:12:5");
}

/// y := 2 x x for two elements of one line each, then a sum.
constexpr const char *kProgram = R"(
func.func @k(%x: memref<8xf64> loc("x"), %y: memref<8xf64>) -> f64 {
  %two = arith.constant 2.0 : f64
  %zero = arith.constant 0.0 : f64
  affine.for %i = 0 to 4 {
    %a = affine.load %x[2 * %i] : memref<8xf64> loc("k.mlir":20:1)
    %b = affine.load %x[2 * %i + 1] : memref<8xf64> loc("k.mlir":20:9)
    %c = arith.mulf %a, %two : f64 loc("k.mlir":21:1)
    %d = arith.mulf %b, %two : f64 loc("k.mlir":21:9)
    affine.store %c, %y[2 * %i] : memref<8xf64> loc(unknown)
    affine.store %d, %y[2 * %i + 1] : memref<8xf64> loc(unknown)
  } loc("row"("k.mlir":19:3))
  %s = affine.for %i = 0 to 8 iter_args(%t = %zero) -> f64 {
    %a = affine.load %y[%i] : memref<8xf64>
    %u = arith.addf %t, %a : f64 loc("k.mlir":31:1)
    affine.yield %u : f64
  } loc("k.mlir":30:3)
  return %s : f64
})";

TEST(SourceNames, AreInTheCircuit) {
  ScheduledKernel made(kProgram, ScheduleOptions());
  ASSERT_TRUE(made.kernel);
  mlir::OwningOpRef<mlir::ModuleOp> design = circuitOf(made.kernel, "k");
  std::string text;
  llvm::raw_string_ostream stream(text);
  ASSERT_FALSE(bool(rtl::emitSystemVerilog(*design, stream)));
  for (const char *name :
       {"\n// loop nest at k.mlir:19:3: interval ", "\n// loop nest at k.mlir:30:3: interval ",
        " load_x_l20 = arg0_b0_p", " load_x_l20_2 = arg0_b0_p", " mulf_l21 = mulf_f64_",
        " mulf_l21_2 = mulf_f64_", " addf_l31 = addf_f64_0_y", "i0_l19;", "i0_l30;",
        " carried0_l30", " arg0_b0_p0_addr,", "  input  logic [63:0] arg1_b0_p0_rdata"})
    EXPECT_THAT(text, HasSubstr(name)) << text;
  EXPECT_THAT(text, Not(HasSubstr(" chosen"))) << text;
}

TEST(SourceNames, AreInTheSchedule) {
  ScheduledKernel made(kProgram, ScheduleOptions());
  ASSERT_TRUE(made.kernel);
  KernelSchedule schedule =
      llvm::cantFail(describeSchedule(made.kernel, zynqTarget(), UnitLimits()));
  std::vector<std::string> loops, arrays;
  for (const ScheduledPipeline &pipeline : schedule.pipelines) {
    loops.insert(loops.end(), pipeline.loops.begin(), pipeline.loops.end());
    for (const ScheduledOperation &operation : pipeline.operations)
      if (operation.source == "k.mlir:20:9")
        arrays.push_back(operation.array);
  }
  EXPECT_THAT(loops, ElementsAre("k.mlir:19:3", "k.mlir:30:3"));
  EXPECT_THAT(arrays, ElementsAre("", "x")); // its subscripts, itself
  EXPECT_EQ(schedule.tasks.front().source, "k.mlir:19:3");
}

} // namespace
