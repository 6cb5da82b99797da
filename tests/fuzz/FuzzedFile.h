// The bytes of the fuzzer as a file, for readers that take paths.
#pragma once

#include <cstdint>
#include <fstream>
#include <string>
#include <unistd.h>

namespace spindle {

/// A file in the memory file system, gone with the object.
class FuzzedFile {
public:
  FuzzedFile(const uint8_t *data, size_t size, const std::string &ending)
      : name("/dev/shm/spindle-fuzz-" + std::to_string(getpid()) + ending) {
    std::ofstream(name, std::ios::binary)
        .write(reinterpret_cast<const char *>(data), static_cast<std::streamsize>(size));
  }
  FuzzedFile(const FuzzedFile &) = delete;
  ~FuzzedFile() { unlink(name.c_str()); }

  const std::string &path() const { return name; }

private:
  std::string name;
};

} // namespace spindle
