// Numbers of network files in archives of NumPy: the same as in lists, and what is refused.
#include "core/support/formats/Npz.h"
#include "tests/frontend/Imported.h"

#include "llvm/Support/raw_ostream.h"
#include "gmock/gmock.h"

using namespace spindle;

namespace {

/// The module, or the error, of a network beside `w.npz`, both without their folder.
std::string importWith(const std::string &cells, const std::string &projection) {
  TemporaryFolder folder;
  std::vector<double> matrix{1, 2, 3, 4, 5, 6}, turned{1, 4, 2, 5, 3, 6};
  llvm::cantFail(writeNpz(
      folder / "w.npz",
      {{"fc1", makeNpy({2, 3}, matrix)},
       {"turned", makeNpy({3, 2}, turned)},
       {"flat", makeNpy({6}, matrix)},
       {"tau", makeNpy({2}, std::vector<float>{10, 20})},
       {"steps", makeNpy({2, 3}, std::vector<int64_t>{1, 2, 3, 1, 2, 3})},
       {"sources", makeNpy({3}, std::vector<int64_t>{2, 0, 1})},
       {"targets", makeNpy({3}, std::vector<float>{1, 1, 0})},
       {"halves", makeNpy({2}, std::vector<float>{0.5f, 1})},
       {"none", makeNpy({0}, std::vector<float>{})},
       {"wrong", makeNpy({2}, std::vector<float>{1, std::numeric_limits<float>::infinity()})}}));
  ModelOptions options;
  options.path = folder.write("net.yaml", "dt: 1\npopulations:\n"
                                          "  s: {source: poisson, size: 3, rate: 10}\n"
                                          "  a: {neuron: lif, size: 2, threshold: 1, " +
                                              cells + "}\nprojections:\n  - {from: s, to: a, " +
                                              projection + "}\n");
  Imported result = import(options);
  std::string text = result.error;
  if (result.module)
    llvm::raw_string_ostream(text) << *result.module;
  for (size_t at; (at = text.find(folder.path() + "/")) != std::string::npos;)
    text.erase(at, folder.path().size() + 1);
  return text;
}

const std::string kAll = "connect: all_to_all, weight: ", kTau = "tau: 10";

} // namespace

TEST(NetworkArrays, AreTheListsThatTheyStandFor) {
  std::string listed = importWith(kTau, kAll + "[1, 2, 3, 4, 5, 6]");
  EXPECT_THAT(listed, testing::HasSubstr("dense<[[1.000000e+00, 2.000000e+00, 3.000000e+00]"));
  EXPECT_EQ(importWith(kTau, kAll + "{npz: w.npz, array: fc1}"), listed);
  EXPECT_EQ(importWith(kTau, kAll + "{npz: w.npz, array: flat}"), listed);
  EXPECT_EQ(importWith("tau: {npz: w.npz, array: tau}", kAll + "1"),
            importWith("tau: [10, 20]", kAll + "1"));
  EXPECT_EQ(importWith(kTau, kAll + "1, delay: {npz: w.npz, array: steps}"),
            importWith(kTau, kAll + "1, delay: [1, 2, 3, 1, 2, 3]"));
}

TEST(NetworkArrays, OfPairsAndSpikes) {
  const std::string pairs =
      "connect: {sources: {npz: w.npz, array: sources}, targets: {npz: w.npz, "
      "array: targets}}, weight: 1";
  EXPECT_EQ(importWith(kTau, pairs),
            importWith(kTau, "connect: {sources: [2, 0, 1], targets: [1, 1, 0]}, weight: 1"));
  auto withSpikes = [](const std::string &neurons, const std::string &times) {
    return importWith(kTau + "}\n  k: {source: spikes, size: 4, neurons: " + neurons +
                          ", times: " + times,
                      kAll + "1");
  };
  EXPECT_EQ(withSpikes("{npz: w.npz, array: sources}", "{npz: w.npz, array: flat}"),
            "net.yaml:5:78: error: times has 6 values, neurons 3; expected a time for each");
  EXPECT_EQ(withSpikes("{npz: w.npz, array: sources}", "[3, 1, 7]"),
            withSpikes("[2, 0, 1]", "[3, 1, 7]"));
  EXPECT_EQ(withSpikes("[1, 0]", "{npz: w.npz, array: tau}"), withSpikes("[1, 0]", "[10, 20]"));
  EXPECT_EQ(withSpikes("{uniform: [0, 2]}", "[1]"),
            "net.yaml:5:41: error: neurons is drawn, expected a list or {npz: FILE, array: NAME}");
  EXPECT_EQ(withSpikes("{npz: w.npz, array: halves}", "[1, 2]"),
            "net.yaml:5:41: error: neurons holds 0.5, expected whole numbers");
}

TEST(NetworkArrays, AreRefused) {
  EXPECT_EQ(importWith(kTau, kAll + "{npz: w.npz, array: turned}"),
            "net.yaml:6:51: error: weight is an array of 3 x 2, expected 2 x 3, targets x sources");
  EXPECT_EQ(importWith(kTau, kAll + "{npz: w.npz, array: tau}"),
            "net.yaml:6:51: error: weight has 2 values, expected 1 or 6, one per synapse");
  EXPECT_EQ(importWith(kTau, kAll + "{npz: w.npz, array: fc2}"),
            "net.yaml:6:57: error: w.npz: has no array 'fc2', expected one of fc1, turned, flat, "
            "tau, steps, sources, targets, halves, none, wrong");
  EXPECT_EQ(importWith(kTau, kAll + "{npz: w.npz, array: none}"),
            "net.yaml:6:57: error: w.npz: the array 'none' is empty, expected a number or more");
  EXPECT_EQ(importWith(kTau, kAll + "{npz: w.npz, array: wrong}"),
            "net.yaml:6:57: error: w.npz: the array 'wrong' holds inf, expected finite numbers");
  EXPECT_EQ(importWith(kTau, kAll + "{npz: w.npz}"),
            "net.yaml:6:51: error: key 'array' is missing in projections[0].weight");
  EXPECT_THAT(importWith(kTau, kAll + "{npz: v.npz, array: fc1}"),
              testing::StartsWith("net.yaml:6:57: error: 'v.npz' is in none of the folders "));
  EXPECT_EQ(importWith("tau: {npz: w.npz, array: fc1}", kAll + "1"),
            "net.yaml:4:48: error: tau has 6 values, expected 1 or 2, one per neuron");
}
