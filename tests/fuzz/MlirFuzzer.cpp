#include "lib/frontend/Import.h"
#include "tests/fuzz/FuzzTarget.h"
#include "tests/fuzz/FuzzedFile.h"

#include "mlir/IR/Diagnostics.h"

namespace spindle {

void fuzzMlir(const uint8_t *data, size_t size) {
  FuzzedFile file(data, size, ".mlir");
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  mlir::ScopedDiagnosticHandler quiet(&context, [](mlir::Diagnostic &) {}); // of warnings
  ModelOptions options;
  options.path = file.path();
  llvm::consumeError(importModel(context, options).takeError());
}

} // namespace spindle
