#include "hw/hls/dependence/Effort.h"

namespace spindle::hls {

static thread_local uint64_t effort = 0;

uint64_t dependenceEffort() { return effort; }
void addDependenceEffort(uint64_t accesses) { effort += accesses; }

} // namespace spindle::hls
