// A disk that is full after so many bytes of a file, without one.
#pragma once

#include <csignal>
#include <cstddef>
#include <sys/resource.h>

namespace spindle {

/// Of this process, which a test gives up afterwards (EXPECT_EXIT): writing more fails with EFBIG.
inline void limitFileSize(size_t bytes) {
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit limit{bytes, bytes};
  setrlimit(RLIMIT_FSIZE, &limit);
}

} // namespace spindle
