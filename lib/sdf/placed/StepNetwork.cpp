#include "lib/sdf/placed/StepNetwork.h"

#include "lib/sdf/placed/BusOfSteps.h"
#include "lib/sdf/placed/PacketMesh.h"

namespace spindle {

std::unique_ptr<StepNetwork> makeStepNetwork(const Chip &chip) {
  if (chip.mesh.isBus())
    return std::make_unique<BusOfSteps>(chip);
  return std::make_unique<PacketMesh>(chip);
}

} // namespace spindle
