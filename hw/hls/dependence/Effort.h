// How much work dependences have been: a measure of time that is the same on every machine.
#pragma once

#include <cstdint>

namespace spindle::hls {

/// Of this thread since it began, about 25 ns each: accesses executed, and those that a question
/// about integer points takes as long as, remembered answers included.
uint64_t dependenceEffort();
void addDependenceEffort(uint64_t accesses);

} // namespace spindle::hls
