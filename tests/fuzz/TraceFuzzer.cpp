// The stage files in HDF5: what is read passes its verification.
#include "core/network/SpikeTrace.h"
#include "core/network/SpikingGraph.h"
#include "tests/fuzz/FuzzTarget.h"
#include "tests/fuzz/FuzzedFile.h"

namespace spindle {

template <typename Noun>
static void readAndVerify(const uint8_t *data, size_t size,
                          llvm::Expected<Noun> (*read)(const std::string &)) {
  FuzzedFile file(data, size, ".h5");
  if (llvm::Expected<Noun> noun = read(file.path()))
    llvm::cantFail(verify(*noun));
  else
    llvm::consumeError(noun.takeError());
  expectHdf5Closed();
}

void fuzzSpikes(const uint8_t *data, size_t size) { readAndVerify(data, size, readSpikeTrace); }
void fuzzGraph(const uint8_t *data, size_t size) { readAndVerify(data, size, readSpikingGraph); }

} // namespace spindle
