// A program for flows alone: half of the code, and half of the time to build it.
#include "tools/spindle/Commands.h"

namespace spindle {

void addHardwareCommands(CLI::App &, Command &) {}

static llvm::Error refuseCircuits() {
  return inputError("", "spindle-flow makes no circuits, expected the program spindle; or give "
                        "--until of an earlier stage");
}

llvm::Expected<std::string> runHardware(const StageRun &) { return refuseCircuits(); }

llvm::Error checkTarget(const Flow &) { return refuseCircuits(); }

} // namespace spindle
