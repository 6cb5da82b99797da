// Numbers of the command line that CLI11 lets pass: nan, and negative ones that wrap around.
#pragma once

#include "CLI/CLI.hpp"

namespace spindle {

/// A finite number from 0.
CLI::Validator secondsFromZero();

/// A whole number of 64 bits from 0.
CLI::Validator countFromZero();

} // namespace spindle
