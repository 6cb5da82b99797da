// The program for flows alone says before the first stage that it makes no circuits.
#include "tools/spindle/Commands.h"
#include "tools/spindle/flow/Flow.h"

#include <gmock/gmock.h>

namespace spindle {
namespace {

TEST(NoHardware, RefusesCircuits) {
  Flow flow;
  EXPECT_EQ(toText(checkTarget(flow)),
            "error: spindle-flow makes no circuits, expected the program spindle; or give --until "
            "of an earlier stage");
}

} // namespace
} // namespace spindle
