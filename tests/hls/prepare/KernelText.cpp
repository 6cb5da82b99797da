#include "tests/hls/prepare/KernelText.h"

#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;

namespace spindle::hls {

KernelText::KernelText(const std::string &text) {
  DialectRegistry registry;
  registerKernelDialects(registry);
  context = std::make_unique<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
  context->loadAllAvailableDialects();
  context->allowUnregisteredDialects(); // as the tool reads files
  module = parseSourceString<ModuleOp>(text, ParserConfig(context.get()), "kernel.mlir");
  EXPECT_TRUE(module) << text;
}

std::string preparedText(const std::string &text, const PrepareOptions &options) {
  KernelText kernel(text);
  llvm::Expected<func::FuncOp> top = prepare(*kernel.module, options);
  if (!top)
    return toText(top.takeError());
  std::string printed;
  llvm::raw_string_ostream(printed) << *kernel.module;
  return printed;
}

} // namespace spindle::hls
