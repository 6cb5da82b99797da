// The text of a program as a random writer makes it, line by line.
#pragma once

#include "core/support/CounterRandom.h"

#include "fmt/format.h"

#include <string>
#include <utility>
#include <vector>

namespace spindle::hls {

/// A value of the program: `%v3`, `i32`.
struct Named {
  std::string name, type;
};
using Scope = std::vector<Named>;

class ProgramText {
protected:
  explicit ProgramText(uint64_t seed) : random(seed, /*substream=*/0x70726f67) {}

  unsigned below(unsigned n) { return unsigned(random.below(n)); }
  bool chance(unsigned in) { return below(in) == 0; }
  template <typename List> const auto &oneOf(const List &list) {
    return list[below(unsigned(std::size(list)))];
  }
  int64_t between(int64_t least, int64_t most) {
    return least + int64_t(below(unsigned(most - least + 1)));
  }
  uint64_t word() {
    uint64_t high = random();
    return high << 32 | random();
  }

  void line(const std::string &content) { text += std::string(2 * indent, ' ') + content + "\n"; }
  void open(const std::string &head) {
    line(head + " {");
    ++indent;
  }
  /// `} else {` and the like.
  void reopen(const std::string &middle) {
    --indent;
    line(middle);
    ++indent;
  }
  void close(const std::string &tail = "") {
    --indent;
    line("}" + tail);
  }
  std::string fresh() { return fmt::format("%v{}", next++); }
  Named let(const std::string &type, const std::string &operation) {
    Named made{fresh(), type};
    line(made.name + " = " + operation);
    return made;
  }
  /// Before an operation: `%a, %b = `, nothing without results.
  static std::string defining(const Scope &results) {
    return results.empty() ? "" : namesOf(results) + " = ";
  }
  static std::string namesOf(const Scope &values) {
    std::string joined;
    for (const Named &value : values)
      joined += (joined.empty() ? "" : ", ") + value.name;
    return joined;
  }
  static std::string typesOf(const Scope &values) {
    std::string joined;
    for (const Named &value : values)
      joined += (joined.empty() ? "" : ", ") + value.type;
    return joined;
  }
  /// `%a: i32, %b: f32`
  static std::string declared(const Scope &values) {
    std::string joined;
    for (const Named &value : values)
      joined += fmt::format("{}{}: {}", joined.empty() ? "" : ", ", value.name, value.type);
    return joined;
  }
  /// A terminator with operands, or without.
  void end(const std::string &name, const Scope &values) {
    line(values.empty() ? name : fmt::format("{} {} : {}", name, namesOf(values), typesOf(values)));
  }

  CounterRandom random;
  std::string text;
  unsigned next = 0, indent = 1;
};

} // namespace spindle::hls
