// Kernels written as text: loops over rows in the func, scf, arith and llvm dialects, with names in
// place of what the shapes of a layer decide.
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <map>
#include <string>

namespace spindle::layers {

/// What stands for `$name` in the text of a kernel.
class Names {
public:
  Names &set(const std::string &name, std::string text) {
    texts[name] = std::move(text);
    return *this;
  }
  Names &set(const std::string &name, int64_t value) { return set(name, std::to_string(value)); }
  /// Replaces every `$name`; a name is letters and digits. Names without a text are a defect of
  /// ours.
  std::string fill(llvm::StringRef text) const;
  /// `text` for every `$k` below `count`, with commas between.
  std::string list(int64_t count, llvm::StringRef text) const;

  /// A loop over the places of a line, `together` of them from %x on: `$loop` is its body, and
  /// `$rest` what works the last ones behind it, %x being $full. `text` works as many as it is
  /// given.
  void setLine(const std::string &loop, int64_t together, int64_t rest,
               llvm::function_ref<std::string(int64_t)> text);

private:
  std::map<std::string, std::string> texts;
};

/// Sums side by side, which a loop carries as `%carried0`, …: addition i of sum k makes
/// `%sum<i · count + k>`.
struct CarriedSums {
  int64_t count;

  int64_t number(int64_t i, int64_t k) const { return i * count + k; }
  /// What addition i adds to.
  std::string before(int64_t i, int64_t k) const;
  /// All of them after so many additions.
  std::string after(int64_t additions) const;
  /// Two loops around the additions, the outer one from `%zeros` on: `$types`, `$outerArguments`,
  /// `$innerArguments`, `$innerResults` and `$outerResults`.
  void setLoops(Names &names, llvm::StringRef type, int64_t additions) const;
};

/// The `count` places that a shuffle takes.
std::string placesOf(int64_t count, llvm::function_ref<int64_t(int64_t)> place);

/// `to` is `from`, an i64, in a word of so many bits.
std::string asWord(const std::string &to, const std::string &from, int64_t bits);

} // namespace spindle::layers
