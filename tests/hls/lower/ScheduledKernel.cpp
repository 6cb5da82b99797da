#include "tests/hls/lower/ScheduledKernel.h"

#include "hw/hls/prepare/Prepare.h"
#include "hw/program/ProgramFile.h"
#include "hw/rtl/model/Exp.h"
#include "hw/rtl/model/Log.h"
#include "hw/rtl/model/Pow.h"

#include "fmt/format.h"
#include "gtest/gtest.h"

#include <random>

namespace spindle::hls {

const Target &zynqTarget() {
  static const Target target = llvm::cantFail(readTarget("configs/targets/zynq-7020-100mhz.yaml"));
  return target;
}

ScheduledKernel::ScheduledKernel(const std::string &program, Unscheduled)
    : context(makeProgramContext()) {
  context->loadDialect<HlsDialect>();
  auto build = [&]() -> llvm::Error {
    SPINDLE_ASSIGN(original, parseProgram(*context, program, "kernel.mlir"));
    module = original->clone();
    SPINDLE_ASSIGN(mlir::func::FuncOp function, prepare(*module, {}));
    top = function.getName().str();
    SPINDLE_ASSIGN(kernel, buildKernel(function, zynqTarget()));
    return llvm::Error::success();
  };
  llvm::Error error = build();
  EXPECT_FALSE(error) << toText(std::move(error));
}

ScheduledKernel::ScheduledKernel(const std::string &program, const ScheduleOptions &options)
    : ScheduledKernel(program, Unscheduled()) {
  if (kernel)
    schedule(options);
}

void ScheduledKernel::schedule(const ScheduleOptions &options) {
  llvm::Error error = scheduleKernel(kernel, zynqTarget(), options);
  EXPECT_FALSE(error) << toText(std::move(error));
}

std::vector<KernelArray> randomArguments(const Golden &golden, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<KernelArray> arguments;
  for (const GoldenType &type : golden.arguments()) {
    KernelArray array = makeArray(type.type, type.shape);
    std::vector<double> floats;
    std::vector<int64_t> integers;
    for (size_t element = 0; element < array.count(); ++element) {
      floats.push_back(0.5 + 1.5 * static_cast<double>(random() >> 11) * 0x1p-53);
      integers.push_back(static_cast<int64_t>(random() % 17) - 8);
    }
    arguments.push_back(type.type.isFloat() ? makeFloats(type.type, type.shape, floats)
                                            : makeIntegers(type.type, type.shape, integers));
  }
  return arguments;
}

ElementaryFunctions unitFunctions() {
  return {unitExp, unitExp, unitPow, unitPow, unitLog, unitLog};
}

std::string difference(const Values &found, const Values &expected) {
  for (auto [kind, a, b] : {std::tuple("arg", &found.arguments, &expected.arguments),
                            std::tuple("result", &found.results, &expected.results)}) {
    if (a->size() != b->size())
      return fmt::format("{} {}s, expected {}", a->size(), kind, b->size());
    for (size_t index = 0; index < a->size(); ++index)
      for (size_t element = 0; element < (*b)[index].count(); ++element) {
        const KernelArray &x = (*a)[index], &y = (*b)[index];
        if (!isSame(y.type, x.at(element), y.at(element)))
          return fmt::format("{}{}[{}] is {}, expected {}", kind, index, element,
                             numberText(x.type, x.at(element)), numberText(y.type, y.at(element)));
      }
  }
  return "";
}

} // namespace spindle::hls
