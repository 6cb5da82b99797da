// A data-flow graph in the XML of SDF3, and its analysis: both ways to the period agree; or
// an architecture.
#include "core/chip/sdf/SdfArchitecture.h"
#include "lib/sdf/Analyze.h"
#include "tests/fuzz/FuzzTarget.h"
#include "tests/fuzz/FuzzedFile.h"

namespace spindle {

void fuzzSdf(const uint8_t *data, size_t size) {
  FuzzedFile file(data, size, ".xml");
  llvm::Expected<SdfGraph> graph = readSdfGraph(file.path());
  if (!graph) {
    llvm::consumeError(graph.takeError());
    return llvm::consumeError(readSdf3Architecture(file.path()).takeError());
  }
  SdfOptions options;
  options.maximumFirings = 1000;
  options.selfTimedFirings = 10000;
  llvm::Error error = analyze(*graph, options).takeError();
  if (error && kindOf(error) == ErrorKind::Check)
    __builtin_trap();
  llvm::consumeError(std::move(error));
}

} // namespace spindle
