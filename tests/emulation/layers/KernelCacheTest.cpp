// Kernels that are compiled once for equal modules, and for older processors than this one.
#include "lib/emulation/layers/KernelCache.h"
#include "lib/emulation/lanes/HostTarget.h"
#include "lib/emulation/layers/PlanBuilder.h"

#include "gmock/gmock.h"

#include <cstdlib>

using namespace spindle;
using ::testing::HasSubstr;

namespace {

/// A kernel that writes a number.
std::shared_ptr<layers::CompiledKernels> kernelsOf(int number) {
  mlir::MLIRContext context;
  layers::PlanBuilder b(context);
  size_t to = b.addBuffer(layers::Unit::Row, sizeof(int64_t));
  layers::StageKernel k(b, layers::Work::Rows);
  k.array(to, k.integer(64)).store(k.number(number));
  b.addStage(std::move(k));
  return llvm::cantFail(layers::compileKernels(*b.plan.module));
}

int64_t run(const layers::CompiledKernels &kernels) {
  int64_t result = 0, rows = 1;
  void *to = &result, *arguments[] = {&to, &rows};
  kernels.find("kernel0")(arguments);
  return result;
}

TEST(KernelCache, EqualModulesAreCompiledOnce) {
  auto first = kernelsOf(7), other = kernelsOf(8), again = kernelsOf(7);
  EXPECT_EQ(first, again);
  EXPECT_NE(first, other);
  EXPECT_EQ(run(*again), 7);
  EXPECT_EQ(run(*other), 8);
}

/// Stages of equal kernels, whose buffers differ: one function, compiled once.
TEST(KernelCache, EqualStagesShareAFunction) {
  mlir::MLIRContext context;
  layers::PlanBuilder b(context);
  for (int number : {7, 8, 7, 7}) {
    layers::StageKernel k(b, layers::Work::Rows);
    k.array(b.addBuffer(layers::Unit::Row, sizeof(int64_t)), k.integer(64)).store(k.number(number));
    b.addStage(std::move(k));
  }
  layers::StageKernel alternative(b, layers::Work::Rows);
  b.addAlternative(std::move(alternative), {});
  EXPECT_EQ(b.plan.module->getBody()->getOperations().size(), 2u);
  EXPECT_EQ(b.plan.denseModule->getBody()->getOperations().size(), 1u);
  EXPECT_EQ(b.plan.stages[0].kernel, b.plan.stages[2].kernel);
  EXPECT_EQ(b.plan.stages[0].kernel, b.plan.stages[3].kernel);
  EXPECT_NE(b.plan.stages[0].kernel, b.plan.stages[1].kernel);
  auto kernels = llvm::cantFail(layers::compileKernels(*b.plan.module));
  for (size_t stage = 0; stage < 4; ++stage) {
    EXPECT_EQ(b.plan.stages[stage].buffers, std::vector<size_t>{stage});
    int64_t result = 0, rows = 1;
    void *to = &result, *arguments[] = {&to, &rows};
    kernels->find(b.plan.stages[stage].kernel)(arguments);
    EXPECT_EQ(result, stage == 1 ? 8 : 7);
  }
}

TEST(KernelCache, KernelsOutliveTheirPlaceInTheCache) {
  auto first = kernelsOf(1000);
  for (int number = 1001; number < 1030; ++number)
    EXPECT_EQ(run(*kernelsOf(number)), number);
  EXPECT_EQ(run(*first), 1000);
  EXPECT_NE(kernelsOf(1000), first);
}

class OlderProcessor : public ::testing::TestWithParam<const char *> {
protected:
  void SetUp() override { setenv("SPINDLE_CPU", GetParam(), 1); }
  void TearDown() override { unsetenv("SPINDLE_CPU"); }
};

TEST_P(OlderProcessor, IsWhatKernelsAreCompiledFor) {
  auto target = llvm::cantFail(lanes::hostTarget());
  EXPECT_EQ(target->getTargetCPU(), GetParam());
  EXPECT_EQ(target->getTargetFeatureString(), "");
}

INSTANTIATE_TEST_SUITE_P(X86, OlderProcessor, ::testing::Values("x86-64", "x86-64-v3"));

TEST(HostTarget, RefusesUnknownProcessors) {
  setenv("SPINDLE_CPU", "abacus", 1);
  auto target = lanes::hostTarget();
  unsetenv("SPINDLE_CPU");
  ASSERT_FALSE(bool(target));
  EXPECT_THAT(llvm::toString(target.takeError()),
              HasSubstr("SPINDLE_CPU: error: 'abacus' is no processor of this kind, expected one "
                        "that LLVM knows, such as x86-64-v3"));
}

} // namespace
