#include "hw/program/MathSymbols.h"

#include "hw/program/GoldenStreams.h"
#include "hw/program/WatchAccesses.h"
#include "hw/program/WatchIterations.h"
#include "hw/program/meaning/DefineHalves.h"
#include "hw/rtl/model/BaseTwo.h"
#include "hw/rtl/model/Erf.h"
#include "hw/rtl/model/Exp.h"
#include "hw/rtl/model/Log.h"
#include "hw/rtl/model/Pow.h"
#include "hw/rtl/model/Sine.h"
#include "hw/rtl/model/Tanh.h"

#include "fmt/format.h"
#include "llvm/ADT/STLExtras.h"

#include <cstdlib>
#include <memory>
#include <vector>

namespace spindle::hls {

namespace {

struct FreeMemory {
  void operator()(void *memory) const { std::free(memory); }
};
using Blocks = std::vector<std::unique_ptr<void, FreeMemory>>;

/// Compiled code has no argument of ours through which it could say whose memory it wants.
thread_local Blocks blocks;

void *allocate(size_t bytes) {
  return blocks.emplace_back(std::calloc(bytes ? bytes : 1, 1)).get();
}
void release(void *) {} // with the run

template <typename Function> void *at(Function *function) {
  return reinterpret_cast<void *>(function);
}

} // namespace

std::vector<jit::Callee> mathCallees() {
  std::vector<jit::Callee> callees = streamCallees();
  const jit::Callee own[] = {{mathSymbol("exp", 32), at<float(float)>(unitExp)},
                             {mathSymbol("exp", 64), at<double(double)>(unitExp)},
                             {mathSymbol("pow", 32), at<float(float, float)>(unitPow)},
                             {mathSymbol("pow", 64), at<double(double, double)>(unitPow)},
                             {mathSymbol("log", 32), at<float(float)>(unitLog)},
                             {mathSymbol("log", 64), at<double(double)>(unitLog)},
                             {mathSymbol("exp2", 32), at<float(float)>(unitExp2)},
                             {mathSymbol("exp2", 64), at<double(double)>(unitExp2)},
                             {mathSymbol("log2", 32), at<float(float)>(unitLog2)},
                             {mathSymbol("log2", 64), at<double(double)>(unitLog2)},
                             {mathSymbol("sin", 32), at<float(float)>(unitSin)},
                             {mathSymbol("sin", 64), at<double(double)>(unitSin)},
                             {mathSymbol("cos", 32), at<float(float)>(unitCos)},
                             {mathSymbol("cos", 64), at<double(double)>(unitCos)},
                             {mathSymbol("tanh", 32), at<float(float)>(unitTanh)},
                             {mathSymbol("tanh", 64), at<double(double)>(unitTanh)},
                             {mathSymbol("erf", 32), at<float(float)>(unitErf)},
                             {mathSymbol("erf", 64), at<double(double)>(unitErf)},
                             {"_mlir_memref_to_llvm_alloc", at(allocate)},
                             {"_mlir_memref_to_llvm_free", at(release)},
                             {kOutsideSymbol, at(reportOutside)}};
  callees.insert(callees.end(), std::begin(own), std::end(own));
  llvm::append_range(callees, iterationCallees());
  llvm::append_range(callees, halfCallees());
  return callees;
}

std::string mathSymbol(const std::string &operation, unsigned bits) {
  return fmt::format("spindle_{}_f{}", operation, bits);
}

/// As upstream's convert-math-to-libm names them; floats have an f after.
static constexpr const char *libraryFunctions[] = {
    "acos", "acosh", "asin",  "asinh", "atan", "atan2", "atanh", "cbrt",      "ceil",
    "cos",  "cosh",  "erf",   "erfc",  "exp",  "exp2",  "expm1", "floor",     "fma",
    "fmod", "log",   "log10", "log1p", "log2", "pow",   "round", "roundeven", "rsqrt",
    "sin",  "sinh",  "sqrt",  "tan",   "tanh", "trunc"};

bool isMathSymbol(const std::string &name) {
  for (const jit::Callee &callee : mathCallees())
    if (callee.name == name)
      return true;
  for (const char *function : libraryFunctions)
    if (name == function || name == std::string(function) + "f")
      return true;
  return false;
}

GoldenMemory::GoldenMemory() { blocks.clear(); }
GoldenMemory::~GoldenMemory() { blocks.clear(); }

} // namespace spindle::hls
