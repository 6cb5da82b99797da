// The same results with the vectors of older processors.
#pragma once

#include "gtest/gtest.h"

#include <cstdlib>
#include <functional>

namespace spindle::test {

/// Does `work`, which compiles kernels, for this processor, then for two older ones of its kind
/// (SPINDLE_CPU, engine/HostTarget.h), so that what it is compared with is computed once. Where
/// the environment names a processor, for that one only.
inline void onEveryProcessor(const std::function<void()> &work) {
  work();
#if defined(__x86_64__)
  if (std::getenv("SPINDLE_CPU"))
    return;
  for (const char *older : {"x86-64-v3", "x86-64"}) {
    SCOPED_TRACE(older);
    setenv("SPINDLE_CPU", older, /*overwrite=*/1);
    work();
    unsetenv("SPINDLE_CPU");
  }
#endif
}

} // namespace spindle::test
