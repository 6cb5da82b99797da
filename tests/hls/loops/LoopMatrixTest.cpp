// Matrices of loop orders.
#include "core/support/CounterRandom.h"
#include "hw/hls/loops/analysis/NestOrder.h"

#include "gtest/gtest.h"

using namespace spindle;
using namespace spindle::hls;

namespace {

/// Rows added to others and exchanged: determinant 1 or -1.
LoopMatrix randomUnimodular(unsigned size, CounterRandom &random) {
  LoopMatrix matrix = identityMatrix(size);
  for (unsigned step = 0; step < 2 * size; ++step) {
    uint64_t from = random.below(size), to = random.below(size);
    if (from == to)
      continue;
    auto times = int64_t(random.below(4));
    if (times == 0)
      std::swap(matrix[from], matrix[to]);
    else
      for (unsigned column = 0; column < size; ++column)
        matrix[to][column] -= times * matrix[from][column];
  }
  return matrix;
}

/// Also of twelve loops, in no time: by minors that takes hours.
TEST(LoopMatrix, InversesUndoTheirMatrices) {
  CounterRandom random(1);
  for (unsigned size = 1; size <= 12; ++size)
    for (int run = 0; run < 20; ++run) {
      LoopMatrix matrix = randomUnimodular(size, random);
      EXPECT_EQ(matrix * inverseOf(matrix), identityMatrix(size));
      EXPECT_EQ(inverseOf(matrix) * matrix, identityMatrix(size));
    }
}

} // namespace
