// Which samples the test set and the calibration set have in common.
#include "lib/dataset/Dataset.h"
#include "tests/support/TemporaryFolder.h"

#include "gmock/gmock.h"

using namespace spindle;

namespace {

/// `images 0 to 3`, `seed from 2 on`, or nothing.
std::string sharedText(const DatasetOptions &options) {
  std::optional<SharedSamples> shared = sharedSamples(options, PathResolver());
  if (!shared)
    return "nothing";
  std::string first = std::to_string(shared->first);
  return shared->key + (shared->last ? " " + first + " to " + std::to_string(*shared->last)
                                     : " from " + first + " on");
}

struct Range {
  int64_t skip = 0;
  std::optional<int64_t> limit = {};
};

/// Both sets of one format; `name` names the source of a set.
template <typename Name>
DatasetOptions bothSets(DatasetFormat format, Range test, Range calibration, Name name) {
  DatasetOptions options;
  options.format = format;
  options.calibration.emplace();
  SampleSource *fitted = &*options.calibration;
  for (auto [part, range] : {std::pair{&options.test, test}, {fitted, calibration}}) {
    part->skip = range.skip;
    part->limit = range.limit;
    name(*part);
  }
  return options;
}

} // namespace

TEST(SharedSamples, RangesOfOneSeed) {
  auto digits = [](Range test, Range calibration) {
    return sharedText(bothSets(DatasetFormat::Digits, test, calibration,
                               [](SampleSource &part) { part.seed = 7; }));
  };
  EXPECT_EQ(digits({0, 100}, {0, 50}), "seed 0 to 49");
  EXPECT_EQ(digits({0, 100}, {40, 100}), "seed 40 to 99");
  EXPECT_EQ(digits({0, 100}, {99, 1}), "seed 99 to 99");
  EXPECT_EQ(digits({0, 100}, {100, 50}), "nothing");
  EXPECT_EQ(digits({100, 50}, {0, 100}), "nothing");
  EXPECT_EQ(digits({}, {}), "seed 0 to 999"); // as many as are drawn without a limit
  EXPECT_EQ(digits({0, INT64_MAX}, {5, INT64_MAX}), "seed 5 to 9223372036854775806");
}

TEST(SharedSamples, OtherSeedsAreOthers) {
  DatasetOptions options;
  options.format = DatasetFormat::Digits;
  EXPECT_EQ(sharedText(options), "nothing"); // no calibration set
  options.calibration.emplace().seed = options.test.seed + 1;
  EXPECT_EQ(sharedText(options), "nothing");
}

TEST(SharedSamples, FilesCountByWhatTheyAre) {
  TemporaryFolder folder;
  std::string table = folder.write("t.csv", "1,2,0\n3,4,1\n5,6,2\n7,8,3\n");
  std::string other = folder.write("u.csv", "1,2,0\n3,4,1\n5,6,2\n7,8,3\n");
  std::filesystem::create_symlink(table, folder / "link.csv");
  auto shared = [&](const std::string &calibration, Range test = {}, Range range = {}) {
    DatasetOptions options =
        bothSets(DatasetFormat::Csv, test, range, [&](SampleSource &part) { part.images = table; });
    options.calibration->images = calibration;
    return sharedText(options);
  };
  EXPECT_EQ(shared(table), "images from 0 on"); // a table is counted when it is read
  EXPECT_EQ(shared(folder / "link.csv"), "images from 0 on");
  EXPECT_EQ(shared(folder.path() + "/./t.csv", {}, {1, 2}), "images 1 to 2");
  EXPECT_EQ(shared(table, {0, 2}, {2, 2}), "nothing");
  EXPECT_EQ(shared(other), "nothing");
  EXPECT_EQ(shared(folder / "none.csv"), "nothing");
}

TEST(SharedSamples, ListsOfRecordings) {
  TemporaryFolder folder;
  folder.write("a.csv", "0,0,0,1\n");
  folder.write("b.csv", "1000,1,0,1\n");
  std::string list = folder.write("list.txt", "a.csv 4\nb.csv 5\n");
  DatasetOptions options =
      bothSets(DatasetFormat::Events, {}, {1, {}}, [&](SampleSource &part) { part.list = list; });
  options.shape = {2, 2, 3};
  options.steps = 5;
  EXPECT_EQ(sharedText(options), "list 1 to 1");
}

TEST(SharedSamples, FilesOfAnArchiveAreToldApart) {
  TemporaryFolder folder;
  for (const char *name : {"test.bin", "train.bin"})
    folder.write(name, std::string(2 * 3073, '\0'));
  std::string command =
      "tar -C '" + folder.path() + "' -cf '" + folder.path() + "/set.tar' test.bin train.bin";
  ASSERT_EQ(std::system(command.c_str()), 0);
  DatasetOptions options = bothSets(DatasetFormat::Cifar, {}, {}, [&](SampleSource &part) {
    part.archive = folder / "set.tar";
    part.images = "test.bin";
  });
  EXPECT_EQ(sharedText(options), "images 0 to 1");
  options.calibration->images = "train.bin";
  EXPECT_EQ(sharedText(options), "nothing");
}
