// The bytes of the fuzzer as a file, for readers that take paths.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

namespace spindle {

/// A file in the memory file system, gone with the object.
class FuzzedFile {
public:
  FuzzedFile(const uint8_t *data, size_t size, const std::string &ending) : name(nameOf(ending)) {
    std::ofstream(name, std::ios::binary)
        .write(reinterpret_cast<const char *>(data), static_cast<std::streamsize>(size));
  }
  FuzzedFile(const FuzzedFile &) = delete;
  ~FuzzedFile() { unlink(name.c_str()); }

  static std::string nameOf(const std::string &ending) {
    return "/dev/shm/spindle-fuzz-" + std::to_string(getpid()) + ending;
  }
  const std::string &path() const { return name; }

private:
  std::string name;
};

/// A folder there, gone with the object and everything in it.
class FuzzedFolder {
public:
  explicit FuzzedFolder(const std::string &ending) : name(FuzzedFile::nameOf(ending)) {
    std::filesystem::create_directories(name);
  }
  FuzzedFolder(const FuzzedFolder &) = delete;
  ~FuzzedFolder() { std::filesystem::remove_all(name); }

  const std::string &path() const { return name; }

private:
  std::string name;
};

} // namespace spindle
