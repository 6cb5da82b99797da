// The same results with the vectors of older processors.
#pragma once

#include "gtest/gtest.h"

#include <cstdint>
#include <cstdlib>
#include <functional>
#include <initializer_list>

namespace spindle::test {

/// Does `work`, which compiles kernels, for this processor, then for older ones of its kind
/// (SPINDLE_CPU, engine/HostTarget.h), so that what it is compared with is computed once. Where
/// the environment names a processor, for that one only.
inline void onProcessors(std::initializer_list<const char *> olderOnes,
                         const std::function<void()> &work) {
  work();
#if defined(__x86_64__)
  if (std::getenv("SPINDLE_CPU"))
    return;
  for (const char *older : olderOnes) {
    SCOPED_TRACE(older);
    setenv("SPINDLE_CPU", older, /*overwrite=*/1);
    work();
    unsetenv("SPINDLE_CPU");
  }
#else
  (void)olderOnes;
#endif
}

inline void onEveryProcessor(const std::function<void()> &work) {
  onProcessors({"x86-64-v3", "x86-64"}, work);
}

/// Of many networks: the older processors in turn.
inline void onTwoProcessors(uint64_t network, const std::function<void()> &work) {
  onProcessors({network % 2 == 0 ? "x86-64-v3" : "x86-64"}, work);
}

} // namespace spindle::test
