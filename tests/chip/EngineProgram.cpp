// One packet over two tiles by the engine of this number; prints when its tail arrives.
#include "sim/chip/Engines.h"

#include <cstdio>
#include <cstdlib>

using namespace spindle;

int main(int argc, char **argv) {
  if (argc < 2)
    return 0;
  Chip chip;
  chip.mesh = {2, 1};
  auto network = llvm::cantFail(makeNetwork(static_cast<Engine>(std::atoi(argv[1])), chip));
  network->send(0, 1, 1, 7);
  network->drain();
  std::printf("%llu\n", static_cast<unsigned long long>(network->packets().front().tailCycle));
}
