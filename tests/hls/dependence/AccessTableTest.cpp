#include "hw/hls/dependence/AccessTable.h"

#include "core/support/CounterRandom.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Parser/Parser.h"

#include "fmt/format.h"
#include "gmock/gmock.h"

namespace spindle::hls {
namespace {

using namespace mlir;

/// One subscript: (i · a + j · b + c), or that modulo m.
struct Subscript {
  int64_t i, j, constant, modulus;

  std::string text() const {
    std::string sum = fmt::format("%i * {} + %j * {} + {}", i, j, constant);
    return modulus ? fmt::format("({}) mod {}", sum, modulus) : sum;
  }
  int64_t at(int64_t iValue, int64_t jValue) const {
    int64_t sum = i * iValue + j * jValue + constant;
    return modulus ? sum % modulus : sum;
  }
};

struct Access {
  bool isOther; // of two arrays
  Subscript first, second;

  bool meets(const Access &other, int64_t i, int64_t j) const {
    return isOther == other.isOther && first.at(i, j) == other.first.at(i, j) &&
           second.at(i, j) == other.second.at(i, j);
  }
};

struct AccessTableTest : testing::Test {
  AccessTableTest() {
    context.loadDialect<affine::AffineDialect, func::FuncDialect, memref::MemRefDialect>();
  }

  std::vector<ArrayAccess> parse(const std::vector<Access> &accesses) {
    std::string text = "func.func @f(%a: memref<99x99xf64>, %b: memref<99x99xf64>) {\n"
                       "affine.for %i = 0 to 3 { affine.for %j = 0 to 3 {\n";
    for (size_t n = 0; n < accesses.size(); ++n)
      text += fmt::format("%x{} = affine.load %{}[{}, {}] : memref<99x99xf64>\n", n,
                          accesses[n].isOther ? "b" : "a", accesses[n].first.text(),
                          accesses[n].second.text());
    module = parseSourceString<ModuleOp>(text + "} } return }", &context);
    EXPECT_TRUE(module) << text;
    SmallVector<ArrayAccess> found = accessesIn(*module);
    return {found.begin(), found.end()};
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

Subscript randomSubscript(CounterRandom &random) {
  return {random.below(2), random.below(2), random.below(3), random.below(6) == 0 ? 2 : 0};
}

std::vector<Access> randomAccesses(uint64_t seed, unsigned count) {
  CounterRandom random(seed);
  std::vector<Access> accesses;
  for (unsigned n = 0; n < count; ++n)
    accesses.push_back({random.below(4) == 0, randomSubscript(random), randomSubscript(random)});
  return accesses;
}

std::vector<unsigned> numbersOf(ArrayRef<AccessTable::Candidate> candidates) {
  std::vector<unsigned> numbers;
  for (const AccessTable::Candidate &candidate : candidates)
    numbers.push_back(candidate.number);
  return numbers;
}

/// Who is no candidate is met in no iteration, who is the same in all of them.
TEST_F(AccessTableTest, KnowsWhomAnAccessMayMeet) {
  unsigned all = 0, candidates = 0, same = 0;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    std::vector<Access> accesses = randomAccesses(seed, 30);
    std::vector<ArrayAccess> parsed = parse(accesses);
    AccessTable table;
    for (const ArrayAccess &access : parsed)
      table.add(access);
    for (size_t n = 0; n < parsed.size(); ++n) {
      std::map<unsigned, bool> found; // whether it is the same
      for (const AccessTable::Candidate &candidate : table.candidates(parsed[n]))
        found[candidate.number] = candidate.isSame();
      EXPECT_TRUE(found[n]);
      for (size_t other = 0; other < parsed.size(); ++other) {
        bool ever = false, always = true;
        for (int64_t i = 0; i < 3; ++i)
          for (int64_t j = 0; j < 3; ++j) {
            bool meets = accesses[n].meets(accesses[other], i, j);
            ever |= meets;
            always &= meets;
          }
        if (ever) {
          EXPECT_TRUE(found.count(other)) << "seed " << seed << ": " << n << ", " << other;
        }
        if (found.count(other) && found[other]) {
          EXPECT_TRUE(always) << "seed " << seed << ": " << n << ", " << other;
        }
      }
      all += parsed.size();
      candidates += found.size();
      same += llvm::count_if(found, [](const auto &entry) { return entry.second; });
    }
  }
  EXPECT_LT(candidates, all / 2);
  EXPECT_GT(same, 600u); // itself, and others written alike
}

/// Pairs of one relation differ by the same numbers in every iteration.
TEST_F(AccessTableTest, RelationsSayHowSubscriptsDiffer) {
  std::vector<Access> accesses = randomAccesses(7, 40);
  for (Access &access : accesses)
    access.first.modulus = access.second.modulus = 0;
  std::vector<ArrayAccess> parsed = parse(accesses);
  AccessTable table;
  for (const ArrayAccess &access : parsed)
    table.add(access);
  std::map<AccessTable::Relation, std::vector<int64_t>> differences;
  unsigned repeated = 0;
  for (size_t to = 0; to < parsed.size(); ++to)
    for (const AccessTable::Candidate &candidate : table.candidates(parsed[to])) {
      std::vector<int64_t> steps;
      for (int64_t i = 0; i < 3; ++i)
        for (int64_t j = 0; j < 3; ++j) {
          const Access &from = accesses[candidate.number];
          steps.push_back(from.first.at(i, j) - accesses[to].first.at(i, j));
          steps.push_back(from.second.at(i, j) - accesses[to].second.at(i, j));
        }
      auto [known, isNew] = differences.try_emplace(candidate.relation, steps);
      EXPECT_EQ(known->second, steps);
      repeated += !isNew;
    }
  EXPECT_GT(repeated, 20u);
}

TEST_F(AccessTableTest, GoesBackToWhatItWas) {
  std::vector<ArrayAccess> parsed = parse(randomAccesses(3, 40));
  AccessTable table, before;
  for (unsigned n = 0; n < 20; ++n) {
    table.add(parsed[n]);
    before.add(parsed[n]);
  }
  for (unsigned n = 0; n < 20; n += 3)
    table.remove(n);
  for (unsigned n = 20; n < 40; ++n)
    table.add(parsed[n]);
  for (const AccessTable::Candidate &candidate : table.candidates(parsed[30]))
    EXPECT_TRUE(candidate.number >= 20 || candidate.number % 3 != 0);
  for (unsigned n = 0; n < 20; n += 3)
    table.restore(n);
  table.shrink(20);
  for (const ArrayAccess &access : parsed) {
    EXPECT_EQ(numbersOf(table.candidates(access)), numbersOf(before.candidates(access)));
    EXPECT_EQ(table.accessesOf(access.array), before.accessesOf(access.array));
  }
}

TEST_F(AccessTableTest, AddressesFromDataMayBeAny) {
  module = parseSourceString<ModuleOp>(R"(func.func @f(%c: memref<9xf64>, %p: memref<9xindex>) {
    affine.for %i = 0 to 9 {
      %k = affine.load %p[%i] : memref<9xindex>
      %x = memref.load %c[%k] : memref<9xf64>
      affine.store %x, %c[%i] : memref<9xf64>
      affine.store %x, %c[%i + 1] : memref<9xf64>
    } return })",
                                       &context);
  SmallVector<ArrayAccess> accesses = accessesIn(*module);
  AccessTable table;
  for (const ArrayAccess &access : accesses)
    table.add(access);
  EXPECT_THAT(numbersOf(table.candidates(accesses[1])), testing::ElementsAre(1, 2, 3));
  EXPECT_THAT(numbersOf(table.candidates(accesses[2])), testing::ElementsAre(1, 2));
  EXPECT_THAT(numbersOf(table.candidates(accesses[0])), testing::ElementsAre(0));
}

} // namespace
} // namespace spindle::hls
