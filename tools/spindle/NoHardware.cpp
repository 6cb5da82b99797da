// A program for flows alone: half of the code, and half of the time to build it.
#include "tools/spindle/Commands.h"

namespace spindle {

void addHardwareCommands(CLI::App &, Command &) {}

} // namespace spindle
