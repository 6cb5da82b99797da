// Memory that the process can do without for now.
#pragma once

namespace spindle {

/// Gives back to the system what has been freed, and the pages of the program's code and constants:
/// those are read from its file again when they are next used. After a compiler that has done its
/// work that is most of a process. Pages stay where a debugger traces the process (its breakpoints
/// stand in them), and those of shared libraries. Takes about a millisecond.
void giveBackMemory();

} // namespace spindle
