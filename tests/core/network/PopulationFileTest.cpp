#include "core/network/PopulationFile.h"

#include "gmock/gmock.h"

using namespace spindle;
using ::testing::HasSubstr;

namespace {

std::vector<Population> twoLayers() {
  return {{"input", PopulationKind::Input, {2, 3}, 0, 6},
          {"dense1", PopulationKind::Neuron, {4}, 6, 4}};
}

TEST(PopulationFile, AcceptsContiguousPopulations) {
  EXPECT_EQ(populationFault(twoLayers()), "");
  EXPECT_EQ(populationFault({}), "");
}

TEST(PopulationFile, NamesWhatIsWrong) {
  auto broken = [](auto change) {
    std::vector<Population> populations = twoLayers();
    change(populations[1]);
    return populationFault(populations);
  };
  EXPECT_EQ(broken([](Population &p) { p.name = ""; }), "a population has no name");
  EXPECT_EQ(broken([](Population &p) { p.name = "input"; }),
            "two populations are called 'input', names must differ");
  EXPECT_EQ(broken([](Population &p) { p.size = 5; }),
            "population 'dense1' has 5 neurons, which is not the product of its shape");
  EXPECT_EQ(broken([](Population &p) { p.shape = {-2, -2}; }),
            "population 'dense1' has 4 neurons, which is not the product of its shape");
  EXPECT_EQ(broken([](Population &p) { p.first = 5; }),
            "population 'dense1' starts at neuron 5, expected 6");
  EXPECT_EQ(broken([](Population &p) {
              p.shape = {4294967290};
              p.size = 4294967290u;
            }),
            "the network has more neurons than ids, at most 4294967294");
}

// 65536 · 65536 · 65537 overflows 32 bits and, once more, 64 bits.
TEST(PopulationFile, ShapesThatOverflowAreRefused) {
  for (std::vector<int64_t> shape : {std::vector<int64_t>(2, 65536), std::vector<int64_t>(9, 65537),
                                     std::vector<int64_t>{INT64_MAX, 4}})
    EXPECT_THAT(populationFault({{"wide", PopulationKind::Neuron, shape, 0, 0}}),
                HasSubstr("not the product of its shape"));
}

TEST(PopulationFile, GroupNamesHaveNoPathSyntaxAndStayDifferent) {
  EXPECT_EQ(populationGroup("conv1"), "conv1");
  EXPECT_EQ(populationGroup("/conv1/Conv"), "%2Fconv1%2FConv");
  EXPECT_EQ(populationGroup("."), "%2E");
  EXPECT_EQ(populationGroup("a.b"), "a.b");
  EXPECT_NE(populationGroup("a/b"), populationGroup("a%2Fb"));
}

TEST(PopulationFile, JsonRoundTrip) {
  Json json = jsonOf(twoLayers());
  EXPECT_EQ(json[0]["kind"], "input");
  std::vector<Population> back;
  readInto(json, back);
  llvm::cantFail(numberPopulations("x.json", back));
  EXPECT_EQ(back, twoLayers());
}

TEST(PopulationFile, ErrorsNameThePopulation) {
  std::vector<Population> populations{{"a", PopulationKind::Neuron, {0}, 0, 0}};
  EXPECT_EQ(toText(numberPopulations("x.json", populations)),
            "x.json: error: population 'a' has a shape with an extent below one or more neurons "
            "than ids");
}

} // namespace
