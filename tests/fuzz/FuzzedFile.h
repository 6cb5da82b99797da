// The bytes of the fuzzer as a file, for readers that take paths.
#pragma once

#include <cstdint>
#include <fcntl.h>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

namespace spindle {

/// A file in memory, gone with the object.
class FuzzedFile {
public:
  FuzzedFile(const uint8_t *data, size_t size, std::string ending)
      : file(memfd_create("fuzzed", 0)),
        link("/dev/shm/spindle-fuzz-" + std::to_string(getpid()) + std::move(ending)) {
    for (size_t done = 0; done < size;) {
      ssize_t count = write(file, data + done, size - done);
      if (count <= 0)
        break;
      done += static_cast<size_t>(count);
    }
    unlink(link.c_str());
    if (symlink(("/proc/self/fd/" + std::to_string(file)).c_str(), link.c_str()) != 0)
      link.clear();
  }
  FuzzedFile(const FuzzedFile &) = delete;
  ~FuzzedFile() {
    unlink(link.c_str());
    close(file);
  }

  const std::string &path() const { return link; }

private:
  int file;
  std::string link;
};

} // namespace spindle
