// Values as bytes between ranks: written and read by the same `pass` functions, in the same order.
#pragma once

#include <cstring>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace spindle::ranks {

using Bytes = std::vector<char>;

/// What an archive does with any value: plain ones are copied, containers element by element, and
/// structs by their function `pass(archive, value)`.
template <typename Archive> class Passing {
public:
  template <typename... Values> void operator()(Values &...values) { (each(values), ...); }

private:
  template <typename T> void each(T &value) {
    if constexpr (std::is_trivially_copyable_v<T>)
      self().raw(&value, sizeof(T));
    else
      pass(self(), value);
  }
  template <typename T> void each(std::optional<T> &value) {
    bool isThere = value.has_value();
    each(isThere);
    if (!isThere)
      value.reset();
    else if (!value)
      value.emplace();
    if (isThere)
      each(*value);
  }
  void each(std::string &text) { sequence(text); }
  template <typename T> void each(std::vector<T> &values) { sequence(values); }

  template <typename Sequence> void sequence(Sequence &values) {
    size_t size = values.size();
    each(size);
    values.resize(size);
    if constexpr (std::is_trivially_copyable_v<typename Sequence::value_type>)
      self().raw(values.data(), size * sizeof(typename Sequence::value_type));
    else
      for (auto &value : values)
        each(value);
  }
  Archive &self() { return static_cast<Archive &>(*this); }
};

class Writer : public Passing<Writer> {
public:
  Bytes bytes;

private:
  friend class Passing<Writer>;
  void raw(const void *from, size_t size) {
    auto first = static_cast<const char *>(from);
    bytes.insert(bytes.end(), first, first + size);
  }
};

/// Of bytes that a writer made; they are ours, so their size is trusted.
class Reader : public Passing<Reader> {
public:
  explicit Reader(const Bytes &message) : at(message.data()) {}

private:
  friend class Passing<Reader>;
  void raw(void *to, size_t size) {
    if (size > 0)
      std::memcpy(to, at, size);
    at += size;
  }
  const char *at;
};

} // namespace spindle::ranks
