// Skipping samples is the same as reading all and leaving the first ones away.
#include "lib/dataset/Dataset.h"
#include "tests/support/TemporaryFolder.h"

#include "gmock/gmock.h"

using namespace spindle;
using testing::ElementsAre;

namespace {

DatasetOptions table(const std::string &path) {
  DatasetOptions options;
  options.format = DatasetFormat::Csv;
  options.test.images = path;
  options.test.place = "f.yaml:2:3";
  return options;
}

} // namespace

TEST(Skip, LimitCountsWhatFollows) {
  TemporaryFolder folder;
  DatasetOptions options = table(folder.write("t.csv", "1,2,0\n3,4,1\n5,6,2\n7,8,3\n"));
  options.test.skip = 1;
  options.test.limit = 2;
  Samples samples = llvm::cantFail(loadDataset(options, PathResolver()));
  EXPECT_THAT(samples.values, ElementsAre(3, 4, 5, 6));
  EXPECT_THAT(samples.labels, ElementsAre(1, 2));
}

TEST(Skip, NothingMayNotRemain) {
  TemporaryFolder folder;
  DatasetOptions options = table(folder.write("t.csv", "1,2,0\n3,4,1\n"));
  options.test.skip = 2;
  EXPECT_EQ(toText(loadDataset(options, PathResolver()).takeError()),
            "f.yaml:2:3: error: skip is 2, the data set has only 2 samples");
}

TEST(Skip, RecordingsKeepTheirEvents) {
  TemporaryFolder folder;
  folder.write("a.csv", "0,0,0,1\n");
  folder.write("b.csv", "1000,1,0,1\n2000,2,0,1\n");
  folder.write("c.csv", "3000,1,1,0\n");
  DatasetOptions options;
  options.format = DatasetFormat::Events;
  options.test.list = folder.write("list.txt", "a.csv 4\nb.csv 5\nc.csv 6\n");
  options.test.place = "f.yaml:2:3";
  options.shape = {2, 2, 3};
  options.steps = 5;
  Samples all = llvm::cantFail(loadDataset(options, PathResolver()));
  options.test.skip = 1;
  Samples rest = llvm::cantFail(loadDataset(options, PathResolver()));
  EXPECT_THAT(rest.labels, ElementsAre(5, 6));
  for (size_t sample : {0, 1}) {
    auto expected = all.events->sample(sample + 1), found = rest.events->sample(sample);
    EXPECT_TRUE(std::equal(expected.begin(), expected.end(), found.begin(), found.end()));
  }
}
