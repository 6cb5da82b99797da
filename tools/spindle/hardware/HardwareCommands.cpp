#include "tools/spindle/hardware/HardwareCommands.h"

namespace spindle {

void addHardwareCommands(CLI::App &app, Command &command) {
  addSynthCommand(app, command);
  addPipelineCommand(app, command);
  addScheduleCommand(app, command);
  addCosimCommand(app, command);
  addAreaCommand(app, command);
}

} // namespace spindle
