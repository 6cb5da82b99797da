// Networks in YAML: what is read becomes a valid module. Numbers of more than five digits are left
// out, for a few of them may ask for all memory.
#include "lib/frontend/network/Description.h"
#include "lib/frontend/network/NetworkImport.h"
#include "tests/fuzz/FuzzTarget.h"
#include "tests/fuzz/FuzzedFile.h"

#include <cctype>
#include <string_view>

namespace spindle {

static bool hasLongNumber(std::string_view text) {
  int digits = 0;
  for (unsigned char c : text)
    if (digits = std::isxdigit(c) ? digits + 1 : 0; digits > 5 && std::isdigit(c))
      return true;
  return false;
}

/// Whether the network is made quickly.
static bool isSmall(const network::Description &description) {
  double size = 0;
  for (const network::Population &population : description.populations)
    size += double(population.size());
  for (const network::Projection &projection : description.projections)
    size += network::expectedSynapses(projection.rule, projection.ends);
  return size < 1e5;
}

void fuzzNetwork(const uint8_t *data, size_t size) {
  if (hasLongNumber({reinterpret_cast<const char *>(data), size}))
    return;
  FuzzedFile file(data, size, ".yaml");
  llvm::Expected<network::Description> description = network::readDescription(file.path(), {});
  if (!description) {
    llvm::consumeError(description.takeError());
    return;
  }
  if (!isSmall(*description))
    return;
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  mlir::ScopedDiagnosticHandler quiet(&context, [](mlir::Diagnostic &) {}); // of warnings
  ModelOptions options;
  options.path = file.path();
  auto module = importNetwork(context, options);
  if (module)
    return;
  llvm::Error error = module.takeError();
  if (kindOf(error) == ErrorKind::Check)
    __builtin_trap();
  llvm::consumeError(std::move(error));
}

} // namespace spindle
