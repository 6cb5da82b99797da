// Programs as text: C++ is compiled by the host's compiler and computes what the JIT computes.
#include "hw/hls/software-pipelining/PrintCode.h"
#include "core/support/CounterRandom.h"
#include "core/support/files/File.h"
#include "hw/hls/software-pipelining/SoftwarePipelining.h"
#include "tests/hls/loops/RandomKernels.h"

#include "fmt/format.h"
#include "gmock/gmock.h"

#include <cstdlib>
#include <dlfcn.h>

using namespace spindle;
using namespace spindle::hls;
using namespace mlir;
using ::testing::HasSubstr;

namespace {

std::string elementOf(Type type) {
  if (auto array = dyn_cast<MemRefType>(type))
    type = array.getElementType();
  return type.isF64() ? "double" : type.isF32() ? "float" : "int32_t";
}

/// A function `call(void **)` behind the printed one.
std::string callerOf(func::FuncOp function) {
  std::string text = "extern \"C\" void call(void **a) {\n  kernel(";
  for (auto [n, type] : llvm::enumerate(function.getArgumentTypes())) {
    std::string shape;
    if (auto array = dyn_cast<MemRefType>(type))
      for (int64_t extent : array.getShape())
        shape += fmt::format("[{}]", extent);
    text += fmt::format("{}*({} (*){})a[{}]", n ? ", " : "", elementOf(type), shape, n);
  }
  return text + ");\n}\n";
}

std::vector<std::vector<char>> randomArguments(func::FuncOp function) {
  CounterRandom random(7);
  std::vector<std::vector<char>> arguments;
  for (Type type : function.getArgumentTypes()) {
    int64_t count = isa<MemRefType>(type) ? cast<MemRefType>(type).getNumElements() : 1;
    std::string element = elementOf(type);
    std::vector<char> bytes;
    for (int64_t n = 0; n < count; ++n) {
      double d = 2 * random.uniform() - 1;
      auto f = float(d);
      auto i = int32_t(d * 100);
      const void *from = element == "double"  ? static_cast<void *>(&d)
                         : element == "float" ? static_cast<void *>(&f)
                                              : static_cast<void *>(&i);
      size_t width = element == "double" ? 8 : 4;
      bytes.insert(bytes.end(), static_cast<const char *>(from),
                   static_cast<const char *>(from) + width);
    }
    arguments.push_back(bytes);
  }
  return arguments;
}

/// Compiles the C++ of a kernel and runs it.
std::vector<std::vector<char>> runCpp(ModuleOp module, const std::string &stem) {
  auto function = module.lookupSymbol<func::FuncOp>("kernel");
  std::string path = testing::TempDir() + "/" + stem;
  std::string text = llvm::cantFail(printCode(module, CodeFormat::Cpp));
  llvm::cantFail(writeFile(path + ".cpp", text + callerOf(function)));
  std::string command = "c++ -std=c++17 -O0 -ffp-contract=off -fPIC -shared -o " + path + ".so " +
                        path + ".cpp 2> " + path + ".log";
  EXPECT_EQ(std::system(command.c_str()), 0) << llvm::cantFail(readFile(path + ".log")) << text;
  void *library = dlopen((path + ".so").c_str(), RTLD_NOW | RTLD_LOCAL);
  std::vector<std::vector<char>> arguments = randomArguments(function);
  EXPECT_TRUE(library) << dlerror();
  if (!library)
    return arguments;
  std::vector<void *> pointers;
  for (std::vector<char> &argument : arguments)
    pointers.push_back(argument.data());
  reinterpret_cast<void (*)(void **)>(dlsym(library, "call"))(pointers.data());
  return arguments;
}

/// Two programs through two routes: the pipelined one and the original, both as C++; that the
/// original is right by the JIT is tested beside the pipelining itself.
TEST(PrintCode, CompiledCppOfAPipelinedKernelComputesTheSame) {
  Target target = llvm::cantFail(readTarget("configs/targets/zynq-7020-100mhz.yaml"));
  for (uint64_t seed : {3, 8, 21, 34, 55}) {
    OwningOpRef<ModuleOp> before = parseKernel(randomKernel(seed));
    OwningOpRef<ModuleOp> after(before->clone());
    auto loops = pipelineLoops(after->lookupSymbol<func::FuncOp>("kernel"), target, {});
    ASSERT_TRUE(bool(loops));
    std::string number = std::to_string(seed); // a library of one name is loaded once
    EXPECT_EQ(runCpp(*before, "before" + number), runCpp(*after, "after" + number)) << seed;
  }
}

const char *kSum = R"(
  func.func @kernel(%a: memref<4x8xf64>, %s: f64) -> f64 {
    %r = affine.for %i = 0 to 4 iter_args(%acc = %s) -> (f64) {
      %x = affine.load %a[%i, 2 * %i + 1] : memref<4x8xf64>
      %t = arith.addf %acc, %x : f64
      affine.yield %t : f64
    } {hls.interval = 6 : i64}
    return %r : f64
  })";

TEST(PrintCode, FormatsAreThoseAskedFor) {
  OwningOpRef<ModuleOp> module = parseKernel(kSum);
  EXPECT_THAT(llvm::cantFail(printCode(*module, CodeFormat::Affine)), HasSubstr("affine.for"));
  EXPECT_THAT(llvm::cantFail(printCode(*module, CodeFormat::Llvm)),
              HasSubstr("define double @kernel("));
  std::string cpp = llvm::cantFail(printCode(*module, CodeFormat::Cpp));
  EXPECT_THAT(cpp, HasSubstr("extern \"C\" double kernel(double arg0[4][8], double arg1) {"));
  EXPECT_THAT(cpp, HasSubstr("#pragma HLS pipeline II=6"));
}

std::string refusal(const std::string &text) {
  OwningOpRef<ModuleOp> module = parseKernel(text);
  auto printed = printCode(*module, CodeFormat::Cpp);
  return printed ? "" : toText(printed.takeError());
}

TEST(PrintCode, WhatCppHasNotIsRefused) {
  EXPECT_THAT(refusal("func.func @kernel(%a: f16) {\n return\n}\n"),
              HasSubstr("the type of argument 0 has no counterpart in C++"));
  EXPECT_THAT(refusal("func.func @kernel(%a: f64) -> (f64, f64) {\n return %a, %a : f64, f64\n}\n"),
              HasSubstr("C++ cannot return 2 results, expected one at most"));
  EXPECT_THAT(refusal("func.func @kernel(%a: f64) -> f64 {\n %b = math.sin %a : f64\n"
                      " return %b : f64\n}\n"),
              HasSubstr("operation 'math.sin' is not written in C++"));
  EXPECT_THAT(refusal("func.func @kernel(%a: f64) {\n %b = arith.truncf %a : f64 to f16\n"
                      " return\n}\n"),
              HasSubstr("the type of 'arith.truncf' is not written in C++"));
  EXPECT_THAT(refusal("func.func @kernel() -> f16 {\n %b = arith.constant 1.0 : f16\n"
                      " return %b : f16\n}\n"),
              HasSubstr("the type of the result has no counterpart in C++"));
  EXPECT_THAT(refusal("module {\n}\n"), HasSubstr("no function to write in C++"));
}

} // namespace
