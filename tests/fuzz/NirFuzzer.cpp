#include "lib/frontend/nir/NirImport.h"
#include "tests/fuzz/FuzzedFile.h"

#include "hdf5.h"

#include <cstdlib>

using namespace spindle;

/// HDF5 1.10 forgets its buffer where the header of an object is damaged; what of ours stays open
/// is counted below.
extern "C" const char *__lsan_default_suppressions() { return "leak:libhdf5"; }

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  FuzzedFile file(data, size, ".nir");
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  ModelOptions options;
  options.path = file.path();
  if (auto module = importNir(context, options); !module)
    llvm::consumeError(module.takeError());
  if (H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_ALL) != 0)
    std::abort();
  return 0;
}
