// Operands of exp and pow: special values, then those whose results lie within the range of the
// format, near its ends, and near 1.
#pragma once

#include "tests/rtl/FloatOperands.h"

#include <cmath>
#include <type_traits>

namespace spindle::rtl {

/// T is float or double.
template <class T> class ElementaryOperands {
public:
  explicit ElementaryOperands(uint64_t seed) : random(seed), specials(specialValues(format())) {
    for (T x : {T(2), T(3), T(10), T(0.5), T(1.5), T(0.75), T(1000), T(1023), T(709.75), T(-708.5),
                T(88.5), T(-103.75), T(-745), T(1) / 3})
      for (T each : {x, -x})
        specials.push_back(bitsOf(each));
  }
  static constexpr FloatFormat format() { return std::is_same_v<T, float> ? f32Format : f64Format; }
  const std::vector<uint64_t> &specialOperands() const { return specials; }

  uint64_t argument() {
    switch (random.below(4)) {
    case 0:
      return bits() & (format().signBit() * 2 - 1);
    case 1:
      return bitsOf(T(range() * (2 * uniform() - 1)));
    case 2: // results that are subnormal, or nothing, or hardly finite
      return bitsOf(T(random.below(2) ? -range() * (0.9 + 0.2 * uniform())
                                      : range() * (0.94 + 0.02 * uniform())));
    default:
      return bitsOf(T(std::ldexp(2 * uniform() - 1, -int(random.below(60)))));
    }
  }

  OperandPair pair() {
    T x = valueOf(bits() & (format().signBit() - 1));
    switch (random.below(6)) {
    case 0:
      return {bits() & (format().signBit() * 2 - 1), bits() & (format().signBit() * 2 - 1)};
    case 1: // close to 1
      x = T(1) +
          T(std::ldexp(2 * uniform() - 1, -int(random.below(uint32_t(format().fraction) + 2))));
      break;
    case 2: // subnormal
      x = valueOf((bits() & format().fractionMask()) >> random.below(uint32_t(format().fraction)));
      break;
    case 3: // integers, many exact
      return {bitsOf(T(int(random.below(2000)) - 1000)), bitsOf(T(int(random.below(100)) - 50))};
    case 4:
      return {bitsOf(T(4 * uniform())), bitsOf(T(40 * uniform() - 20))};
    default:
      break;
    }
    return {bitsOf(x), bitsOf(T(range() * (2 * uniform() - 1) / std::log(x)))};
  }

  static T valueOf(uint64_t number) {
    if constexpr (std::is_same_v<T, float>)
      return floatOf(number);
    else
      return doubleOf(number);
  }

private:
  static double range() { return std::is_same_v<T, float> ? 104 : 746; }
  uint64_t bits() { return uint64_t(random()) << 32 | random(); }
  double uniform() { return double(bits() >> 11) * 0x1p-53; }

  CounterRandom random;
  std::vector<uint64_t> specials;
};

} // namespace spindle::rtl
