// A program for flows alone: half of the code, and half of the time to build it.
#include "tools/spindle/Commands.h"
#include "tools/spindle/stages/HybridChoice.h"
#include "tools/spindle/stages/TileCircuits.h"

namespace spindle {

void addHardwareCommands(CLI::App &, Command &) {}

static llvm::Error refuseCircuits() {
  return inputError("", "spindle-flow makes no circuits, expected the program spindle; or give "
                        "--until of an earlier stage");
}

llvm::Expected<std::string> runHardware(const StageRun &) { return refuseCircuits(); }

llvm::Error checkTarget(const Flow &) { return refuseCircuits(); }

llvm::Expected<Hybrid> chooseKinds(const StageRun &, mlir::ModuleOp, const Samples &,
                                   const FixedPointUse &, NetworkTrials &) {
  return inputError("",
                    "spindle-flow makes no circuits (hardware.as: auto measures them), expected "
                    "the program spindle");
}

llvm::Expected<std::unique_ptr<TileCircuits>> makeTileCircuits(const StageRun &,
                                                               const MappedNetwork &) {
  return inputError("", "spindle-flow runs no circuits (simulation.tiles), expected the program "
                        "spindle");
}

} // namespace spindle
