// Synapses in files of their own: what is read, what is refused, and that they are those of lists.
#include "lib/frontend/network/SynapseFile.h"
#include "core/support/files/File.h"
#include "tests/frontend/Imported.h"

#include "fmt/format.h"
#include "fmt/ranges.h"
#include "llvm/Support/raw_ostream.h"
#include "gmock/gmock.h"

#include <algorithm>

using namespace spindle;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {

network::ListedSynapses read(const std::string &text) {
  TemporaryFolder folder;
  return llvm::cantFail(network::readSynapses(folder.write("syn.txt", text)));
}

std::string errorOf(const std::string &text) {
  TemporaryFolder folder;
  std::string path = folder.write("syn.txt", text);
  auto found = network::readSynapses(path);
  return found ? "no error" : toText(found.takeError()).substr(path.size() - 7);
}

/// The module, or the error, of a network beside `syn.txt`, both without their folder.
std::string importWithSynapses(const std::string &synapses, const std::string &projection) {
  TemporaryFolder folder;
  folder.write("syn.txt", synapses);
  ModelOptions options;
  options.path = folder.write(
      "net.yaml", "dt: 0.5\npopulations:\n  s: {source: samples, size: 4, encoding: poisson}\n"
                  "  a: {neuron: lif, size: 4, tau: 20, threshold: 1}\n"
                  "  c: {neuron: coba_lif, size: 4, tau: 20, tau_exc: 5, tau_inh: 5, e_exc: 0, "
                  "e_inh: -80, threshold: -50, v_reset: -60}\noutput: a\nprojections:\n  - {" +
                      projection + "}\n");
  Imported result = import(options);
  std::string text = result.error;
  if (result.module)
    llvm::raw_string_ostream(text) << *result.module;
  for (size_t at; (at = text.find(folder.path() + "/")) != std::string::npos;)
    text.erase(at, folder.path().size() + 1);
  return text;
}

} // namespace

TEST(SynapseFile, LinesOfTwoThreeOrFourNumbers) {
  network::ListedSynapses pairs = read("0 1\n2,3\n\n 4;5 # the last\n");
  EXPECT_THAT(pairs.pairs.sources, ElementsAre(0, 2, 4));
  EXPECT_THAT(pairs.pairs.targets, ElementsAre(1, 3, 5));
  EXPECT_THAT(pairs.weights, IsEmpty());
  network::ListedSynapses weighted = read("source,target,weight\r\n0,1,-0.5\r\n2,3,1e-3\r\n");
  EXPECT_THAT(weighted.weights, ElementsAre(-0.5, 1e-3));
  EXPECT_THAT(weighted.delays, IsEmpty());
  // As PyNN writes its connections.
  network::ListedSynapses all = read("# columns = ['i', 'j', 'weight', 'delay']\n0.0\t1.0\t+0.25\t"
                                     "1.5\n1.0\t0.0\t2\t3");
  EXPECT_THAT(all.pairs.sources, ElementsAre(0, 1));
  EXPECT_THAT(all.weights, ElementsAre(0.25, 2));
  EXPECT_THAT(all.delays, ElementsAre(1.5, 3));
  EXPECT_THAT(read("").pairs.sources, IsEmpty());
}

/// Every order of the columns, spelt as other tools spell it, is the same list.
TEST(SynapseFile, AHeadingSaysTheOrder) {
  const char *names[][3] = {{"i", "pre", "source"},
                            {"j", "Post", "TARGET"},
                            {"weight", "w", "Weights"},
                            {"delay", "d", "delay"}};
  std::vector<std::string> values[] = {{"0", "2"}, {"1", "3"}, {"-0.5", "4"}, {"1.5", "2"}};
  std::vector<int> order{0, 1, 2, 3};
  do
    for (size_t count : {2, 3, 4})
      for (int spelling = 0; spelling < 3; ++spelling) {
        std::vector<int> columns(order.begin(), order.begin() + static_cast<long>(count));
        bool hasPair =
            testing::Value(columns, testing::AllOf(testing::Contains(0), testing::Contains(1)));
        std::vector<std::string> heading, first, second;
        for (int column : columns) {
          heading.push_back(fmt::format("\"{}\"", names[column][spelling]));
          first.push_back(values[column][0]);
          second.push_back(fmt::format("\"{}\"", values[column][1]));
        }
        std::string lines = fmt::format("{}\n{}\n", fmt::join(first, ","), fmt::join(second, ";"));
        for (std::string text : {fmt::format("{}\n", fmt::join(heading, ",")),
                                 fmt::format("# columns = [{}]\n", fmt::join(heading, ", ")),
                                 fmt::format("# made by hand\n# {}\n", fmt::join(heading, " "))}) {
          if (!hasPair) {
            EXPECT_THAT(errorOf(text + lines),
                        testing::HasSubstr("expected source, target, weight, "
                                           "delay, the last two where"));
            continue;
          }
          network::ListedSynapses found = read(text + lines);
          EXPECT_THAT(found.pairs.sources, ElementsAre(0, 2)) << text;
          EXPECT_THAT(found.pairs.targets, ElementsAre(1, 3)) << text;
          bool hasWeight = testing::Value(columns, testing::Contains(2));
          bool hasDelay = testing::Value(columns, testing::Contains(3));
          EXPECT_EQ(found.weights,
                    hasWeight ? std::vector<double>({-0.5, 4}) : std::vector<double>());
          EXPECT_EQ(found.delays, hasDelay ? std::vector<double>({1.5, 2}) : std::vector<double>());
        }
      }
  while (std::next_permutation(order.begin(), order.end()));
  // Words that say nothing, and texts of other length.
  for (const char *heading :
       {"a b c", "from_cell,to_cell,weight", "Synapses from layer four to output",
        "pre_id;post_id;w [nS]", "\xef\xbb\xbfsource,target,weight", "# pre post", "# i j",
        "j,i\nsource,target,weight (nS)"})
    EXPECT_THAT(read(std::string(heading) + "\n0 1 2\n").weights, ElementsAre(2)) << heading;
  EXPECT_THAT(read("# i j w\n# columns = ['j', 'i', 'w']\n0 1 2\n").pairs.sources, ElementsAre(1));
  EXPECT_EQ(errorOf("i,j,U,weight\n0,1,2,3\n"),
            "syn.txt:1: error: the columns are i, j, U, weight, expected source, target, weight, "
            "delay, the last two where the file has them, each once in any order");
  EXPECT_EQ(importWithSynapses("source,target,delay\n0,3,1\n2,1,4.5\n",
                               "from: a, to: a, connect: {file: syn.txt}, weight: 2"),
            importWithSynapses("", "from: a, to: a, connect: {sources: [0, 2], targets: [3, 1]}, "
                                   "weight: 2, delay: [1, 4.5]"));
}

TEST(SynapseFile, RefusesWhatIsNoSynapse) {
  EXPECT_EQ(errorOf("0 1\n5\n"),
            "syn.txt:2: error: a line of 1 numbers, expected 2 as in the lines before");
  EXPECT_EQ(errorOf("# none\n1 2 3 4 5\n"),
            "syn.txt:2: error: a line of 5 numbers, expected source and target, or these with "
            "weight, or with weight and delay");
  EXPECT_EQ(errorOf("0 1\n0.5 1\n"), "syn.txt:2: error: '0.5', expected the number of a neuron");
  EXPECT_EQ(errorOf("0 1 2\n0 1 x\n"), "syn.txt:2: error: 'x', expected a number");
  EXPECT_EQ(errorOf("0 1 2\n0 1 inf\n"), "syn.txt:2: error: 'inf', expected a number");
  EXPECT_EQ(errorOf("0 1\nfrom to\n"), "syn.txt:2: error: 'from', expected the number of a neuron");
}

TEST(SynapseFile, IsTheListsThatItStandsFor) {
  EXPECT_EQ(
      importWithSynapses("0 3\n2 1\n1 1\n", "from: a, to: a, connect: {file: syn.txt}, weight: 2"),
      importWithSynapses("", "from: a, to: a, connect: {sources: [0, 2, 1], targets: [3, 1, 1]}, "
                             "weight: 2"));
  EXPECT_EQ(importWithSynapses("0 3 2 1\n2 1 -3 4.5\n1 1 4 1\n",
                               "from: a, to: a, connect: {file: syn.txt}"),
            importWithSynapses("",
                               "from: a, to: a, connect: {sources: [0, 2, 1], targets: [3, 1, 1]}, "
                               "weight: [2, -3, 4], delay: [1, 4.5, 1]"));
  // Equal weights are one, equal delays that of the projection.
  EXPECT_EQ(importWithSynapses("0 3 2 1\n2 1 2 1\n", "from: a, to: a, connect: {file: syn.txt}"),
            importWithSynapses(
                "", "from: a, to: a, connect: {sources: [0, 2], targets: [3, 1]}, weight: 2, "
                    "delay: 1"));
}

TEST(SynapseFile, RefusesWhatThePopulationsHaveNot) {
  const std::string file = "from: a, to: a, connect: {file: syn.txt}";
  EXPECT_EQ(importWithSynapses("0 4\n", file + ", weight: 1"),
            "net.yaml:8:38: error: targets names neuron 4, expected 0 to 3");
  EXPECT_EQ(importWithSynapses("0 1\n0 1\n", file + ", weight: 1"),
            "net.yaml:8:38: error: neuron 0 is joined with neuron 1 twice");
  EXPECT_EQ(importWithSynapses("2 2\n", file + ", weight: 1, autapses: false"),
            "net.yaml:8:38: error: neuron 2 is joined with itself, but autapses are excluded; "
            "leave one of the two out");
  EXPECT_EQ(importWithSynapses("0 1 x\n", file),
            "net.yaml:8:38: error: syn.txt:1: 'x', expected a number");
  EXPECT_THAT(importWithSynapses("", "from: a, to: a, connect: {file: absent.txt}, weight: 1"),
              testing::StartsWith("net.yaml:8:38: error: 'absent.txt' is in none of "
                                  "the folders "));
  EXPECT_EQ(importWithSynapses("0 1\n", file), "net.yaml:8:5: error: key 'weight' is missing in "
                                               "projections[0]");
  EXPECT_EQ(importWithSynapses("0 1 2\n", file + ", weight: 1"),
            "net.yaml:8:56: error: weight is given, but the file has weights too; leave one of "
            "them out, or write the heading source,target,delay where its third column is the "
            "delay");
  EXPECT_EQ(importWithSynapses("0 1 2 1\n", file + ", delay: 1"),
            "net.yaml:8:55: error: delay is given, but the file has delays too; leave one of them "
            "out");
  EXPECT_EQ(importWithSynapses("0 1 2 0.7\n", file),
            "net.yaml:8:5: error: delay has 0.7 ms, expected multiples of dt, 0.5 to 512 ms");
  EXPECT_EQ(importWithSynapses("0 1 2 1\n", "from: s, to: a, connect: {file: syn.txt}"),
            "net.yaml:8:31: error: the file has delays, but 's' is the samples; leave them out, "
            "and give one value");
  EXPECT_EQ(importWithSynapses("0 1 -2\n",
                               "from: a, to: c, receptor: inhibitory, connect: {file: syn.txt}"),
            "net.yaml:8:5: error: weight is negative, but it is a conductance; inhibition comes "
            "from the receptor and its e_inh");
}

/// The examples of docs/formats/network.md are a network and its synapses.
TEST(SynapseFile, DocumentedOnesAreRead) {
  std::string page = llvm::cantFail(readFile("docs/formats/network.md"));
  auto blockOf = [&](const std::string &language) {
    size_t first = page.find("```" + language + "\n") + language.size() + 4;
    return page.substr(first, page.find("```", first) - first);
  };
  network::ListedSynapses synapses = read(blockOf("csv"));
  EXPECT_THAT(synapses.pairs.sources, ElementsAre(0, 2));
  EXPECT_THAT(synapses.pairs.targets, ElementsAre(3, 1));
  EXPECT_THAT(synapses.weights, ElementsAre(0.5, -0.25));
  EXPECT_THAT(synapses.delays, ElementsAre(1.5, 1));
  EXPECT_EQ(importBytes("net.yaml", blockOf("yaml")).error, "");
}
