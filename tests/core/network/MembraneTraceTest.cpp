#include "core/network/MembraneTrace.h"

#include "core/support/formats/Hdf5.h"

#include "gmock/gmock.h"

#include <filesystem>

using namespace spindle;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

namespace {

MembraneTrace twoSteps() {
  Population population{"conv/1", PopulationKind::Neuron, {3}, 7, 3};
  return {2, 2, 0.5, {{population, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}}}};
}

TEST(MembraneTrace, FollowsTheSonataReportLayout) {
  std::string path = ::testing::TempDir() + "membranes.h5";
  ASSERT_FALSE(writeMembraneTrace(path, twoSteps()));
  Hdf5Reader file = llvm::cantFail(Hdf5Reader::open(path));
  std::string group = "report/conv%2F1";
  EXPECT_THAT(llvm::cantFail(file.shape(group + "/data")), ElementsAre(4, 3)); // frames × neurons
  std::vector<float> values;
  std::vector<uint64_t> nodes, pointers;
  std::vector<double> time;
  ASSERT_FALSE(file.read(group + "/data", values));
  ASSERT_FALSE(file.read(group + "/mapping/node_ids", nodes));
  ASSERT_FALSE(file.read(group + "/mapping/index_pointers", pointers));
  ASSERT_FALSE(file.read(group + "/mapping/time", time));
  EXPECT_EQ(values, twoSteps().recordings[0].values);
  EXPECT_THAT(nodes, ElementsAre(0, 1, 2));
  EXPECT_THAT(pointers, ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(time, ElementsAre(0, 2, 0.5)); // frames of both samples
  std::filesystem::remove(path);
}

TEST(MembraneTrace, ReadsOnePopulation) {
  std::string path = ::testing::TempDir() + "membranes-read.h5";
  ASSERT_FALSE(writeMembraneTrace(path, twoSteps()));
  MembraneTrace found = llvm::cantFail(readMembranes(path, "conv/1"));
  EXPECT_EQ(found.samples, 2u);
  EXPECT_EQ(found.steps, 2u);
  ASSERT_EQ(found.recordings.size(), 1u);
  EXPECT_EQ(found.recordings[0].population.size, 3u);
  EXPECT_EQ(found.recordings[0].values, twoSteps().recordings[0].values);
  EXPECT_THAT(toText(readMembranes(path, "conv2").takeError()),
              HasSubstr("membranes-read.h5: error: found no membranes of 'conv2'"));
  std::filesystem::remove(path);
  Hdf5Writer other = llvm::cantFail(Hdf5Writer::create(path, Hdf5Packing::None));
  ASSERT_FALSE(other.attribute("/", "format", std::string("spindle-spikes")));
  ASSERT_FALSE(other.close());
  EXPECT_THAT(toText(readMembranes(path, "conv/1").takeError()),
              HasSubstr("not a spindle-membranes file"));
  std::filesystem::remove(path);
}

TEST(MembraneTrace, VerifyCountsTheValues) {
  MembraneTrace trace = twoSteps();
  trace.recordings[0].values.pop_back();
  EXPECT_EQ(toText(verify(trace)),
            "membrane trace: error: 11 values for 2 samples of 2 steps of the 3 "
            "neurons of 'conv/1'");
}

} // namespace
