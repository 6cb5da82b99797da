// Every kernel against its reference, and prepared against as written.
#include "core/support/CounterRandom.h"
#include "core/support/files/File.h"
#include "hw/hls/prepare/Prepare.h"
#include "hw/program/Golden.h"
#include "tests/kernels/polybench/Reference.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

#include <algorithm>
#include <cmath>

using namespace spindle;
using namespace spindle::hls;
using namespace spindle::polybench;

namespace {

bool isSolver(const std::string &kernel) {
  return kernel == "lu" || kernel == "ludcmp" || kernel == "cholesky" || kernel == "trisolv";
}

/// Numbers in [0.5, 1.5), integers from 1 to 9, bases from 0 to 3; matrices of solvers are
/// symmetric with a dominant diagonal.
KernelArray randomInput(const GoldenType &type, const std::string &kernel, CounterRandom &random) {
  KernelArray input = makeArray(type.type, type.shape);
  std::vector<double> numbers(input.count());
  for (double &number : numbers)
    number = type.type.isFloat()   ? 0.5 + random.uniform()
             : type.type.bits == 8 ? random.below(4)
                                   : 1 + random.below(9);
  if (isSolver(kernel) && type.shape.size() == 2)
    for (int64_t n = type.shape[0], i = 0; i < n; ++i) {
      for (int64_t j = 0; j < i; ++j)
        numbers[i * n + j] = numbers[j * n + i];
      numbers[i * n + i] += 2 * n;
    }
  if (type.type.isFloat())
    return makeFloats(type.type, type.shape, numbers);
  return makeIntegers(type.type, type.shape, std::vector<int64_t>(numbers.begin(), numbers.end()));
}

template <typename T> std::vector<T> numbersOf(const KernelArray &array) {
  if (array.type.isFloat()) {
    std::vector<double> values = toDoubles(array);
    return {values.begin(), values.end()};
  }
  std::vector<int64_t> values = toIntegers(array);
  return {values.begin(), values.end()};
}

template <typename T>
std::vector<KernelArray> referenceResult(Kernel<T> kernel, std::vector<KernelArray> arguments,
                                         int steps) {
  Operands<T> operands;
  operands.steps = steps;
  for (const KernelArray &argument : arguments) {
    if (argument.shape.empty())
      operands.scalars.push_back(numbersOf<T>(argument)[0]);
    else
      operands.arrays.emplace_back(std::vector<int>(argument.shape.begin(), argument.shape.end()),
                                   numbersOf<T>(argument));
  }
  kernel(operands);
  auto array = operands.arrays.begin();
  for (KernelArray &argument : arguments) {
    if (argument.shape.empty())
      continue;
    const std::vector<T> &data = array++->data;
    argument = argument.type.isFloat()
                   ? makeFloats(argument.type, argument.shape, {data.begin(), data.end()})
                   : makeIntegers(argument.type, argument.shape, {data.begin(), data.end()});
  }
  return arguments;
}

/// Bit for bit, or within `tolerance` of the larger number where that is not zero.
void expectSame(const std::vector<KernelArray> &expected, const std::vector<KernelArray> &found,
                double tolerance = 0) {
  ASSERT_EQ(expected.size(), found.size());
  for (size_t n = 0; n < expected.size(); ++n)
    for (size_t element = 0; element < expected[n].count(); ++element) {
      uint64_t a = expected[n].at(element), b = found[n].at(element);
      bool isClose = isSame(expected[n].type, a, b);
      if (!isClose && tolerance > 0) {
        double x = toDoubles(expected[n])[element], y = toDoubles(found[n])[element];
        isClose = std::abs(x - y) <= tolerance * std::max(std::abs(x), std::abs(y));
      }
      ASSERT_TRUE(isClose) << "argument " << n << ", element " << element << ": expected "
                           << numberText(expected[n].type, a) << ", found "
                           << numberText(found[n].type, b);
    }
}

template <typename T>
void checkKernel(const std::string &set, const std::string &name, Kernel<T> kernel) {
  SCOPED_TRACE(set + "/" + name);
  mlir::DialectRegistry registry;
  registerKernelDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  std::string path = std::string(POLYBENCH_KERNELS) + "/" + set + "/" + name + ".mlir";
  auto module = mlir::parseSourceString<mlir::ModuleOp>(llvm::cantFail(readFile(path)),
                                                        mlir::ParserConfig(&context), path);
  ASSERT_TRUE(module);
  std::string function = "kernel_" + name;
  std::replace(function.begin(), function.end(), '-', '_');

  auto golden = Golden::compile(*module, function);
  ASSERT_TRUE(bool(golden)) << toText(golden.takeError());
  CounterRandom random(1);
  std::vector<KernelArray> inputs;
  for (const GoldenType &type : golden->arguments())
    inputs.push_back(randomInput(type, name, random));
  int steps = set.rfind("mini", 0) == 0 ? 20 : std::stoi(set);
  Values written = llvm::cantFail(golden->run(inputs));
  // The exponentials of deriche are our own, not libm's.
  double tolerance = name != "deriche" ? 0 : sizeof(T) == 8 ? 1e-12 : 1e-4;
  expectSame(referenceResult<T>(kernel, inputs, steps), written.arguments, tolerance);

  auto top = prepare(*module, {function, {}});
  ASSERT_TRUE(bool(top)) << toText(top.takeError());
  auto prepared = Golden::compile(*module, function);
  ASSERT_TRUE(bool(prepared)) << toText(prepared.takeError());
  expectSame(written.arguments, llvm::cantFail(prepared->run(inputs)).arguments);
}

TEST(Polybench, MiniKernelsComputeTheirDefinitions) {
  std::map<std::string, Kernel<double>> kernels = doubleKernels();
  EXPECT_EQ(kernels.size(), 30u);
  for (const auto &[name, kernel] : kernels)
    checkKernel<double>("mini-f64", name, kernel);
}

TEST(Polybench, SmallestKernelsComputeTheirDefinitions) {
  for (const auto &[name, kernel] : doubleKernels())
    checkKernel<double>("4-f64", name, kernel);
  for (const auto &[name, kernel] : floatKernels())
    checkKernel<float>("4-f32", name, kernel);
}

TEST(Polybench, IntegerKernelsComputeTheirDefinitions) {
  std::map<std::string, Kernel<int>> kernels = integerKernels();
  EXPECT_EQ(kernels.size(), 17u);
  for (const auto &[name, kernel] : kernels)
    checkKernel<int>("8x8-i32", name, kernel);
}

} // namespace
