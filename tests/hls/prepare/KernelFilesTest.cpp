// Kernels as others write them: those of accepted/ and of tests/kernels/layers compute the same
// prepared as as written, those of refused/ are refused with their place and reason.
#include "core/support/CounterRandom.h"
#include "hw/program/Golden.h"
#include "tests/hls/prepare/KernelFile.h"
#include "tests/hls/prepare/KernelText.h"

#include "gmock/gmock.h"

using namespace spindle;
using namespace spindle::hls;
using ::testing::HasSubstr;
using ::testing::Not;

namespace {

KernelArray randomInput(const GoldenType &type, CounterRandom &random) {
  KernelArray input = makeArray(type.type, type.shape);
  std::vector<double> numbers(input.count());
  for (double &number : numbers)
    number = type.type.isFloat() ? 4 * random.uniform() - 2 : int(random.below(200)) - 100;
  if (type.type.isFloat())
    return makeFloats(type.type, type.shape, numbers);
  return makeIntegers(type.type, type.shape, {numbers.begin(), numbers.end()});
}

/// Random arguments; bound ones are what they are bound to.
std::vector<KernelArray> randomInputs(const std::vector<GoldenType> &types,
                                      const Bindings &bindings, uint64_t seed) {
  CounterRandom random(seed);
  std::vector<KernelArray> inputs;
  for (const GoldenType &type : types) {
    auto bound = bindings.find(inputs.size());
    bool isScalar = !type.isArray && bound != bindings.end();
    inputs.push_back(isScalar ? makeIntegers(type.type, {}, bound->second)
                              : randomInput(type, random));
  }
  return inputs;
}

/// The same bits: an index may have become an integer of 64.
std::vector<KernelArray> withTypes(std::vector<KernelArray> inputs,
                                   const std::vector<GoldenType> &types) {
  for (size_t n = 0; n < inputs.size(); ++n)
    inputs[n].type = types[n].type;
  return inputs;
}

void expectSameValues(const Values &written, const Values &prepared) {
  ASSERT_EQ(written.arguments.size(), prepared.arguments.size());
  ASSERT_EQ(written.results.size(), prepared.results.size());
  auto compare = [](const KernelArray &a, const KernelArray &b, const std::string &what) {
    ASSERT_EQ(a.count(), b.count()) << what;
    for (size_t n = 0; n < a.count(); ++n)
      ASSERT_TRUE(isSame(a.type, a.at(n), b.at(n)))
          << what << ", element " << n << ": as written " << numberText(a.type, a.at(n))
          << ", prepared " << numberText(b.type, b.at(n));
  };
  for (size_t n = 0; n < written.arguments.size(); ++n)
    compare(written.arguments[n], prepared.arguments[n], "argument " + std::to_string(n));
  for (size_t n = 0; n < written.results.size(); ++n)
    compare(written.results[n], prepared.results[n], "result " + std::to_string(n));
}

void checkAccepted(const KernelCase &test) {
  KernelText original(test.text), kernel(test.text);
  ASSERT_TRUE(kernel.module);
  auto top = prepare(*kernel.module, test.options);
  ASSERT_TRUE(bool(top)) << toText(top.takeError());
  std::string printed;
  llvm::raw_string_ostream(printed) << *kernel.module;
  for (const std::string &text : test.expected)
    EXPECT_THAT(printed, HasSubstr(text));
  for (const std::string &text : test.absent)
    EXPECT_THAT(printed, Not(HasSubstr(text)));
  std::string name = top->getSymName().str();
  auto written = Golden::compile(*original.module, name);
  ASSERT_TRUE(bool(written)) << toText(written.takeError());
  auto prepared = Golden::compile(*kernel.module, name);
  ASSERT_TRUE(bool(prepared)) << toText(prepared.takeError()) << printed;
  for (uint64_t seed : {1, 2, 3}) {
    auto inputs = randomInputs(prepared->arguments(), test.options.bind, seed);
    auto before = written->run(withTypes(inputs, written->arguments()));
    ASSERT_TRUE(bool(before)) << toText(before.takeError());
    SCOPED_TRACE(printed);
    expectSameValues(*before, llvm::cantFail(prepared->run(inputs)));
  }
}

void checkFolder(const std::string &folder, void (*check)(const KernelCase &)) {
  for (const std::string &path : kernelFiles(folder))
    for (const KernelCase &test : readKernelCases(path)) {
      SCOPED_TRACE(path + ":" + std::to_string(test.line));
      check(test);
    }
}

TEST(KernelFiles, AcceptedOnesComputeTheSame) {
  checkFolder("tests/hls/prepare/accepted", checkAccepted);
}

TEST(KernelFiles, LayersComputeTheSame) { checkFolder("tests/kernels/layers", checkAccepted); }

TEST(KernelFiles, RefusedOnesNameThePlaceAndTheReason) {
  checkFolder("tests/hls/prepare/refused", [](const KernelCase &test) {
    ASSERT_FALSE(test.error.empty());
    EXPECT_EQ(preparedText(test.text, test.options), "kernel.mlir:" + test.error);
  });
}

TEST(KernelFiles, PreparingTwiceGivesTheSameText) {
  for (const KernelCase &test : readKernelCases("tests/kernels/layers/lenet.mlir"))
    EXPECT_EQ(preparedText(test.text, test.options), preparedText(test.text, test.options));
}

} // namespace
