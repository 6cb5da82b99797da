#include "lib/frontend/nir/NirImport.h"
#include "tests/fuzz/FuzzTarget.h"
#include "tests/fuzz/FuzzedFile.h"

namespace spindle {

void fuzzNir(const uint8_t *data, size_t size) {
  FuzzedFile file(data, size, ".nir");
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  ModelOptions options;
  options.path = file.path();
  if (auto module = importNir(context, options); !module)
    llvm::consumeError(module.takeError());
  expectHdf5Closed();
}

} // namespace spindle
