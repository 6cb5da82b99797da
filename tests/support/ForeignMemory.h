// What a program under test allocates and never frees is no leak of ours.
#pragma once

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SPINDLE_LEAKS_ARE_LOOKED_FOR
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define SPINDLE_LEAKS_ARE_LOOKED_FOR
#endif

#ifdef SPINDLE_LEAKS_ARE_LOOKED_FOR
#include <sanitizer/lsan_interface.h>
#endif

namespace spindle {

/// The leak sanitizer, where one is built in, looks away while this lives.
class ForeignMemory {
public:
#ifdef SPINDLE_LEAKS_ARE_LOOKED_FOR
  ForeignMemory() { __lsan_disable(); }
  ~ForeignMemory() { __lsan_enable(); }
#else
  ForeignMemory() {}
#endif
  ForeignMemory(const ForeignMemory &) = delete;
  ForeignMemory &operator=(const ForeignMemory &) = delete;
};

} // namespace spindle
