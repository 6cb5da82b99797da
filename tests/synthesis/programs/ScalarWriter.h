// Numbers of random programs: constants, conversions and operations of all types in mixture.
#pragma once

#include "tests/synthesis/programs/ProgramText.h"

namespace spindle::hls {

/// Of which types a program's numbers are.
enum class NumberKind { Integers, Floats, Any };

bool isFloatType(const std::string &type);
/// Of i1 to i64, index and floats.
unsigned bitsOfType(const std::string &type);

class ScalarWriter : public ProgramText {
protected:
  ScalarWriter(uint64_t seed, NumberKind numbers);

  std::string anyType() { return oneOf(palette); }
  std::string anyIntegerType();
  const Named &any(const Scope &scope) { return oneOf(scope); }
  Named constant(const std::string &type);
  Named number(int64_t value, const std::string &type);
  /// Converted in one of the ways that there are.
  Named cast(const Named &value, const std::string &type);
  Named anyOf(const Scope &scope, const std::string &type);
  Named condition(const Scope &scope);
  /// An index from 0 to `count` - 1 that data decide.
  Named indexBelow(const Scope &scope, int64_t count);
  /// A result of one operation, or of a few that belong together.
  Named computed(const Scope &scope);
  /// Into what a loop carries: the value before and a term.
  Named accumulated(const Named &before, const Scope &scope);

private:
  Named integerOperation(const Scope &scope, const Named &a);
  Named floatOperation(const Scope &scope, const Named &a);
  Named operation(const std::string &name, const Named &a, const Named &b);
  std::string integerConstant(unsigned width);

  std::vector<std::string> palette;
};

} // namespace spindle::hls
