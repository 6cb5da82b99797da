// How a library tells what it has done so far.
#pragma once

#include <cstdint>
#include <functional>

namespace spindle {

/// Called now and then with what is done and all there is, from one thread at a time. May be empty.
using Progress = std::function<void(uint64_t done, uint64_t all)>;

} // namespace spindle
