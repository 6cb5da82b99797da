#include "core/chip/PacketTrace.h"
#include "tests/fuzz/FuzzTarget.h"
#include "tests/fuzz/FuzzedFile.h"

#include <cstdlib>

namespace spindle {

void fuzzPackets(const uint8_t *data, size_t size) {
  FuzzedFile file(data, size, ".csv");
  const Mesh mesh{8, 8};
  llvm::Expected<PacketTrace> trace = readPacketTrace(file.path(), mesh);
  if (!trace)
    return llvm::consumeError(trace.takeError());
  uint64_t before = 0;
  for (const TracedPacket &packet : trace->packets) {
    bool isRight = packet.source < mesh.tiles() && !packet.targets.empty() &&
                   packet.targets.back() < mesh.tiles() && packet.flits > 0 &&
                   packet.madeCycle >= before;
    if (!isRight)
      std::abort();
    before = packet.madeCycle;
  }
  if (!trace->origins.empty() && trace->origins.size() != trace->packets.size())
    std::abort();
}

} // namespace spindle
