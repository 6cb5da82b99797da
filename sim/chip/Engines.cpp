#include "sim/chip/Engines.h"

#include "sim/chip/pins/Chip.h"
#include "sim/chip/transactions/Chip.h"

#include "fmt/format.h"

/// The library of SystemC wants one, although nobody calls it: simulations begin in the tool.
extern "C" int sc_main(int, char **) { return 0; }

namespace spindle {

/// What the pins do not do.
static llvm::Error checkPins(const Chip &chip) {
  auto refuse = [&](const std::string &text) {
    return inputError(chip.path, text + "; use engine tlm or model");
  };
  if (!chip.mesh.isGrid())
    return refuse(fmt::format("engine pins has the pins of a mesh or torus, and router.topology is "
                              "{}",
                              chip.mesh.topologyName()));
  if (chip.mesh.columns > pins::kLongestSide || chip.mesh.rows > pins::kLongestSide)
    return refuse(fmt::format("engine pins simulates up to {0}x{0} tiles, and the mesh is {1}x{2}",
                              pins::kLongestSide, chip.mesh.columns, chip.mesh.rows));
  if (chip.router.multicast != Multicast::Unicast)
    return refuse(fmt::format("the routers of engine pins do not branch, and multicast is {}",
                              kMulticastNames[static_cast<size_t>(chip.router.multicast)]));
  if (chip.router.gating)
    return refuse("the routers of engine pins have no wires to wake each other, and router.gating "
                  "is there");
  if (chip.mesh.isJoined())
    return refuse("engine pins simulates one chip, and several are joined (chips)");
  if (chip.router.endCycles == 0)
    return refuse("engine pins has a register between tile and router, which takes a cycle, and "
                  "end_cycles is 0");
  return llvm::Error::success();
}

static llvm::Error checkFirst() {
  if (sc_core::sc_start_of_simulation_invoked() || !sc_core::sc_get_top_level_objects().empty())
    return inputError("", "a process simulates with SystemC once, and this one has; use engine "
                          "model, or another process");
  return llvm::Error::success();
}

llvm::Expected<std::unique_ptr<PacketNetwork>> makeNetwork(Engine engine, const Chip &chip) {
  if (engine == Engine::Model)
    return makeModel(chip.mesh, chip.router);
  if (engine == Engine::Pins)
    SPINDLE_RETURN_IF_ERROR(checkPins(chip));
  SPINDLE_RETURN_IF_ERROR(checkFirst());
  try {
    if (engine == Engine::Pins)
      return std::make_unique<pins::PinNetwork>(chip);
    return std::make_unique<transactions::TransactionNetwork>(chip);
  } catch (const sc_core::sc_report &report) {
    return checkError("SystemC", report.get_msg());
  }
}

} // namespace spindle
