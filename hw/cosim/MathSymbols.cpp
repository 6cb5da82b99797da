#include "hw/cosim/MathSymbols.h"

#include "fmt/format.h"

#include <cmath>
#include <cstdlib>
#include <memory>
#include <vector>

namespace spindle::hls {

namespace {

float expF32(float x) { return std::exp(x); }
double expF64(double x) { return std::exp(x); }
float powF32(float x, float y) { return std::pow(x, y); }
double powF64(double x, double y) { return std::pow(x, y); }

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

struct Symbol {
  std::string name;
  llvm::orc::ExecutorAddr address;
};

std::vector<Symbol> table() {
  auto at = [](auto *function) { return llvm::orc::ExecutorAddr::fromPtr(function); };
  return {
      {mathSymbol("exp", 32), at(&expF32)},          {mathSymbol("exp", 64), at(&expF64)},
      {mathSymbol("pow", 32), at(&powF32)},          {mathSymbol("pow", 64), at(&powF64)},
      {"_mlir_memref_to_llvm_alloc", at(&allocate)}, {"_mlir_memref_to_llvm_free", at(&release)}};
}

} // namespace

std::string mathSymbol(const std::string &operation, unsigned bits) {
  return fmt::format("spindle_{}_f{}", operation, bits);
}

void registerMathSymbols(mlir::ExecutionEngine &engine) {
  engine.registerSymbols([](llvm::orc::MangleAndInterner intern) {
    llvm::orc::SymbolMap symbols;
    for (const Symbol &symbol : table())
      symbols[intern(symbol.name)] = {symbol.address, llvm::JITSymbolFlags::Exported};
    return symbols;
  });
}

GoldenMemory::GoldenMemory() { blocks.clear(); }
GoldenMemory::~GoldenMemory() { blocks.clear(); }

} // namespace spindle::hls
