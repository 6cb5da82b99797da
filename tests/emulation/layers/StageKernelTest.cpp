// What kernels are written with, against the same in C++: numbers, loops and lanes.
#include "lib/emulation/layers/KernelCache.h"
#include "lib/emulation/layers/PlanBuilder.h"
#include "tests/emulation/layers/Processors.h"

#include "gmock/gmock.h"

#include <bit>
#include <cmath>
#include <random>

using namespace spindle;
using namespace spindle::layers;
using lanes::kLanes;

namespace {

/// A kernel of rows that is written, compiled and called once.
struct WrittenKernel {
  mlir::MLIRContext context;
  PlanBuilder b{context};
  StageKernel k{b, Work::Rows};
  std::vector<void *> memory;

  template <typename T> Array array(std::vector<T> &values) {
    memory.push_back(values.data());
    size_t buffer = b.addBuffer(Unit::Row, values.size() * sizeof(T));
    return k.array(buffer, std::is_floating_point_v<T> ? k.f32() : k.integer(8 * sizeof(T)));
  }
  llvm::Expected<std::shared_ptr<CompiledKernels>> compile() {
    b.addStage(std::move(k));
    return compileKernels(*b.plan.module);
  }
  void run(int64_t rows = 1) {
    auto kernels = llvm::cantFail(compile());
    std::vector<void *> arguments;
    for (void *&each : memory)
      arguments.push_back(&each);
    arguments.push_back(&rows);
    kernels->find("kernel0")(arguments.data());
  }
};

template <typename T> using Operator = T (*)(T, T);
template <typename T> struct WrittenOperator {
  Number (*written)(Number, Number);
  Operator<T> expected;
};

/// Sixteen pairs, some equal, alone and as vectors.
template <typename T>
void expectOperators(const std::vector<WrittenOperator<T>> &cases, std::vector<T> x,
                     std::vector<T> y) {
  std::vector<T> found(2 * kLanes);
  for (const WrittenOperator<T> &each : cases) {
    WrittenKernel f;
    Array a = f.array(x), b = f.array(y), c = f.array(found);
    f.k.loop(kLanes, [&](Number i) { (c + i).store(each.written(a[i], b[i])); });
    (c + kLanes).store(each.written(a.vector(), b.vector()));
    f.run();
    for (size_t n = 0; n < size_t(kLanes); ++n) {
      EXPECT_EQ(found[n], each.expected(x[n], y[n])) << &each - cases.data() << ", lane " << n;
      EXPECT_EQ(found[n + kLanes], found[n]) << &each - cases.data() << ", lane " << n;
    }
  }
}

Number oneWhere(Number condition, Number like) {
  return select(condition, like.like(1), like.like(0));
}

TEST(StageKernel, OperatorsOfIntegersAreThoseOfTheProcessor) {
  using T = uint32_t;
  std::mt19937 random(1);
  std::vector<T> x, y;
  for (int64_t n = 0; n < kLanes; ++n) {
    x.push_back(random());
    y.push_back(n % 3 == 0 ? x.back() : random() >> (random() % 32) | 1);
  }
  expectOperators<T>(
      {{[](Number a, Number b) { return a + b; }, [](T a, T b) { return a + b; }},
       {[](Number a, Number b) { return a - b; }, [](T a, T b) { return a - b; }},
       {[](Number a, Number b) { return a * b; }, [](T a, T b) { return a * b; }},
       {[](Number a, Number b) { return a / b; }, [](T a, T b) { return a / b; }},
       {[](Number a, Number b) { return a % b; }, [](T a, T b) { return a % b; }},
       {[](Number a, Number b) { return a & b; }, [](T a, T b) { return a & b; }},
       {[](Number a, Number b) { return a | b; }, [](T a, T b) { return a | b; }},
       {[](Number a, Number b) { return a ^ b; }, [](T a, T b) { return a ^ b; }},
       {[](Number a, Number b) { return a << (b & 31); }, [](T a, T b) { return a << (b & 31); }},
       {[](Number a, Number b) { return a >> (b & 31); }, [](T a, T b) { return a >> (b & 31); }},
       {[](Number a, Number) { return a.signedShift(5); },
        [](T a, T) { return T(int32_t(a) >> 5); }},
       {[](Number a, Number b) { return least(a, b); }, [](T a, T b) { return std::min(a, b); }},
       {[](Number a, Number b) { return oneWhere(a < b, a); },
        [](T a, T b) { return T(int32_t(a) < int32_t(b)); }},
       {[](Number a, Number b) { return oneWhere(a > b, a); },
        [](T a, T b) { return T(int32_t(a) > int32_t(b)); }},
       {[](Number a, Number b) { return oneWhere(a == b, a); }, [](T a, T b) { return T(a == b); }},
       {[](Number a, Number b) { return oneWhere(a != b, a); }, [](T a, T b) { return T(a != b); }},
       {[](Number a, Number) { return a.resized(8).resized(32); },
        [](T a, T) { return T(uint8_t(a)); }},
       {[](Number a, Number) { return a.resized(8).signExtended(32); },
        [](T a, T) { return T(int8_t(a)); }},
       {[](Number a, Number) {
          Number real = a.toFloat();
          return real.as(a.type());
        },
        [](T a, T) { return std::bit_cast<T>(float(int32_t(a))); }},
       {[](Number a, Number) { return a * 3 - 1; }, [](T a, T) { return a * 3 - 1; }}},
      x, y);
}

TEST(StageKernel, OperatorsOfFloatsRoundLikeTheProcessor) {
  using T = float;
  std::mt19937 random(2);
  std::normal_distribution<float> normal;
  std::vector<T> x, y;
  for (int64_t n = 0; n < kLanes; ++n) {
    x.push_back(normal(random));
    y.push_back(n % 3 == 0 ? x.back() : normal(random));
  }
  expectOperators<T>(
      {{[](Number a, Number b) { return a + b; }, [](T a, T b) { return a + b; }},
       {[](Number a, Number b) { return a - b; }, [](T a, T b) { return a - b; }},
       {[](Number a, Number b) { return a * b; }, [](T a, T b) { return a * b; }},
       {[](Number a, Number b) { return a / b; }, [](T a, T b) { return a / b; }},
       {[](Number a, Number b) { return a * b + a; }, // never fused
        [](T a, T b) {
          volatile T product = a * b;
          return product + a;
        }},
       {[](Number a, Number b) { return oneWhere(a < b, a); }, [](T a, T b) { return T(a < b); }},
       {[](Number a, Number b) { return oneWhere(a > b, a); }, [](T a, T b) { return T(a > b); }},
       {[](Number a, Number b) { return oneWhere(a == b, a); }, [](T a, T b) { return T(a == b); }},
       {[](Number a, Number b) { return oneWhere(a != b, a); }, [](T a, T b) { return T(a != b); }},
       {[](Number a, Number) { return a * 0.3; }, [](T a, T) { return a * 0.3f; }}},
      x, y);
}

TEST(StageKernel, BlocksHoldEachPlaceOnce) {
  std::mt19937 random(3);
  for (int round = 0; round < 8; ++round) {
    auto extent = int64_t(random() % 40), size = int64_t(random() % 9 + 1);
    std::vector<int32_t> visits(64), expected(64);
    std::fill_n(expected.begin(), extent, 1);
    WrittenKernel f;
    Array places = f.array(visits);
    f.k.forBlocks(extent, size, [&](Number first, int64_t count) {
      EXPECT_LE(count, size);
      for (int64_t n = 0; n < count; ++n) {
        Array place = places + first + n;
        place.store(place.load() + 1);
      }
    });
    f.run();
    EXPECT_EQ(visits, expected) << extent << " in blocks of " << size;
  }
}

TEST(StageKernel, LoopsCarrySumsOverTheirRange) {
  std::mt19937 random(4);
  for (int round = 0; round < 8; ++round) {
    std::vector<int64_t> range{int64_t(random() % 20), int64_t(random() % 50)}, found(2);
    int64_t step = random() % 4 + 1, rows = random() % 5, sum = 0;
    uint64_t product = 1; // it wraps
    for (int64_t r = 0; r < rows; ++r)
      for (int64_t n = range[0]; n < range[1]; n += step) {
        sum += n;
        product = product * 3 + uint64_t(n);
      }
    WrittenKernel f;
    Array bounds = f.array(range), results = f.array(found);
    Number begin = bounds.load(), end = bounds[1];
    Numbers sums = f.k.reduce(
        f.k.rowCount(), Numbers{f.k.number(0), f.k.number(1)}, [&](Number, Numbers outer) {
          return f.k.reduce({begin, end, step}, outer, [](Number n, Numbers inner) {
            return Numbers{inner[0] + n, inner[1] * 3 + n};
          });
        });
    results.store(sums[0]);
    (results + 1).store(sums[1]);
    f.run(rows);
    EXPECT_EQ(found, (std::vector<int64_t>{sum, int64_t(product)}));
  }
}

TEST(StageKernel, LanesArePackedPickedAndCounted) {
  std::mt19937 random(5);
  std::vector<float> values;
  for (int64_t n = 0; n < kLanes; ++n)
    values.push_back(random() % 2 ? 0.0f : float(random() % 100) - 50);
  std::vector<int32_t> order(kLanes);
  for (int32_t &each : order)
    each = int32_t(random() % kLanes);
  for (int64_t inside : {0, 5, 16, 40}) {
    std::vector<float> packed, picked;
    for (int64_t n = 0; n < kLanes; ++n) {
      picked.push_back(values[size_t(order[size_t(n)])]);
      if (n < inside && values[size_t(n)] != 0)
        packed.push_back(values[size_t(n)]);
    }
    auto found = int64_t(packed.size());
    packed.resize(kLanes);
    std::vector<float> stored(kLanes, 7);
    for (int64_t n = 0; n < std::min(inside, kLanes); ++n)
      stored[size_t(n)] = values[size_t(n)];
    test::onEveryProcessor([&] {
      std::vector<float> packedNow(kLanes), gathered(kLanes), shuffled(kLanes),
          storedNow(kLanes, 7);
      std::vector<int64_t> counts{inside, 0};
      WrittenKernel f;
      Array in = f.array(values), places = f.array(order), count = f.array(counts),
            packs = f.array(packedNow), gathers = f.array(gathered), shuffles = f.array(shuffled),
            stores = f.array(storedNow);
      Number all = in.vector(), first = lanesBefore(count.load()), some = (all != 0) & first;
      packs.store(all.compressed(some));
      (count + 1).store(some.ones());
      gathers.store(in.gather(places.vector()));
      shuffles.store(all.shuffled(kLanes, [&](int64_t lane) { return order[size_t(lane)]; }));
      stores.store(all, first);
      f.run();
      EXPECT_EQ(packedNow, packed);
      EXPECT_EQ(counts[1], found);
      EXPECT_EQ(gathered, picked);
      EXPECT_EQ(shuffled, picked);
      EXPECT_EQ(storedNow, stored);
    });
  }
}

/// A mistake in a kernel is an error of the call, not the end of the program.
TEST(StageKernel, MistakesAreErrors) {
  WrittenKernel f;
  std::vector<int64_t> memory(1);
  Array to = f.array(memory);
  to.store(f.k.number(1) + Number(f.k, f.k.integer(32), int64_t(1)));
  auto kernels = f.compile();
  ASSERT_FALSE(bool(kernels));
  EXPECT_THAT(
      llvm::toString(kernels.takeError()),
      ::testing::HasSubstr("emulation kernels: error: the verifier refuses them: 'arith.addi' op "
                           "requires the same type for all operands and results"));
}

} // namespace
