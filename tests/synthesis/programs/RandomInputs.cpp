#include "tests/synthesis/programs/RandomInputs.h"

#include "core/support/CounterRandom.h"

#include <cmath>

namespace spindle::hls {

static double anyFloat(CounterRandom &random) {
  constexpr double special[] = {0, INFINITY, NAN, 65504, 65520, 0x1p-24, 0x1p-133, 3.4e38};
  double value = random.below(8) == 0
                     ? special[random.below(8)]
                     : std::ldexp(double(random()) - 0x1p31,
                                  int(random.below(4) ? random.below(8) : random.below(80)) - 34);
  return random.below(2) ? -value : value;
}

static uint64_t anyBits(CounterRandom &random) {
  uint64_t high = random(), low = random();
  auto number = int64_t(high << 32 | low);
  return uint64_t(number >> (random.below(2) ? random.below(64) : 0));
}

std::vector<KernelArray> randomInputs(const std::vector<GoldenType> &types, uint64_t seed) {
  CounterRandom random(seed, /*substream=*/0x696e7075);
  std::vector<KernelArray> arguments;
  for (const GoldenType &type : types) {
    KernelArray array = makeArray(type.type, type.shape);
    bool isSymbol = type.type.kind == ElementType::Kind::Index && !type.isArray;
    std::vector<double> floats(array.count());
    for (size_t element = 0; element < array.count(); ++element)
      if (type.type.isFloat())
        floats[element] = anyFloat(random);
      else if (isSymbol)
        array.set(element, uint64_t(int64_t(random.below(33)) - 8));
      else
        array.set(element, anyBits(random) & type.type.mask());
    arguments.push_back(type.type.isFloat() ? makeFloats(type.type, type.shape, floats)
                                            : std::move(array));
  }
  return arguments;
}

} // namespace spindle::hls
