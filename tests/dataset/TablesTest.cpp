// Formats csv and cifar: read from small files made here, and from the stored data sets.
#include "lib/dataset/Dataset.h"
#include "tests/dataset/Loaded.h"
#include "tests/support/TemporaryFolder.h"

#include "gmock/gmock.h"

#include <numeric>

using namespace spindle;
using testing::ElementsAre;

namespace {

DatasetOptions tableOptions(DatasetFormat format, const std::string &images) {
  DatasetOptions options;
  options.format = format;
  options.test.images = images;
  options.test.place = "f.yaml:2:3";
  return options;
}

/// Whether the stored data set can be found.
bool isStored(const std::string &path) {
  llvm::Expected<std::string> found = PathResolver().find(path, "");
  if (found)
    return true;
  llvm::consumeError(found.takeError());
  return false;
}

std::string cifarImage(char label) {
  std::string record(1, label);
  for (int i = 0; i < 3 * 32 * 32; ++i)
    record += static_cast<char>(i % 251);
  return record;
}

} // namespace

TEST(Csv, ReadsVectorsAndImagesWithTheClassFirstOrLast) {
  TemporaryFolder folder;
  DatasetOptions options =
      tableOptions(DatasetFormat::Csv, folder.write("a.csv", "1,2.5,3,-4,7\r\n\n 5,6,7,8,9\n"));
  Samples samples = loaded(options);
  EXPECT_THAT(samples.shape, ElementsAre(4));
  EXPECT_THAT(samples.values, ElementsAre(1, 2.5, 3, -4, 5, 6, 7, 8));
  EXPECT_THAT(samples.labels, ElementsAre(7, 9));
  options.test.limit = 1;
  options.shape = {1, 2, 2};
  EXPECT_THAT(loaded(options).shape, ElementsAre(1, 2, 2));
  EXPECT_THAT(loaded(options).labels, ElementsAre(7));
  options.labelColumn = LabelColumn::First;
  EXPECT_THAT(loaded(options).labels, ElementsAre(1));
  EXPECT_THAT(loaded(options).values, ElementsAre(2.5, 3, -4, 7));
  options.test.images = folder.write("b.csv", "label,pixel1\n3,10\n");
  options.shape.clear();
  EXPECT_THAT(loaded(options).labels, ElementsAre(3));
}

TEST(Csv, WrongLinesAreNamed) {
  TemporaryFolder folder;
  std::string path = folder / "a.csv";
  auto error = [&](const std::string &text, std::vector<int64_t> shape = {}) {
    folder.write("a.csv", text);
    DatasetOptions options = tableOptions(DatasetFormat::Csv, path);
    options.shape = std::move(shape);
    return loadError(options);
  };
  const std::string none = path +
                           ": error: holds no samples, expected a line of numbers for each (a "
                           "first line without any number names the columns)";
  for (const char *text : {"\n", "", "a,b\n", "\"1\",\"2\"\n", "\xff,x\n"})
    EXPECT_EQ(error(text), none) << text;
  for (const char *wrong : {"0x1", "1O", "", "one"}) { // no header: the others are numbers
    std::string line = std::string(wrong) + ",1,0\n";
    EXPECT_EQ(error(line + "1,1,1\n"), path + ":1: error: '" + wrong + "' is no number") << line;
  }
  EXPECT_EQ(error("1 2 3\n1\n"), path + ":2: error: has one column, expected values and a class "
                                        "index, separated by commas, semicolons or tabs");
  EXPECT_EQ(error("1,2,3\n1,2,3,4\n"),
            path + ":2: error: has 3 values beside the class index, expected 2 for the shape (2)");
  EXPECT_EQ(error("1,2,3\n", {1, 2, 2}),
            path + ":1: error: has 2 values beside the class index, expected 4 for the shape (1, "
                   "2, 2)");
  EXPECT_EQ(error("1,2,3\n1,x,3\n"), path + ":2: error: 'x' is no number");
  EXPECT_EQ(error("1,2,0.5\n"),
            path + ":1: error: class index is '0.5', expected an integer from 0");
}

TEST(Csv, SeparatorsAreSeen) {
  TemporaryFolder folder;
  std::string path = folder / "a.csv";
  DatasetOptions options = tableOptions(DatasetFormat::Csv, path);
  for (std::string separator : {",", ";", "\t"})
    for (std::string before : {"", "\xEF\xBB\xBF", "a,b;c\n", "sep=;\n"}) {
      std::string text = before + "1{}-2.5e1{} 7\r\n\n3{}4{}8\n";
      for (size_t at; (at = text.find("{}")) != std::string::npos;)
        text.replace(at, 2, separator);
      folder.write("a.csv", text);
      Samples samples = loaded(options);
      EXPECT_THAT(samples.values, ElementsAre(1, -25, 3, 4)) << text;
      EXPECT_THAT(samples.labels, ElementsAre(7, 8)) << text;
    }
}

TEST(Csv, DecimalCommasAreNamed) {
  TemporaryFolder folder;
  std::string path = folder / "a.csv";
  DatasetOptions options = tableOptions(DatasetFormat::Csv, path);
  for (const char *text : {"1;0,5;3\n", "1\t0,5\t3\n"}) {
    folder.write("a.csv", text);
    EXPECT_EQ(loadError(options),
              path + ":1: error: '0,5' has a decimal comma, expected a decimal point");
  }
  folder.write("a.csv", "1;2;3\n1,2,3\n"); // not two in one file
  EXPECT_THAT(loadError(options), testing::HasSubstr(":2: error: has one column, expected values"));
}

TEST(Csv, OptdigitsHasItsPublishedClasses) {
  if (!isStored("datasets/optdigits/optdigits.tes"))
    GTEST_SKIP() << "optdigits is absent; set SPINDLE_DATA";
  DatasetOptions options = tableOptions(DatasetFormat::Csv, "datasets/optdigits/optdigits.tes");
  options.shape = {1, 8, 8};
  Samples samples = loaded(options);
  std::vector<int> perClass(10);
  for (uint32_t label : samples.labels)
    ++perClass.at(label);
  // optdigits.names, "Class Distribution" of the writer-independent testing set.
  EXPECT_THAT(perClass, ElementsAre(178, 182, 177, 183, 181, 182, 181, 179, 174, 180));
  EXPECT_EQ(*std::max_element(samples.values.begin(), samples.values.end()), 16);
}

TEST(Cifar, ReadsTheBinaryLayout) {
  TemporaryFolder folder;
  DatasetOptions options =
      tableOptions(DatasetFormat::Cifar, folder.write("a.bin", cifarImage(3) + cifarImage(9)));
  Samples samples = loaded(options);
  EXPECT_THAT(samples.shape, ElementsAre(3, 32, 32));
  EXPECT_THAT(samples.labels, ElementsAre(3, 9));
  EXPECT_EQ(samples.sample(1)[3000], 3000 % 251);
  options.test.limit = 1;
  EXPECT_THAT(loaded(options).labels, ElementsAre(3));
}

TEST(Cifar, ReadsOneFileOfAnArchive) {
  TemporaryFolder folder;
  folder.write("set/test.bin", cifarImage(1));
  folder.write("set/batch.bin", cifarImage(2));
  std::string command = "tar -C '" + folder / "." + "' -czf '" + folder / "a.tar.gz" + "' set";
  ASSERT_EQ(std::system(command.c_str()), 0);
  DatasetOptions options = tableOptions(DatasetFormat::Cifar, "batch.bin");
  options.test.archive = folder / "a.tar.gz";
  EXPECT_THAT(loaded(options).labels, ElementsAre(2));
  options.test.images = "train.bin";
  EXPECT_EQ(loadError(options), options.test.archive + ": error: holds 0 files 'train.bin', "
                                                       "expected one; name it by images");
  options.test.archive = folder.write("b.tar.gz", "text");
  EXPECT_EQ(loadError(options), options.test.archive + ": error: cannot read as tar or zip "
                                                       "archive: Unrecognized archive format");
  options.test.archive = folder / "set";
  EXPECT_EQ(loadError(options),
            options.test.archive + ": error: is a folder, expected a tar or zip archive");
}

TEST(Cifar, DamagedFilesAreRefused) {
  TemporaryFolder folder;
  std::string path = folder.write("a.bin", cifarImage(3) + "x");
  DatasetOptions options = tableOptions(DatasetFormat::Cifar, path);
  EXPECT_EQ(loadError(options), path + ": error: holds 3074 bytes, expected a multiple of 3073 (a "
                                       "class and a 32 by 32 image of three channels each)");
  folder.write("a.bin", cifarImage(0) + cifarImage(10));
  EXPECT_EQ(loadError(options), path + ": error: image 1 has the class 10, expected 0 to 9");
}

TEST(Cifar, TheStoredSubsetIsBalanced) {
  std::string path = "datasets/cifar10-subset/cifar10_test2000_from_jpeg.bin.gz";
  if (!isStored(path))
    GTEST_SKIP() << "the CIFAR subset is absent; set SPINDLE_DATA";
  Samples samples = loaded(tableOptions(DatasetFormat::Cifar, path));
  ASSERT_EQ(samples.count(), 2000u);
  double sum = std::accumulate(samples.values.begin(), samples.values.end(), 0.0);
  EXPECT_NEAR(sum / static_cast<double>(samples.values.size()) / 255, 0.473, 0.01); // of CIFAR-10
}
