// Bytes that start on a cache line, zero at first.
#pragma once

#include <cstring>
#include <memory>
#include <new>
#include <utility>

namespace spindle::layers {

class AlignedBytes {
public:
  AlignedBytes() = default;
  explicit AlignedBytes(size_t count)
      : memory(static_cast<char *>(::operator new(count, std::align_val_t(64)))), bytes(count) {
    std::memset(memory.get(), 0, count);
  }
  AlignedBytes(AlignedBytes &&other) noexcept
      : memory(std::move(other.memory)), bytes(std::exchange(other.bytes, 0)) {}
  AlignedBytes &operator=(AlignedBytes &&other) noexcept {
    memory = std::move(other.memory);
    bytes = std::exchange(other.bytes, 0);
    return *this;
  }

  char *data() const { return memory.get(); }
  size_t size() const { return bytes; }

private:
  struct Free {
    void operator()(char *start) const { ::operator delete(start, std::align_val_t(64)); }
  };
  std::unique_ptr<char, Free> memory;
  size_t bytes = 0;
};

} // namespace spindle::layers
