// Numbers of a network file: one for all, one each, or drawn. Times are in ms there, in steps here.
#pragma once

#include "core/support/CounterRandom.h"
#include "core/support/formats/Yaml.h"

#include "llvm/ADT/StringRef.h"

#include <optional>

namespace spindle::network {

/// What a file says of a quantity that many neurons or synapses have.
struct Values {
  enum class Kind { Listed, Uniform, Normal };
  Kind kind = Kind::Listed;
  std::vector<double> numbers; // listed: these; uniform: from, to; normal: mean, standard deviation
  std::vector<int64_t> shape = {}; // of an array in C order that they come from

  bool isOne() const { return kind == Kind::Listed && numbers.size() == 1; }
};

/// Reads a number, a list, `{uniform: [from, to]}`, `{normal: [mean, deviation]}` or `{npz: FILE,
/// array: NAME}`, which is looked for beside `file`. False where the key is absent or wrong.
bool readValues(YamlReader &reader, const std::string &key, const std::string &file,
                Values &values);

/// Reads a list, or an array of NumPy; whole numbers where `values` are integers.
void readList(YamlReader &reader, const std::string &key, const std::string &file,
              std::vector<double> &values);
void readList(YamlReader &reader, const std::string &key, const std::string &file,
              std::vector<int64_t> &values);

/// The key of the random numbers of the thing called `name`.
uint64_t keyOf(uint64_t seed, llvm::StringRef name);

/// Random numbers of the thing called `name` and its part `item`. They depend on nothing else, so
/// that what a file says of one thing changes no other, and parts can be made in any order.
CounterRandom randomOf(uint64_t seed, llvm::StringRef name, uint32_t item);

/// One number of a distribution.
double draw(const Values &values, CounterRandom &random);

/// Listed numbers as they are, or `count` drawn ones.
std::vector<double> numbersOf(const Values &values, size_t count, uint64_t seed,
                              const std::string &name);

/// A time as a whole number of steps, unless it is none.
std::optional<int64_t> wholeSteps(double ms, double dtMs);

/// Reads a time that must be a whole number of steps, and at least `least` of them.
void readSteps(YamlReader &reader, const std::string &key, double dtMs, int64_t least,
               int64_t &steps);

} // namespace spindle::network
