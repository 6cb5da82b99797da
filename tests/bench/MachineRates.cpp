#include "tests/bench/MachineRates.h"

#include "fmt/format.h"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <thread>
#include <unistd.h>
#include <vector>

namespace spindle::bench {

template <int kLanes> using Vector [[gnu::vector_size(kLanes * 4), gnu::may_alias]] = float;

/// Vectors of sums that stay in registers: as many as leave room beside them.
constexpr size_t sumsInRegisters(size_t lanes) { return lanes == 16 ? 16 : 8; }
constexpr size_t kMostSums = 16, kRowVectors = 8;

/// A panel of sums to which `rows` of weights are added.
template <int kLanes>
[[gnu::always_inline]] inline void addRows(float *out, const float *weights, size_t rows) {
  auto *result = reinterpret_cast<Vector<kLanes> *>(out);
  auto *row = reinterpret_cast<const Vector<kLanes> *>(weights);
  constexpr size_t kSums = sumsInRegisters(kLanes);
  Vector<kLanes> sums[kSums] = {};
  for (size_t r = 0; r < rows; ++r, row += kSums)
#pragma GCC unroll 16
    for (size_t k = 0; k < kSums; ++k)
      sums[k] += row[k];
  for (size_t k = 0; k < kSums; ++k)
    result[k] = sums[k];
}

/// Each row: one vector of weights times one value of each column.
template <int kLanes>
[[gnu::always_inline]] inline void multiplyRows(float *out, const float *weights,
                                                const float *columns, size_t rows) {
  auto *result = reinterpret_cast<Vector<kLanes> *>(out);
  auto *row = reinterpret_cast<const Vector<kLanes> *>(weights);
  constexpr size_t kSums = sumsInRegisters(kLanes);
  Vector<kLanes> sums[kSums] = {};
  for (size_t r = 0; r < rows; ++r, columns += kSums)
#pragma GCC unroll 16
    for (size_t k = 0; k < kSums; ++k)
      sums[k] += row[r] * columns[k];
  for (size_t k = 0; k < kSums; ++k)
    result[k] = sums[k];
}

template <int kLanes>
[[gnu::always_inline]] inline void scaleRows(float *data, float factor, size_t rows) {
  auto *row = reinterpret_cast<Vector<kLanes> *>(data);
  for (size_t r = 0; r < rows; ++r, row += kRowVectors)
#pragma GCC unroll 16
    for (size_t k = 0; k < kRowVectors; ++k)
      row[k] *= factor;
}

struct Kernels {
  size_t lanes;
  void (*add)(float *, const float *, size_t);
  void (*multiply)(float *, const float *, const float *, size_t);
  void (*scale)(float *, float, size_t);
};

#if defined(__x86_64__)
[[gnu::target("avx512f")]] static void add16(float *o, const float *w, size_t n) {
  addRows<16>(o, w, n);
}
[[gnu::target("avx512f")]] static void multiply16(float *o, const float *w, const float *x,
                                                  size_t n) {
  multiplyRows<16>(o, w, x, n);
}
[[gnu::target("avx512f")]] static void scale16(float *x, float f, size_t n) {
  scaleRows<16>(x, f, n);
}
[[gnu::target("avx2")]] static void add8(float *o, const float *w, size_t n) {
  addRows<8>(o, w, n);
}
[[gnu::target("avx2")]] static void multiply8(float *o, const float *w, const float *x, size_t n) {
  multiplyRows<8>(o, w, x, n);
}
[[gnu::target("avx2")]] static void scale8(float *x, float f, size_t n) { scaleRows<8>(x, f, n); }
#endif

static Kernels kernelsOfThisMachine() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f"))
    return {16, add16, multiply16, scale16};
  if (__builtin_cpu_supports("avx2"))
    return {8, add8, multiply8, scale8};
#endif
  return {4, addRows<4>, multiplyRows<4>, scaleRows<4>};
}

static size_t cacheBytes(int name, size_t fallback) {
  long bytes = sysconf(name);
  return bytes > 0 ? size_t(bytes) : fallback;
}

/// Calls of `kernel` per second: the best of sixty runs of 2 ms and more.
template <typename Kernel> static double callsPerSecond(Kernel kernel) {
  using Clock = std::chrono::steady_clock;
  auto seconds = [&](size_t calls) {
    auto start = Clock::now();
    for (size_t call = 0; call < calls; ++call)
      kernel();
    return std::chrono::duration<double>(Clock::now() - start).count();
  };
  size_t calls = 1;
  while (seconds(calls) < 2e-3)
    calls *= 2;
  double best = 0;
  for (int run = 0; run < 60; ++run)
    best = std::max(best, double(calls) / seconds(calls));
  return best;
}

MachineRates measureRates() {
  Kernels kernels = kernelsOfThisMachine();
  MachineRates rates;
  rates.lanes = kernels.lanes;
  size_t first = cacheBytes(_SC_LEVEL1_DCACHE_SIZE, 32 << 10);
  size_t second = cacheBytes(_SC_LEVEL2_CACHE_SIZE, 256 << 10);
  std::vector<float> memory(second / 4 / sizeof(float) + 64);
  // Vectors stand at multiples of their size.
  auto address = reinterpret_cast<uintptr_t>(memory.data());
  float *data = memory.data() + (-address % 64) / sizeof(float);
  alignas(64) float out[kMostSums * 16] = {};

  size_t sums = sumsInRegisters(kernels.lanes), vectorBytes = kernels.lanes * sizeof(float);
  auto callsOf = [&](auto kernel, size_t bytes, size_t vectors) {
    size_t rows = bytes / (vectors * vectorBytes);
    return double(rows * vectors) * callsPerSecond([&] { kernel(rows); });
  };
  rates.additions = callsOf([&](size_t rows) { kernels.add(out, data, rows); }, first / 2, sums);
  rates.updates =
      callsOf([&](size_t rows) { kernels.scale(data, 1, rows); }, second / 4, kRowVectors);
  size_t rows = first / 4 / vectorBytes; // and less than that of columns
  const float *columns = data + first / 4 / sizeof(float);
  rates.products =
      double(rows * sums) * callsPerSecond([&] { kernels.multiply(out, data, columns, rows); });
  constexpr size_t kChain = 10000;
  rates.clock = double(kChain) * callsPerSecond([] {
                  size_t sum = 0;
                  for (size_t i = 0; i < kChain; ++i) {
                    ++sum;
                    asm volatile("" : "+r"(sum)); // or the compiler knows the sum
                  }
                });
  return rates;
}

void keepBest(MachineRates &rates, const MachineRates &other) {
  for (double MachineRates::*rate : {&MachineRates::additions, &MachineRates::updates,
                                     &MachineRates::products, &MachineRates::clock})
    rates.*rate = std::max(rates.*rate, other.*rate);
}

double VectorWork::seconds(const MachineRates &rates) const {
  return additions / rates.additions + updates / rates.updates + products / rates.products +
         cycles / rates.clock;
}

std::string VectorWork::formula(const MachineRates &rates) const {
  struct Term {
    double work, rate;
    const char *what;
  };
  std::string text;
  for (const Term &term :
       {Term{additions, rates.additions, "additions from L1"},
        Term{updates, rates.updates, "updates in L2"}, Term{products, rates.products, "products"},
        Term{cycles, rates.clock, "cycles"}})
    if (term.work > 0)
      text += fmt::format("{}{:.3g} {} / {:.3g} per s", text.empty() ? "" : " + ", term.work,
                          term.what, term.rate);
  return text;
}

/// Used and all time of the processors since they started, in ticks.
static std::pair<double, double> processorTime() {
  std::ifstream file("/proc/stat");
  std::string label;
  file >> label;
  double used = 0, all = 0, ticks;
  for (int column = 0; column < 8 && file >> ticks; ++column) {
    all += ticks;
    used += column == 3 || column == 4 ? 0 : ticks; // idle, waiting for a disk
  }
  return {used, all};
}

double idleShare(int milliseconds) {
  auto [usedBefore, allBefore] = processorTime();
  std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
  auto [used, all] = processorTime();
  return all > allBefore ? 1 - (used - usedBefore) / (all - allBefore) : 0;
}

} // namespace spindle::bench
