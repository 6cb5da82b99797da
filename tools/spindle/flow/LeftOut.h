// Stages that a run passes over, since the network does or does not fit on the chip at once.
#pragma once

#include "tools/spindle/flow/Stage.h"

namespace spindle {

/// Why the stage has nothing to do, in a line; empty where it works. With `partition.multiplex` a
/// network of more clusters than the chip has crossbars runs in loads: then the stages that take
/// all clusters at once are left out, and else the stage load is. The clusters are those in
/// `folder`; where there are none nothing is left out. Without the key, the stage load is named
/// where an earlier run has left its file.
llvm::Expected<std::string> whyLeftOut(const Stage &stage, const Flow &flow,
                                       const std::string &folder);

} // namespace spindle
