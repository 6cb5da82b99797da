#include "sim/model/router/ClockedNetwork.h"

#include "sim/model/bus/SegmentedBus.h"
#include "sim/model/router/MeshNetwork.h"

namespace spindle {

std::unique_ptr<ClockedNetwork> makeModel(const Mesh &mesh, const Router &router) {
  if (mesh.isBus())
    return std::make_unique<SegmentedBus>(mesh, router);
  return std::make_unique<MeshNetwork>(mesh, router);
}

} // namespace spindle
