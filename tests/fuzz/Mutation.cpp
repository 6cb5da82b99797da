#include "tests/fuzz/Mutation.h"

#include <algorithm>
#include <cstring>
#include <iterator>

namespace spindle {

namespace {

/// At the edges of types, and what is no number at all.
constexpr const char *kNumbers[] = {"0",
                                    "-1",
                                    "1",
                                    "2",
                                    "255",
                                    "256",
                                    "65536",
                                    "2147483647",
                                    "2147483648",
                                    "1.5",
                                    "-0",
                                    "nan",
                                    ".inf",
                                    "1e999",
                                    "1e30",
                                    "4294967295",
                                    "4294967296",
                                    "1e-320",
                                    "[]",
                                    "null",
                                    "true",
                                    "\"x\"",
                                    "\"\xff\"",
                                    "{}",
                                    "9223372036854775808",
                                    "18446744073709551615",
                                    "18446744073709551616",
                                    "-9223372036854775809",
                                    "9007199254740993"};

struct Mutator {
  std::string &bytes;
  const std::string &other;
  CounterRandom &random;

  size_t place(size_t size) { return random.below(static_cast<uint32_t>(size)); }
  size_t length(size_t most) {
    return std::min<size_t>(1 + random.below(random.below(4) == 0 ? 200 : 12), most);
  }

  void flipBit() { bytes[place(bytes.size())] ^= static_cast<char>(1 << random.below(8)); }
  void setByte() {
    constexpr char edges[] = {0, 1, 0x20, 0x7f, '\x80', '\xff', '[', '{', '"', '\n', ',', '-'};
    bytes[place(bytes.size())] = edges[random.below(std::size(edges))];
  }
  void setInteger() {
    constexpr uint64_t edges[] = {0,          1,          0x7f,       0xff,
                                  0xffff,     0x10000,    0x7fffffff, 0x80000000,
                                  0xffffffff, UINT64_MAX, 1ull << 40, 1ull << 63};
    uint64_t value = edges[random.below(std::size(edges))];
    size_t at = place(bytes.size()), width = std::min<size_t>(1u << random.below(4), 8);
    std::memcpy(&bytes[at], &value, std::min(width, bytes.size() - at));
  }
  void cutEnd() { bytes.resize(place(bytes.size())); }
  void cutOut() {
    size_t at = place(bytes.size());
    bytes.erase(at, length(bytes.size() - at));
  }
  void doubleRange() {
    size_t at = place(bytes.size());
    bytes.insert(place(bytes.size()), bytes.substr(at, length(bytes.size() - at)));
  }
  void splice() {
    if (other.empty())
      return;
    size_t at = place(other.size());
    bytes.insert(place(bytes.size()), other.substr(at, length(other.size() - at)));
  }
  void setNumber() {
    constexpr const char *digits = "0123456789";
    size_t first = bytes.find_first_of(digits, place(bytes.size()));
    if (first == std::string::npos)
      return;
    size_t end = std::min(bytes.find_first_not_of("0123456789.e", first), bytes.size());
    bytes.replace(first, end - first, kNumbers[random.below(std::size(kNumbers))]);
  }
};

} // namespace

std::string mutated(std::string bytes, const std::string &other, CounterRandom &random) {
  constexpr void (Mutator::*changes[])() = {
      &Mutator::flipBit,     &Mutator::setByte, &Mutator::setInteger, &Mutator::cutEnd,
      &Mutator::cutOut,      &Mutator::splice,  &Mutator::setNumber,  &Mutator::setNumber,
      &Mutator::doubleRange, &Mutator::flipBit};
  Mutator mutator{bytes, other, random};
  for (uint32_t left = 1 + random.below(4); left > 0 && !bytes.empty(); --left)
    (mutator.*changes[random.below(std::size(changes))])();
  return bytes;
}

} // namespace spindle
